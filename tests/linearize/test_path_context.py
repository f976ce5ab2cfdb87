import pickle

from tgraph_attn.linearize import PathContext


def test_a_context_is_a_plain_tuple_with_names():
    context = PathContext(("a",), ("name", "sum", "name"), ("b", "c"), 1)
    assert context == (("a",), ("name", "sum", "name"), ("b", "c"), 1)
    assert context.path[context.top] == "sum"
    assert pickle.loads(pickle.dumps(context)) == context
