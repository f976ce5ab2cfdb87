from tgraph_attn.datasets._text.stop_words import stop_words
from tgraph_attn.parse import clean_text


def test_there_are_179_in_small_letters():
    words = stop_words()
    assert len(words) == 179 and all(word == word.lower() for word in words)
    assert words >= {"i", "the", "wouldn't", "mightn", "shan't", "ve"}
    assert not words & {"us", "could", "may", "n't", "'s", "(", "would", "also"}


def test_cleaning_parts_the_ones_with_an_apostrophe_so_that_they_are_never_found():
    assert [clean_text(word) for word in ("you've", "isn't")] == [["you", "'ve"], ["is", "n't"]]
