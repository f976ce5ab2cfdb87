import pytest

pytest.importorskip("transformers")

from tgraph_attn.models.pretrained import code_pieces, train_tokenizer

SOURCE = "def größe(a):\n    return  a * a  # ☃\n"


@pytest.fixture
def tokenizer():
    return train_tokenizer([SOURCE] * 9, 300)


def test_pieces_begin_at_their_first_letter_and_ends_nowhere(tokenizer):
    pieces = code_pieces(tokenizer, SOURCE)
    assert pieces.token_id.tolist() == tokenizer(SOURCE)["input_ids"]
    assert pieces.start[0] == pieces.start[-1] == -1
    inner = pieces.start[1:-1].tolist()
    assert inner == sorted(inner)
    words = [tokenizer.decode([i]).strip() for i in pieces.token_id[1:-1]]
    for word, start in zip(words, inner, strict=True):
        if word.isascii() and word:
            assert SOURCE[start:].startswith(word)


def test_a_program_is_cut_to_a_length(tokenizer):
    pieces = code_pieces(tokenizer, SOURCE * 20, 16)
    assert pieces.token_id.size == 16 and pieces.start[-1] == -1


def test_an_empty_program_has_its_two_ends(tokenizer):
    assert code_pieces(tokenizer, "").start.tolist() == [-1, -1]


def test_a_tokenizer_that_does_not_tell_places_is_refused(tokenizer):
    class Slow:
        is_fast = False

    with pytest.raises(ValueError, match="must tell where its pieces begin, but Slow does not"):
        code_pieces(Slow(), SOURCE)
    with pytest.raises(ValueError, match="max_length must be at least 3"):
        code_pieces(tokenizer, SOURCE, 2)
