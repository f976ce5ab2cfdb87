import pytest

from tgraph_attn.datasets._functions.first_sentence import first_sentence


@pytest.mark.parametrize(
    ("docstring", "sentence"),
    [
        ("Sets x.", "sets x"),
        ("\n    Return the\n      Name.  More of it.\n    ", "return the name"),
        ("Return it\n\n    More of it.", "return it"),
        ("Use e.g. this one. Not that.", "use e g this one"),
        ("Is it open? Yes.", "is it open"),
        ("Don't call get_item(2) here", "don't call get item 2 here"),
        ("Zählt Wörter.", "zählt wörter"),
        ("", ""),
        (".", ""),
        ("  \n\n ***\n", ""),
        ("___", ""),
    ],
)
def test_words_of_the_first_sentence(docstring, sentence):
    assert first_sentence(docstring) == sentence.split()
