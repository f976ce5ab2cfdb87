import json

import pytest

from tgraph_attn.datasets._pairs.read_jsonl import jsonl_files, read_jsonl, read_one_jsonl

CODE = "def f(a):\n    return a"


def row(code=CODE, docstring="Do it.", **others):
    return json.dumps({"code": code, "docstring": docstring, **others})


@pytest.fixture
def read(tmp_path):
    def lines(*lines, language="python", name="train.jsonl", encoding="utf-8"):
        (tmp_path / name).write_bytes("\n".join(lines).encode(encoding))
        return read_jsonl(tmp_path, {"train": name}, language)

    return lines


def test_rows_become_pairs_and_keep_the_numbers_of_their_lines(read):
    splits, dropped = read(row(repo="a", docstring_tokens=["x"]), "", "  ", row("g()", "Über\n\nx"))
    assert splits == {
        "train": [(CODE, "Do it.", "train.jsonl:1"), ("g()", "Über\n\nx", "train.jsonl:4")]
    }
    assert dropped == {"train": {}}


def test_rows_without_docstring_or_body_are_counted(read):
    only = 'def f():\n    "Do."\n'
    splits, dropped = read(row(docstring=None), row(docstring=" \n"), row(only), row())
    assert len(splits["train"]) == 1
    assert dropped == {"train": {"no docstring": 2, "no body": 1}}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_docstring_in_the_code_of_python_is_cut_out(read, end):
    code = '@b\nasync def f(a):\n    """Do it."""\n    def g():\n        "Inner."\n    return a\n'
    splits, _ = read(row(code.replace("\n", end)))
    assert splits["train"][0].source == code.replace('    """Do it."""\n', "")


@pytest.mark.parametrize("code", ["", "x = 1", "(((", "class A: pass", "\ud800"])
def test_code_without_a_function_stays_as_it_is(read, code):
    assert read(row(code))[0]["train"][0].source == code


def test_docstrings_of_java_end_before_the_first_tag_as_in_files(read):
    said = "Gives {@code it}.\n *\n@param a none\n@return it"
    splits, dropped = read(row("int f();", said), row("int f();", "@see A"), language="java")
    assert [pair.comment for pair in splits["train"]] == ["Gives it.", ""] and not dropped["train"]
    assert read(row(docstring=said))[0]["train"][0].comment == said


def test_code_of_other_languages_stays_as_it_is(read):
    code = 'int f() { "Do it."; }'
    assert read(row(code), language="java")[0]["train"][0].source == code


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"code": "a"', "JSONDecodeError"),
        ('["a", "b"]', "TypeError"),
        ('{"code": "a", "comment": "b"}', "KeyError: 'docstring'"),
        ('{"func": "a", "docstring": "b"}', "KeyError: 'code'"),
        ('{"code": 5, "docstring": "b"}', "code must be a str"),
        ('{"code": "a", "docstring": ["b"]}', "docstring a str or null"),
        ("[" * 100_000, "RecursionError"),
    ],
)
def test_another_line_is_refused_with_file_and_number(read, line, said):
    message = rf"each line of .*train\.jsonl must be an object .* line 3 is not \(.*{said}.* Mend"
    with pytest.raises(ValueError, match=message):
        read(row(), "", line)


def test_another_encoding_is_refused(read):
    with pytest.raises(ValueError, match=r"train\.jsonl must be UTF-8, but is not .* Convert it"):
        read('{"code": "a", "docstring": "Über"}', encoding="latin-1")


def test_a_mark_of_the_byte_order_is_passed_over(read):
    assert len(read(row(), encoding="utf-8-sig")[0]["train"]) == 1


def test_files_of_splits_are_found_by_their_names(tmp_path):
    assert jsonl_files(tmp_path) == {}
    for name in ("train", "valid", "test", "more"):
        (tmp_path / f"{name}.jsonl").touch()
    want = {"train": "train.jsonl", "val": "valid.jsonl", "test": "test.jsonl"}
    assert jsonl_files(tmp_path) == want
    (tmp_path / "dev.jsonl").touch()
    with pytest.raises(ValueError, match=r"one file for val, but has .*valid.*dev.* Remove one"):
        jsonl_files(tmp_path)


def test_one_file_may_have_lone_surrogates(tmp_path):
    path = tmp_path / "all.jsonl"
    path.write_text("\n".join(row(f"f('\ud800', {n})") for n in range(9)), encoding="utf-8")
    splits, _ = read_one_jsonl(path, "python", seed=0)
    assert [len(pairs) for pairs in splits.values()] == [7, 1, 1]


def test_one_file_is_dealt_out_and_copies_stay_together(tmp_path):
    path = tmp_path / "all.jsonl"
    rows = [row(f"f({n % 20})", f"Do {n}.") for n in range(60)]
    path.write_text("\n".join([*rows, row(docstring=None)]), encoding="utf-8")
    splits, dropped = read_one_jsonl(path, "python", seed=0)
    assert {split: len(pairs) for split, pairs in splits.items()} == {
        "train": 48,
        "val": 6,
        "test": 6,
    }
    codes = {split: {pair.source for pair in pairs} for split, pairs in splits.items()}
    assert sum(map(len, codes.values())) == 20
    assert dropped == {"train": {"no docstring": 1}}
    lines = [int(pair.origin.removeprefix("all.jsonl:")) for pair in splits["train"]]
    assert lines == sorted(lines)
    other, _ = read_one_jsonl(path, "python", seed=1)
    assert {pair.source for pair in other["test"]} != codes["test"]
