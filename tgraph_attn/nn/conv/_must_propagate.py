"""When a layer has to send its messages one by one."""

from torch_geometric.nn import MessagePassing


def must_propagate(conv: MessagePassing) -> bool:
    """Whether PyG wants to see, or to change, the messages of this layer.

    So it is while PyG explains, and while a hook on propagating, on messages or on their
    aggregation is registered. Then the layer calls `propagate`; otherwise it runs on one fused op,
    in which there is no message to show.
    """
    return bool(
        conv.explain
        or conv._propagate_forward_pre_hooks
        or conv._propagate_forward_hooks
        or conv._message_forward_pre_hooks
        or conv._message_forward_hooks
        or conv._aggregate_forward_pre_hooks
        or conv._aggregate_forward_hooks
        or conv._message_and_aggregate_forward_pre_hooks
        or conv._message_and_aggregate_forward_hooks
    )
