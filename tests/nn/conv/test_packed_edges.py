import torch

from tgraph_attn.nn.conv._packed_edges import pack_edges, typed_edges, unpack_edges


def test_unpacking_gives_back_what_was_packed(forest):
    num_types = {"ancestor": 5, "sibling": 5}
    edges = typed_edges("test", forest().edges, num_types)
    edge_index, edge_type = pack_edges(edges, num_types)
    assert edge_type.max() >= 5
    again, places = unpack_edges(edge_index, edge_type, num_types)
    for name in num_types:
        assert all(torch.equal(a, b) for a, b in zip(again[name], edges[name], strict=True))
        assert torch.equal(edge_index[:, places[name]], edges[name][0])
