import pytest

from tgraph_attn.convert import text_to_data
from tgraph_attn.convert.add_pieces import add_pieces
from tgraph_attn.vocab import Vocab

VOCAB = Vocab.build(["oil", "prices"], specials=["<document>"])


@pytest.fixture
def tokenizer():
    """Cuts words into letters, and puts [CLS] first and [SEP] last."""
    tokenizers = pytest.importorskip("tokenizers")
    letters = {letter: number for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
    made = tokenizers.Tokenizer(tokenizers.models.BPE({**letters, "[CLS]": 26, "[SEP]": 27}, []))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 27), ("[CLS]", 26))
    return made


def pieces(words, tokenizer):
    data = add_pieces(text_to_data(words, VOCAB), words, VOCAB, tokenizer)
    return data.piece.tolist(), data.piece_index.tolist()


def ids(letters):
    return [ord(letter) - ord("a") for letter in letters]


def test_pieces_of_a_word_are_its_nodes(tokenizer):
    # prices is node 0, oil node 1, the document node 2
    found, node = pieces(["prices", "oil"], tokenizer)
    assert found == [26, *ids("pricesoil"), 27]
    assert node == [2, *[0] * 6, *[1] * 3, 2]


def test_words_without_a_node_are_read_for_the_document(tokenizer):
    found, node = pieces(["of", "oil"], tokenizer)
    assert found == [26, *ids("ofoil"), 27] and node == [1, 1, 1, 0, 0, 0, 1]


def test_a_word_that_comes_twice_has_the_pieces_of_both(tokenizer):
    assert pieces(["oil", "oil"], tokenizer)[1] == [1, *[0] * 6, 1]


def test_an_empty_text_has_what_the_tokenizer_adds(tokenizer):
    assert pieces([], tokenizer) == ([26, 27], [0, 0])
