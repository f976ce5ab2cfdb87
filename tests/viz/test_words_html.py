from html.parser import HTMLParser

import pytest

from tgraph_attn.viz import words_html


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.spans = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "span":
            self.spans.append([dict(attrs), ""])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "span":
            self.spans[-1][1] += data


def test_each_word_is_one_span_whatever_signs_it_has():
    words = [("oil", 0.6), ('<b> & "', 0.15), ("a'b", 0.0)]
    reader = Reader()
    reader.feed(words_html(words))
    assert not reader.open
    assert [text for _, text in reader.spans] == [word for word, _ in words]
    assert [attributes["title"] for attributes, _ in reader.spans] == ["0.6", "0.15", "0"]
    first, second, third = (attributes["style"] for attributes, _ in reader.spans)
    assert third.startswith("background:#ffffff") and len({first, second, third}) == 3


def test_no_words_are_refused():
    with pytest.raises(ValueError, match="words_html: words must be 1 to 100,000, but are 0"):
        words_html([])
