import dataclasses
import json

from tgraph_attn.training import History


def test_a_new_history_is_empty_and_shares_nothing_with_another():
    first, second = History(), History()
    first.train_loss.append(1.0)
    assert second == History() and second.train_loss == []
    assert second.best_epoch == 0 and second.seconds == 0.0


def test_it_is_plain_json():
    history = History([1.0, 0.5], [1.1, 0.9], [0.5, 1.0], best_epoch=2, seconds=0.25)
    assert History(**json.loads(json.dumps(dataclasses.asdict(history)))) == history
