import hashlib

import pytest

from tgraph_attn.datasets._text.published import PUBLISHED

PINNED = {
    f"{name}/{file.name}": file for name, published in PUBLISHED.items() for file in published.files
}


@pytest.mark.parametrize("name", PINNED)
def test_pins_are_those_of_the_files_at_hand(data_folder, name):
    file = PINNED[name]
    content = (data_folder / "text_gcn" / "data" / file.address.split("/data/")[1]).read_bytes()
    assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256)
