import pytest

from tgraph_attn.datasets import POJ104, program_tree
from tgraph_attn.parse import parse_code

pytest.importorskip("tree_sitter_cpp")
SOURCE = "int main() { char word[9]; return f(word, 7); }"


def test_full_is_the_whole_tree_with_strings_and_identifiers_as_they_are():
    expected = parse_code(SOURCE, "cpp", subtokens="off", strings="keep")
    assert program_tree(SOURCE) == program_tree(SOURCE.encode()) == expected
    assert {"identifier word", "number_literal 7"} < set(program_tree(SOURCE).labels)


def test_bytes_are_read_as_utf_8_and_what_is_not_is_replaced():
    labels = program_tree('char *a = "é";'.encode() + b'char *b = "\xe9";').labels
    assert "string_content é" in labels and "string_content \ufffd" in labels


def test_structure_has_the_same_nodes_without_names_and_values():
    full, bare = program_tree(SOURCE), program_tree(SOURCE, "structure")
    assert full.kind.tolist() == bare.kind.tolist()
    texts = {text for text in bare.text if text is not None}
    assert texts == {"int", "char"}


def test_it_makes_the_trees_of_the_data_set(tmp_path):
    for name in ("sum", "product"):
        (tmp_path / name).mkdir()
        for number in range(3):
            text = f'int {name}() {{ return {number} + strlen("é\\x00"); }}'.encode()
            (tmp_path / name / f"{number}.c").write_bytes(text + b"// \xe9\xff")
    for task in ("full", "structure"):
        data = POJ104(tmp_path / "root", task, source=tmp_path, min_count=1, log=False)
        for item in data:
            tree = program_tree((tmp_path / item.origin).read_bytes(), task)
            assert data.vocab.decode(item.x) == [
                label if label in data.vocab else "<unk>" for label in tree.labels
            ]
            assert item.parent_index[1:].tolist() == tree.parent[1:].tolist()


@pytest.mark.parametrize("source", ["", "   ", b"\xff\xfe", "(((", "def f(a):\n  return a", "\0"])
@pytest.mark.parametrize("task", ["full", "structure"])
def test_whatever_it_is_given_it_returns_a_tree(source, task):
    tree = program_tree(source, task)
    assert tree.num_nodes >= 1 and tree.kind[0] in ("translation_unit", "ERROR")


def test_another_language_has_syntax_errors():
    assert program_tree("def f(a):\n    return [a for a in b]\n").num_errors > 0


@pytest.mark.parametrize(
    ("source", "task", "error", "message"),
    [
        (
            "int a;",
            "names",
            ValueError,
            r"program_tree: task must be one of \['full', 'structure'\]",
        ),
        (None, "full", TypeError, r"program_tree: source must be a str or bytes, but got NoneType"),
    ],
)
def test_other_arguments_are_refused(source, task, error, message):
    with pytest.raises(error, match=message):
        program_tree(source, task)
