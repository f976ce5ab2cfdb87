import json
from functools import partial

import pytest
import torch

from tgraph_attn.datasets import CodeSummaries
from tgraph_attn.nn.conv import tree_attention_conv
from tgraph_attn.ops import edge_attention


@pytest.fixture
def attention_ways(bench):
    return bench("bench_attention_ways")


def test_the_ways_of_attention_are_timed_on_a_small_tree(attention_ways, monkeypatch, tmp_path):
    monkeypatch.setattr(attention_ways, "memory_of", lambda script, way, num_nodes: 0.0)
    file = tmp_path / "rows.json"
    argv = ["bench_attention_ways.py", "--sizes", "60", "--repeats", "1", "--json", str(file)]
    monkeypatch.setattr("sys.argv", argv)
    attention_ways.main()
    written = json.loads(file.read_text(encoding="utf-8"))
    assert [row["way"] for row in written["rows"]] == list(attention_ways.all_ways())
    assert all(row["min_ms"] > 0 and row["ancestor_edges"] > 60 for row in written["rows"])


def test_a_way_that_differs_is_not_timed(attention_ways):
    def wrong(**inputs):
        inputs["query_table"] = 2 * inputs["query_table"]
        return attention_ways.loop(**inputs)

    inputs = attention_ways.make_inputs(60)
    with pytest.raises(AssertionError, match="other differs by"):
        attention_ways.check({"loop": attention_ways.loop, "other": wrong}, inputs)


def test_the_peak_of_a_way_is_that_of_a_fresh_process(attention_ways):
    peak = attention_ways.memory_of(attention_ways.__file__, "fused", 2000)
    one_output = 2000 * 8 * attention_ways.C * 4 / 2**20
    assert one_output < peak < 100 * one_output


def test_the_share_of_attention_is_measured_on_some_functions(bench, monkeypatch, tmp_path):
    pytest.importorskip("torch_scatter")
    script = bench("bench_attention_share")
    lines = [
        json.dumps({"code": f"def f(x):\n    return {verb}(x)", "docstring": f"{verb} it"})
        for verb in ("add", "take", "move", "drop")
    ]
    (tmp_path / "train.jsonl").write_text("\n".join(lines), encoding="utf-8")

    def load(data, split, **shape):
        return CodeSummaries(data, tmp_path, split, language="python", log=False, **shape)

    small = partial(script.ASTTrans, channels=16, hidden=16, layers=1)
    monkeypatch.setattr(script._summary_runs, "load", load)
    monkeypatch.setattr(script, "ASTTrans", small)
    monkeypatch.setattr(script, "BATCH", 2)
    file = tmp_path / "rows.json"
    argv = ["bench_attention_share.py", "--data", str(tmp_path), "--json", str(file)]
    monkeypatch.setattr("sys.argv", argv)
    script.main()
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [row["way"] for row in rows] == ["fused", "gather"]
    assert all(row["functions"] == 4 and 0 < row["attention_s"] < row["epoch_s"] for row in rows)
    assert tree_attention_conv.edge_attention is edge_attention


def test_attention_that_is_watched_has_the_same_results(bench, same):
    pytest.importorskip("torch_scatter")
    script = bench("bench_attention_share")
    edge_index, edge_type = torch.tensor([[0, 1, 2, 2], [0, 0, 1, 2]]), torch.tensor([0, 1, 1, 2])
    nodes = [torch.randn(3, 2, 4, requires_grad=True) for _ in range(3)]
    tables = [torch.randn(3, 1, 4, requires_grad=True) for _ in range(3)]
    taken = dict.fromkeys(script.WAYS, 0.0)
    given = {"scale": 0.5, "return_weights": True}
    out, alpha = script.Watched.apply(taken, [edge_index, edge_type], given, *nodes, *tables)
    named = dict(zip(script.TABLES, tables, strict=True))
    expected, weights = edge_attention(*nodes, edge_index, edge_type, **named, **given)
    assert torch.equal(alpha, weights)
    same(out, expected, *nodes, *tables)
    assert all(seconds > 0 for seconds in taken.values())


def test_attention_in_blocks_is_timed_on_a_short_text(bench, monkeypatch, tmp_path):
    script = bench("bench_block_attention")
    monkeypatch.setattr(script, "memory_of", lambda script, way, num_tokens: 1.0)
    monkeypatch.setattr(script, "WORDS", 500)
    file = tmp_path / "rows.json"
    argv = ["bench_block_attention.py", "--sizes", "64", "--long", "96", "--repeats", "1"]
    monkeypatch.setattr("sys.argv", [*argv, "--json", str(file)])
    script.main()
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [row["what"] for row in rows] == ["pattern", *["time"] * 3, *["memory"] * 3]
    assert [row["tokens"] for row in rows[1:4]] == [64, 64, 96]
    assert all(row["min_ms"] > 0 for row in rows[:4])


@pytest.mark.parametrize("way", ["blocks", "sdpa", "eager"])
def test_a_step_of_training_has_a_peak(bench, monkeypatch, capsys, way):
    pytest.importorskip("transformers")
    script = bench("bench_block_attention")
    monkeypatch.setattr(script, "WORDS", 100)
    script.measure_memory(way, 64, num_hidden_layers=1, hidden_size=24, intermediate_size=24)
    assert json.loads(capsys.readouterr().out) > 10
