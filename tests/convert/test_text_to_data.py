import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.convert import text_to_data
from tgraph_attn.parse import from_heads
from tgraph_attn.vocab import Vocab

VOCAB = Vocab(["<pad>", "<unk>", "<document>", "oil", "price", "rises"])


def columns(data):
    data.validate()
    return {key: data[key].tolist() for key in data.keys() if key != "num_nodes"}


def test_one_node_for_each_different_word_in_order_and_last_the_document():
    data = text_to_data("price of oil and oil price rises".split(), VOCAB)
    assert columns(data) == {
        "x": [4, 3, 5, 2],
        "token_index": [0, 1, 1, 0, 2],
        "document_index": [3],
    }
    assert data.num_nodes == 4
    assert {data[key].dtype for key in columns(data)} == {torch.int64}


def test_one_node_for_each_token():
    data = text_to_data("oil of oil price".split(), VOCAB, nodes="tokens")
    assert columns(data) == {
        "x": [3, 3, 4, 2],
        "token_index": [0, 1, 2],
        "document_index": [3],
    }


@pytest.mark.parametrize("nodes", ["words", "tokens"])
@pytest.mark.parametrize("words", [[], ["of"], ["<document>", "<unk>", "<pad>"]])
def test_text_without_known_words_is_a_lone_document_node(words, nodes):
    data = text_to_data(words, VOCAB, nodes=nodes, heads=list(range(len(words))))
    assert columns(data) == {"x": [2], "token_index": [], "document_index": [0], "head_index": []}
    assert data.num_nodes == 1 and data.token_index.dtype == data.head_index.dtype == torch.int64


def test_batching_shifts_tokens_heads_and_documents():
    texts = (["oil", "price", "oil"], [], ["rises", "oil"])
    heads = ([1, 1, 1], [], [0, 0])
    made = [text_to_data(text, VOCAB, heads=head) for text, head in zip(texts, heads, strict=True)]
    batch = Batch.from_data_list(made)
    assert batch.x.tolist() == [3, 4, 2, 2, 5, 3, 2]
    assert batch.token_index.tolist() == [0, 1, 0, 4, 5]
    assert batch.head_index.tolist() == [1, 1, 1, 4, 4]
    assert batch.document_index.tolist() == [2, 3, 6]
    assert [columns(data) for data in batch.to_data_list()] == [columns(data) for data in made]


def test_heads_are_the_nodes_of_the_words():
    data = text_to_data(["oil", "price", "rises", "price"], VOCAB, heads=[1, 2, 2, 2])
    assert data.head_index.tolist() == [1, 2, 2, 2]


def test_words_under_dropped_ones_hang_under_the_nearest_word_that_is_kept():
    # rises <- b <- a <- oil, and c, the root that is dropped, <- rises and price
    words, heads = ["oil", "a", "b", "rises", "c", "price"], [1, 2, 3, 4, 4, 4]
    data = text_to_data(words, VOCAB, heads=heads)
    assert data.x.tolist() == [3, 5, 4, 2]
    assert data.head_index.tolist() == [1, 1, 2]


def test_a_long_chain_of_dropped_words_is_no_trouble():
    length = 20_000
    words = ["oil", *["of"] * length, "price"]
    heads = [*range(1, length + 2), length + 1]
    assert text_to_data(words, VOCAB, heads=heads).head_index.tolist() == [1, 1]


@pytest.mark.parametrize("nodes", ["words", "tokens"])
def test_heads_of_known_words_are_those_of_the_tree(nodes):
    words, heads = ["oil", "price", "rises", "oil"], [2, 0, 2, 1]
    data = text_to_data(words, VOCAB, nodes=nodes, heads=heads)
    tree = from_heads(heads, words, virtual_root=False)
    for row in range(1, 4):
        token, head = tree.source[row], tree.source[tree.parent[row]]
        assert data.head_index[token] == data.token_index[head]


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        (
            [0],
            r"^text_to_data: heads must have one head for each of the 2 words, but has shape \[1",
        ),
        ([0, 2], r"^from_heads: a head must be a word of the sentence, in \[0, 2\)"),
        ([1, 0], r"^from_heads: heads must lead to a root"),
    ],
)
def test_heads_that_are_none_are_refused(heads, message):
    with pytest.raises(ValueError, match=message):
        text_to_data(["oil", "of"], VOCAB, heads=heads)


@pytest.mark.parametrize("tokens", [["<pad>", "<unk>", "oil"], ["<pad>", "<unk>"]])
def test_vocabulary_without_a_document_is_refused(tokens):
    with pytest.raises(
        ValueError, match=r"vocab must have '<document>' as id 2, but has \[.*\] the"
    ):
        text_to_data(["oil"], Vocab(tokens))


def test_one_str_and_another_vocabulary_or_kind_of_nodes_are_refused():
    with pytest.raises(
        TypeError, match=r"^text_to_data: words must be a list of words, but got one"
    ):
        text_to_data("oil price", VOCAB)
    with pytest.raises(TypeError, match=r"^text_to_data: vocab must be a Vocab, but got dict"):
        text_to_data(["oil"], {})
    with pytest.raises(
        ValueError, match=r"nodes must be one of \['tokens', 'words'\], but got 'w'"
    ):
        text_to_data(["oil"], VOCAB, nodes="w")
