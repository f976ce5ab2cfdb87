import pytest

from tgraph_attn.parse import split_identifier
from tgraph_attn.parse.split_identifier import PIECES, _Pieces


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("get_name", ["get", "name"]),
        ("getName", ["get", "name"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("utf8Decoder", ["utf", "8", "decoder"]),
        ("MAX_VALUE", ["max", "value"]),
        ("__init__", ["init"]),
        ("A", ["a"]),
        ("aB", ["a", "b"]),
        ("_", ["_"]),
        ("__", ["__"]),
        ("$", ["$"]),
        ("$scope", ["scope"]),
        ("#private", ["private"]),
        ("inf", ["inf"]),
        ("nan", ["nan"]),
        ("x1e5", ["x", "1", "e", "5"]),
        ("naïveÉté", ["naïve", "été"]),
        ("ДомМой", ["дом", "мой"]),
        ("变量_名2", ["变量", "名", "2"]),
        ("x١٢", ["x", "١٢"]),
        ("हिन्दी", ["हिन्दी"]),
        ("ǅungla", ["ǆungla"]),
        ("", [""]),
    ],
)
def test_words_of_an_identifier(text, words):
    assert split_identifier(text) == words


@pytest.mark.parametrize("text", ["HTTPServer2", "naïveÉté_", "__", "a__B"])
def test_places_of_the_words_map_back_to_the_identifier(text):
    words, places = PIECES[text]
    shown = [text[begin:end].lower() for begin, end in zip(places[::2], places[1::2], strict=True)]
    assert shown == list(words)


def test_the_memory_of_identifiers_is_bounded():
    seen = _Pieces()
    for number in range(100_010):
        seen[f"x{number}"]
    assert len(seen) <= 100_001


def test_the_list_that_is_returned_is_the_callers_own():
    split_identifier("get_it").append("more")
    assert split_identifier("get_it") == ["get", "it"]
