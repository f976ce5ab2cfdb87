import pickle

from tgraph_attn.datasets._pairs.pair import Pair


def test_a_pair_can_be_unpacked_and_pickled():
    pair = Pair("def f(): pass", "Nothing.", "a.py:1")
    source, comment, origin = pickle.loads(pickle.dumps(pair))
    assert (source, comment, origin) == (pair.source, pair.comment, pair.origin)
