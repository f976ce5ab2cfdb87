import csv
import json

import pytest

from tgraph_attn.datasets._text.read_folder import find_files, read_folder

DOCUMENTS = [("a", "One, two"), ("b", 'He said "hi"'), ("a", ""), ("b", "tab\there, é")]


def write(folder, ending, documents=DOCUMENTS, split="train"):
    path = folder / f"{split}{ending}"
    with open(path, "w", encoding="utf-8", newline="") as file:
        if ending == ".txt":
            file.write("".join(f"{label}\t{text}\n" for label, text in documents))
        elif ending == ".csv":
            csv.writer(file).writerows(
                [("text", "id", "label"), *((t, 7, x) for x, t in documents)]
            )
        else:
            rows = (json.dumps({"label": label, "text": text}) for label, text in documents)
            file.write("\n".join(rows))
    return path


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, ".txt", [("a", "x")], "test")
    return tmp_path


def pairs(folder, encoding="utf-8"):
    return [(d.label, d.text) for d in read_folder(folder, encoding)["train"]]


@pytest.mark.parametrize("ending", [".txt", ".csv", ".jsonl"])
def test_each_form_gives_the_same_documents(folder, ending):
    write(folder, ending)
    assert pairs(folder) == DOCUMENTS


@pytest.mark.parametrize("ending", [".txt", ".csv", ".jsonl"])
def test_mark_of_byte_order_windows_lines_and_empty_lines_do_no_harm(folder, ending):
    path = write(folder, ending)
    text = path.read_text("utf-8").replace("\r\n", "\n") + "\n\n"
    path.write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    assert pairs(folder) == DOCUMENTS


@pytest.mark.parametrize("ending", [".txt", ".csv", ".jsonl"])
@pytest.mark.parametrize("line", ["", "  ", "\t", " \t \x0c"])
def test_lines_of_white_space_are_passed_over_wherever_they_are(folder, ending, line):
    path = write(folder, ending, DOCUMENTS[:2])
    lines = path.read_text("utf-8").split("\n")
    path.write_text("\n".join(part for old in lines for part in (line, old)), encoding="utf-8")
    assert pairs(folder) == DOCUMENTS[:2]


def test_text_of_a_line_may_hold_odd_ends_of_lines(folder):
    (folder / "train.txt").write_bytes(b"a\tone\nb\ttwo\x85still two\na\tsame\x0c")
    read = [("a", "one"), ("b", "two\x85still two"), ("a", "same")]
    assert pairs(folder, "latin-1") == read


def test_wrong_encoding_names_file_line_and_way_out(folder):
    (folder / "train.txt").write_bytes(b"a\tone\nb\tcaf\xe9\na\tsame\n")
    message = r'train.txt must be in utf-8, but its line 2 is not .*0xe9.*encoding="latin-1"'
    with pytest.raises(ValueError, match=message):
        read_folder(folder, "utf-8")
    assert pairs(folder, "latin-1")[1] == ("b", "café")


def test_codec_that_does_not_say_where_it_failed_names_the_file(folder):
    write(folder, ".txt")
    with pytest.raises(ValueError, match=r"train.txt must be in undefined, but it is not .*latin"):
        read_folder(folder, "undefined")


def test_text_in_csv_may_have_lines_and_be_long(folder):
    documents = [("a", "first\nsecond\n\nthird"), ("b", "word " * 40_000)]
    write(folder, ".csv", documents)
    limit = csv.field_size_limit()
    assert pairs(folder) == [(label, text.strip()) for label, text in documents]
    assert csv.field_size_limit() == limit


def test_json_lines_may_have_tokens_and_heads(folder):
    rows = [{"label": "a", "tokens": ["Oil", "up"], "heads": [1, 1]}, {"label": "b", "text": "x"}]
    (folder / "train.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    first, second = read_folder(folder, "utf-8")["train"]
    assert (first.text, first.tokens, first.heads) == ("Oil up", ("Oil", "up"), (1, 1))
    assert (second.text, second.tokens, second.heads) == ("x", None, None)


def test_text_beside_tokens_may_be_null(folder):
    row = '{"label": "a", "text": null, "tokens": ["Oil", "up"], "heads": null}'
    (folder / "train.jsonl").write_text(row, encoding="utf-8")
    (document,) = read_folder(folder, "utf-8")["train"]
    assert (document.text, document.tokens, document.heads) == ("Oil up", ("Oil", "up"), None)


def test_heads_may_be_a_long_chain_with_several_roots(folder):
    size = 1000
    heads = [max(place - 1, 0) for place in range(size)] + [size]
    row = {"label": "a", "tokens": ["x"] * (size + 1), "heads": heads}
    (folder / "train.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert read_folder(folder, "utf-8")["train"][0].heads == tuple(heads)
    row["heads"] = [1, *heads[1:]]  # words 0 and 1 are each other's head
    (folder / "train.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 1 of .* round a cycle from token 0"):
        read_folder(folder, "utf-8")


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("train.txt", "no tab here", "line 3 of .*label, tab and text, but has 'no tab here'"),
        ("train.txt", "\tno label", "line 3 of .*a label, a str that is not empty, but has ''"),
        ("train.csv", "x", "line 3 of .*2 columns as its header, but has 1 columns"),
        ("train.csv", "x,y,z", "line 3 of .*2 columns as its header, but has 3 columns"),
        ("train.csv", ",y", "line 3 of .*a label"),
        ("train.csv", 'a,"open', "line 3 of .*well-formed CSV, but has an error"),
        ("train.jsonl", "{", r"line 3 of .*one JSON object, but has '\{'"),
        ("train.jsonl", "[1]", r"line 3 of .*one JSON object, but has '\[1\]'"),
        ("train.jsonl", '{"text": "x"}', "line 3 of .*a label, .* but has None"),
        ("train.jsonl", '{"label": 1, "text": "x"}', "line 3 of .*a label, .* but has 1"),
        ("train.jsonl", '{"label": "a"}', "line 3 of .*a text, a str, but has None"),
        (
            "train.jsonl",
            '{"label": "a", "tokens": "x"}',
            "line 3 of .*a list of str under 'tokens'",
        ),
        (
            "train.jsonl",
            '{"label": "a", "tokens": ["x"], "heads": [true]}',
            "line 3 of .*a list of int under 'heads'",
        ),
        (
            "train.jsonl",
            '{"label": "a", "tokens": ["x"], "heads": [0, 1]}',
            r"line 3 of .*one head for each of its tokens.* but has heads \(0, 1\) and 1 tokens",
        ),
        (
            "train.jsonl",
            '{"label": "a", "tokens": ["x"], "heads": [-1]}',
            r"line 3 of .*counted from 0.* but has heads \(-1,\) and 1 tokens",
        ),
        ("train.jsonl", '{"label": "a", "text": "x", "heads": [0]}', "line 3 .* and 0 tokens"),
        (
            "train.jsonl",
            '{"label": "a", "tokens": ["x", "y", "z"], "heads": [0, 2, 1]}',
            "line 3 of .*train.jsonl must .* root, its own head, but .* a cycle from token 1",
        ),
        ("train.jsonl", '{"label": "a", "text": null}', "line 3 .* a text, a str, but has None"),
        ("train.jsonl", '{"label": "a", "text": 1, "tokens": ["x"]}', "line 3 .* a str, but has 1"),
    ],
)
def test_line_in_another_form_is_named(folder, name, line, message):
    good = {
        "train.txt": "a\tx\nb\ty\n",
        "train.csv": "label,text\na,x\n",
        "train.jsonl": '{"label": "a", "text": "x"}\n{"label": "b", "text": "y"}\n',
    }[name]
    (folder / name).write_text(good + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        read_folder(folder, "utf-8")
    assert ",," not in str(caught.value)


def test_csv_without_its_columns_is_refused(folder):
    (folder / "train.csv").write_text("a,One\nb,Two\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"columns label and text, but has \['a', 'One'\]"):
        read_folder(folder, "utf-8")


@pytest.mark.parametrize("ending", [".txt", ".csv", ".jsonl"])
def test_empty_file_has_no_documents(folder, ending):
    (folder / f"train{ending}").write_text("\n", encoding="utf-8")
    assert pairs(folder) == []


def test_missing_split_and_one_in_two_forms_are_refused(folder):
    with pytest.raises(FileNotFoundError, match=r"one of \['train.txt', .*Put the documents of tr"):
        find_files(folder)
    write(folder, ".csv")
    assert find_files(folder) == {"train": folder / "train.csv", "test": folder / "test.txt"}
    write(folder, ".txt")
    with pytest.raises(ValueError, match=r"but has \['train.txt', 'train.csv'\]. Leave the one"):
        find_files(folder)
