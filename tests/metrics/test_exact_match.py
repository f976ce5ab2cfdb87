from tgraph_attn.metrics import exact_match


def test_an_empty_hypothesis_scores_zero_and_stays_in_the_mean():
    assert exact_match(["a b c d", ""], ["a b c d", "returns the value"]) == 0.5


def test_order_and_repetition_of_tokens_count():
    assert exact_match(["b a", "a a", "a", "a"], ["a b", "a", "a a", "a"]) == 0.25
