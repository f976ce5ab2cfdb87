"""What layers of trees share, and a recurrent net along them; the layers are in `nn.conv`."""

from tgraph_attn.nn.relation_tables import RelationTables
from tgraph_attn.nn.tree_lstm import TreeLSTM

__all__ = ["RelationTables", "TreeLSTM"]
