"""Edge attention in one pass over the edges; nothing of size E x C is ever built."""

from torch import Tensor

from tgraph_attn.ops._numba.attention_op import attend_op
from tgraph_attn.ops.reference import AttentionInputs


def fused_attention(inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` and the weights `[E, H]` of `edge_attention`."""
    tensors = (
        tensor.contiguous() if isinstance(tensor, Tensor) else tensor for tensor in inputs[:-1]
    )
    out, alpha, _ = attend_op(*tensors, inputs.scale)
    return out, alpha
