import pytest

from tgraph_attn.datasets._text.documents import Document


def test_documents_are_equal_by_content_and_cannot_be_changed():
    document = Document("a text", "a class")
    assert document == Document("a text", "a class", None, None)
    with pytest.raises(AttributeError):
        document.text = "another"
