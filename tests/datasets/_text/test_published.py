from tgraph_attn.datasets._text.published import PUBLISHED


def test_all_files_are_of_one_commit():
    addresses = [file.address for published in PUBLISHED.values() for file in published.files]
    assert len(addresses) == 6
    assert all("/962223652e9bb164ac2d83cd09fc7b8845ce860b/data/" in a for a in addresses)
