import pytest

from tgraph_attn.parse import ParseError, parse_xml


def test_text_between_elements_stays_in_order_and_comments_are_skipped():
    tree = parse_xml("<p>one<b>two</b>three<!-- c --><?pi x?>four</p>")
    assert tree.kind.tolist() == ["p", "#text", "b", "#text", "#text"]
    assert tree.text.tolist() == [None, "one", None, "two", "threefour"]
    assert tree.parent.tolist() == [-1, 0, 0, 2, 0]


def test_attributes_come_first_in_order():
    tree = parse_xml('<a y="1" x="2">t<b z="&lt;"/></a>')
    assert tree.labels == ["a", "@y 1", "@x 2", "#text t", "b", "@z <"]
    assert tree.parent.tolist() == [-1, 0, 0, 0, 0, 4]


def test_spaces_between_elements_are_left_out_and_other_text_is_kept_as_it_is():
    tree = parse_xml("<a>\n  <b> x </b>\n  <![CDATA[<y>]]>&amp;\n</a>")
    assert tree.text[tree.kind == "#text"].tolist() == [" x ", "\n  <y>&\n"]


def test_a_long_text_is_one_leaf():
    assert parse_xml(f"<a>{'é' * 100_000}</a>").text[1] == "é" * 100_000


def test_bytes_are_decoded_as_they_say_and_in_a_str_that_is_ignored():
    text = '<?xml version="1.0" encoding="latin-1"?><a>\xe9</a>'
    assert parse_xml(text).text[1] == parse_xml(text.encode("latin-1")).text[1] == "\xe9"
    assert parse_xml("\ufeff<a/>").labels == ["a"]


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_bytes_may_be_in_any_buffer(kind):
    data = '<?xml version="1.0" encoding="latin-1"?><a>\xe9</a>'.encode("latin-1")
    assert parse_xml(kind(data)) == parse_xml(data)


def test_deep_elements_are_a_tree():
    assert parse_xml("<a>" * 5_000 + "</a>" * 5_000).depth.max() == 4_999


BOMB = """<!DOCTYPE a [<!ENTITY x "1"><!ENTITY y "&x;&x;"><!ENTITY z "&y;&y;">]><a>&z;</a>"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "must not use entities of its own, but has 'x'"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "f"> %x;]><a/>', "entities of its own, but has 'x'"),
        ('<!DOCTYPE a SYSTEM "f"><a>&b;</a>', "entities of its own, but has 'b'"),
        ("<a>&b;</a>", "undefined entity"),
        ("", "no element found"),
        ("<a>", "no element found"),
        ("<a></b>", "mismatched tag"),
        ("<a>\0</a>", "not well-formed"),
        ("<a>\ud800</a>", "not well-formed"),
        (b'<?xml version="1.0" encoding="nope"?><a/>', "the encoding must be one that"),
        (b'<?xml version="1.0" encoding="gbk"?><a/>', "the encoding must be one that"),
    ],
)
def test_what_is_not_well_formed_or_uses_entities_is_refused(text, message):
    with pytest.raises(ParseError, match=f"parse_xml: .*{message}") as caught:
        parse_xml(text)
    assert caught.value.line == 1 and caught.value.column >= 1


def test_the_place_of_an_error_is_counted_from_one():
    with pytest.raises(ParseError) as caught:
        parse_xml("<a>\n é</b>")
    assert (caught.value.line, caught.value.column) == (2, 5)


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="parse_xml: source must be str or bytes, but got int"):
        parse_xml(3)
