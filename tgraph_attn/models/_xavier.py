"""How the parts of a model that come from torch begin."""

from torch.nn import Embedding, Linear, Module, MultiheadAttention
from torch.nn.init import xavier_uniform_, zeros_


def xavier(module: Module) -> None:
    """Draw each matrix of torch's layers in module anew, as Xavier does; their biases are zero.

    `torch.nn.TransformerDecoder` copies one layer, so that all would begin alike without this.
    """
    for part in module.modules():
        if isinstance(part, Linear | Embedding):
            xavier_uniform_(part.weight)
        if isinstance(part, MultiheadAttention):
            xavier_uniform_(part.in_proj_weight)
            zeros_(part.in_proj_bias)
        if isinstance(part, Linear) and part.bias is not None:
            zeros_(part.bias)
