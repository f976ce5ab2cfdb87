from tgraph_attn.datasets._programs.program import Program, in_order


def test_names_that_are_numbers_come_by_these():
    names = ["10", "9", "b", "a"]
    found = in_order([Program(c, n, b"") for c in ("2", "1") for n in names])
    assert [p.origin for p in found[:4]] == ["1/a", "1/b", "1/9", "1/10"]
    assert {p.label for p in found[4:]} == {"2"}
