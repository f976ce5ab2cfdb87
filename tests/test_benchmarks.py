import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def attention_ways(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    yield import_module("bench_attention_ways")
    for name in ("bench_attention_ways", "_timing"):
        sys.modules.pop(name, None)


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
