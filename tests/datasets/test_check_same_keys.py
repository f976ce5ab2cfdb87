import pytest
import torch
from torch_geometric.data import Data

from tgraph_attn.datasets._check_same_keys import check_same_keys

WITHOUT, WITH = Data(x=torch.ones(1, 1)), Data(x=torch.ones(1, 1), y=torch.ones(1))


@pytest.mark.parametrize("items", [[WITHOUT, WITH], [WITH, WITHOUT], [WITH, WITH, WITHOUT]])
def test_items_with_other_keys_are_refused(items):
    has, lacks = (items.index(item) for item in (WITH, WITHOUT))
    with pytest.raises(ValueError, match=rf"Owner: .*item {has} has 'y' and item {lacks} lacks it"):
        check_same_keys("Owner", items)


def test_items_with_the_same_keys_pass():
    check_same_keys("Owner", [WITH, WITH])
