import numpy as np
import pytest

from tgraph_attn.metrics import map_at_r


def by_definition(vectors, classes):
    scores = []
    for i, c in enumerate(classes):
        others = [j for j in range(len(classes)) if j != i]
        r = sum(classes[j] == c for j in others)
        if r:
            others.sort(key=lambda j: (-float(vectors[i] @ vectors[j]), j))
            hits = [classes[j] == c for j in others[:r]]
            scores.append(sum(sum(hits[: k + 1]) / (k + 1) * hits[k] for k in range(r)) / r)
    return sum(scores) / len(scores)


@pytest.mark.parametrize("size", [2, 30, 700])
def test_it_equals_the_definition(size):
    draw = np.random.default_rng(0)
    classes = draw.integers(0, max(size // 8, 1), size)
    vectors = draw.normal(size=(size, 4)) + classes[:, None]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert map_at_r(vectors, classes) == pytest.approx(by_definition(vectors, classes))


def test_by_hand():
    # item 0 asks for 1 and 2: its nearest are 3 (no), 1 (hit, 1 of 2); 1 of 2 relevant at rank 2
    similar = np.array([[9, 2, 1, 3], [2, 9, 1, 0], [1, 1, 9, 0], [3, 0, 0, 9]], float)
    vectors = np.linalg.cholesky(similar + 9 * np.eye(4))
    scores = [(1 / 2) / 2, (1 + 1) / 2, (1 + 1) / 2]  # item 3 is alone in its class
    assert map_at_r(vectors, [0, 0, 0, 1]) == pytest.approx(sum(scores) / 3)


def test_perfect_and_hopeless_neighbours():
    assert map_at_r(np.eye(2)[[0, 0, 1, 1]], [0, 0, 1, 1]) == 1.0
    assert map_at_r(np.eye(2)[[0, 1, 0, 1]], [0, 0, 1, 1]) == 0.0


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"map_at_r: classes must .*\[3\]"):
        map_at_r(np.eye(3), [0, 0])
    with pytest.raises(ValueError, match=r"embeddings must be \[M, F\] finite"):
        map_at_r([[np.nan, 0.0], [1.0, 0.0]], [0, 0])
    with pytest.raises(ValueError, match=r"each of the 2 items is alone"):
        map_at_r(np.eye(2), [0, 1])
    with pytest.raises(TypeError, match=r"map_at_r: classes"):
        map_at_r(np.eye(2), ["a", "a"])
