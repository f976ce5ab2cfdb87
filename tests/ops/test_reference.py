import math

import torch

from tgraph_attn.ops import edge_attention


def test_the_reference_is_the_formula(close, attention_case):
    case = attention_case(4, 5, 15)
    out, weights = edge_attention(**case, backend="reference", return_weights=True)
    scale, expected = 1 / math.sqrt(3 * 5), torch.zeros(4, 3, 4, dtype=torch.float64)
    for i in range(4):
        for h in range(3):
            edges = [e for e in range(15) if case["edge_index"][1, e] == i]
            scores = []
            for e in edges:
                j, r = int(case["edge_index"][0, e]), int(case["edge_type"][e])
                q, k = case["query"][i, h], case["key"][j, h]
                products = q @ k + q @ case["key_table"][r, 0] + case["query_table"][r, h] @ k
                scores.append(scale * products + case["bias_table"][r, h] + case["edge_bias"][e, h])
            alpha = torch.softmax(torch.tensor(scores, dtype=torch.float64), 0)
            for a, e in zip(alpha, edges, strict=True):
                j, r = int(case["edge_index"][0, e]), int(case["edge_type"][e])
                expected[i, h] += a * (case["value"][j, h] + case["value_table"][r, 0])
                close(weights[e, h], a)
    close(out, expected)
