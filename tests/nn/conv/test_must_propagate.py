import pytest

from tgraph_attn.nn.conv import GATConv
from tgraph_attn.nn.conv._must_propagate import must_propagate

HOOKS = [
    f"register_{what}_forward_{when}"
    for what in ("propagate", "message", "aggregate", "message_and_aggregate")
    for when in ("pre_hook", "hook")
]


@pytest.mark.parametrize("register", HOOKS)
def test_a_hook_wants_messages_until_it_is_removed(register):
    conv = GATConv(4, 4)
    assert must_propagate(conv) is False
    handle = getattr(conv, register)(lambda *_: None)
    assert must_propagate(conv) is True
    handle.remove()
    assert must_propagate(conv) is False


def test_explaining_wants_messages():
    conv = GATConv(4, 4)
    conv.explain = True
    assert must_propagate(conv) is True
    conv.explain = False
    assert must_propagate(conv) is False
