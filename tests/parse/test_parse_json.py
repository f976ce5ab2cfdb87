import json
import random

import pytest

from tgraph_attn.parse import ParseError, parse_json, parse_nested


def test_keys_over_their_values_by_hand():
    tree = parse_json('{"a": [1.50, "x\\n"], "b": null}')
    assert tree.labels == ["dict", "key a", "list", "float 1.50", "str x\n", "key b", "null"]
    assert tree.parent.tolist() == [-1, 0, 1, 2, 2, 0, 5]


def test_spans_show_where_each_node_is_written():
    text = ' {"é": [1, {}], "b": "😀"} '
    shown = [text[begin:end] for begin, end in parse_json(text).span.tolist()]
    assert shown == [text.strip(), '"é"', "[1, {}]", "1", "{}", '"b"', '"😀"']


def random_value(draw, depth=0):
    kind = draw.randrange(8 if depth < 4 else 6)
    if kind == 6:
        return [random_value(draw, depth + 1) for _ in range(draw.randrange(4))]
    if kind == 7:
        return {f"k{i}\t": random_value(draw, depth + 1) for i in range(draw.randrange(4))}
    return [
        None,
        True,
        False,
        draw.randrange(-9, 9),
        draw.random(),
        draw.choice(["", 'a"\\', "é"]),
    ][kind]


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_tree_of_the_objects_that_json_loads(seed):
    value = random_value(random.Random(seed))
    for text in (json.dumps(value), json.dumps(value, indent=1, ensure_ascii=False)):
        tree, expected = parse_json(text), parse_nested(value)
        assert tree.labels == expected.labels
        assert tree.parent.tolist() == expected.parent.tolist()


def test_bytes_and_a_mark_of_the_byte_order_are_read():
    assert parse_json('\ufeff["é"]'.encode()).labels == ["list", "str é"]


def test_what_is_no_number_but_written_by_json_is_a_float():
    text = json.dumps([float("nan"), float("inf"), -float("inf")])
    assert parse_json(text).labels == ["list", "float NaN", "float Infinity", "float -Infinity"]


def test_a_number_may_have_any_length():
    assert parse_json("9" * 10_000).text[0] == "9" * 10_000


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "there must be a value, but there is 'the end of the text'", 1, 1),
        ("[1,\n 2", r"there must be ',' or '\]', but there is 'the end", 2, 3),
        ("[1,]", "there must be a value", 1, 4),
        ("[1 2]", r"there must be ',' or '\]', but there is '2\]'", 1, 4),
        ("1 2", "there must be the end, but there is '2'", 1, 3),
        ("[1]]", "there must be the end", 1, 4),
        ("[1}", r"there must be ',' or '\]', but there is '}'", 1, 3),
        ('{"a" 1}', "there must be ':'", 1, 6),
        ('{"a": 1,}', "there must be a key in double quotes", 1, 9),
        ("{a: 1}", "there must be a key in double quotes", 1, 2),
        ('{"a"}', "there must be ':'", 1, 5),
        ("nul", "there must be a value", 1, 1),
        ("[01]", r"there must be ',' or '\]'", 1, 3),
        ('["a', "there must be a correct string", 1, 2),
        ("\0", "there must be a value", 1, 1),
        ('{"a": 1,\n "a": 2}', 'there must be each key once in an object, .* "a" again', 2, 2),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text, message, line, column):
    with pytest.raises(ParseError, match=f"parse_json: {message}") as caught:
        parse_json(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_deep_text_is_refused_before_it_is_read_to_the_end():
    with pytest.raises(ParseError, match="at most max_depth=1000 values in one another") as caught:
        parse_json("[" * 5_000 + "]" * 5_000)
    assert caught.value.column == 1_001
    assert parse_json("[" * 1_000 + "]" * 1_000).num_nodes == 1_000
    with pytest.raises(ParseError, match="max_depth=1 "):
        parse_json('{"a": {}}', max_depth=1)


def test_depth_is_no_matter_of_the_stack():
    assert parse_json("[" * 50_000 + "]" * 50_000, max_depth=50_000).depth.max() == 49_999


def test_no_room_at_all_and_what_is_no_text_are_refused():
    with pytest.raises(ValueError, match="max_depth must be at least 1, but got 0"):
        parse_json("1", max_depth=0)
    with pytest.raises(TypeError, match="parse_json: source must be str or bytes, but got dict"):
        parse_json({})
