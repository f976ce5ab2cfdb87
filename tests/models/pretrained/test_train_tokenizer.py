import pytest

pytest.importorskip("transformers")

from tgraph_attn.models.pretrained import train_tokenizer

TEXTS = ["def area(a):\n    return a * a\n", "größe = area(b)  # ☃\n"] * 5


def test_every_text_comes_back_even_with_letters_that_were_never_seen():
    tokenizer = train_tokenizer(TEXTS, 300)
    for text in (*TEXTS, "x = '漢字 \t\x00'\n"):
        ids = tokenizer(text)["input_ids"]
        assert ids[0] == 0 and ids[-1] == 2
        assert tokenizer.decode(ids, skip_special_tokens=True) == text


def test_specials_are_where_roberta_has_them_and_padding_is_told():
    tokenizer = train_tokenizer(TEXTS, 300)
    assert tokenizer.convert_tokens_to_ids(["<s>", "<pad>", "</s>", "<unk>", "<mask>"]) == [
        *range(5)
    ]
    both = tokenizer(["a b c d", "a"], padding=True)
    assert both["input_ids"][1][-1] == 1 and both["attention_mask"][1][-1] == 0


def test_what_stands_often_side_by_side_is_one_piece():
    assert "Ġarea" in train_tokenizer(TEXTS, 300).tokenize("def area(a)")
    assert len(train_tokenizer(TEXTS, 300)) <= 300
    assert "Ġarea" not in train_tokenizer(TEXTS, 300, min_count=99).tokenize("def area(a)")


def test_it_tells_where_each_piece_begins():
    text = "  area (b)"
    offsets = train_tokenizer(TEXTS, 300)(text, return_offsets_mapping=True)["offset_mapping"]
    assert offsets[0] == (0, 0) and offsets[-1] == (0, 0)
    assert "".join(text[a:b] for a, b in offsets).replace(" ", "") == "area(b)"


def test_a_size_without_room_for_the_bytes_is_refused():
    with pytest.raises(ValueError, match=r"num_words must be at least 261, .* but got 260"):
        train_tokenizer(TEXTS, 260)
    with pytest.raises(ValueError, match="min_count must be at least 1"):
        train_tokenizer(TEXTS, 300, min_count=0)
