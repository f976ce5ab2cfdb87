import hashlib

import pytest

from tgraph_attn.datasets._text.published import ORIGIN, PUBLISHED


@pytest.mark.parametrize("name", PUBLISHED)
def test_pins_are_those_of_the_files_at_hand(data_folder, name):
    for file in PUBLISHED[name].files:
        content = (data_folder / "text_gcn" / "data" / file.address).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256)


def test_origin_is_one_commit():
    assert "/962223652e9bb164ac2d83cd09fc7b8845ce860b/" in ORIGIN
