import pytest

from tgraph_attn.metrics import subtoken_f1


def test_an_empty_hypothesis_finds_nothing_and_its_reference_counts_as_missed():
    # 4 found, of 4 predicted, and of 7
    assert subtoken_f1(["a b c d", ""], ["a b c d", "returns the value"]) == 2 * 4 / (4 + 7)


def test_order_within_a_name_does_not_matter():
    assert subtoken_f1(["name get"], ["get name"]) == 1.0


def test_a_repeated_subtoken_is_found_as_often_as_it_is_in_both():
    assert subtoken_f1(["get get get"], ["get"]) == 2 * 1 / (3 + 1)
    assert subtoken_f1(["get"], ["get get get"]) == 2 * 1 / (1 + 3)
    assert subtoken_f1(["get get"], ["get get"]) == 1.0


def test_counts_are_added_up_over_examples_before_the_ratio():
    hypotheses, references = ["a b c d", "x"], ["a b c d", "y"]
    each = [subtoken_f1([h], [r]) for h, r in zip(hypotheses, references, strict=True)]
    assert each == [1.0, 0.0]
    assert subtoken_f1(hypotheses, references) == 0.8  # 4 found of 5, and of 5


def test_it_is_the_harmonic_mean_of_precision_and_recall():
    precision, recall = 2 / 3, 2 / 4
    expected = 2 * precision * recall / (precision + recall)
    assert subtoken_f1(["a b z"], ["a b c d"]) == pytest.approx(expected)
