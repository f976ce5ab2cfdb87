"""Time attention between blocks against full attention, and its memory in a whole model.

    python benchmarks/bench_block_attention.py --json benchmarks/results/block_attention.json
    python benchmarks/bench_block_attention.py --render

One pass is the attention of one layer, forward and backward, float32, 12 heads of 64 channels, on
one text: in blocks of 32 along SASA's pattern (a window of 3, the first and the last block for all,
and 3 + 3 blocks drawn at random in the place of those of counts and of the tree), and full, by
torch's `scaled_dot_product_attention`. Both are checked against each other where all blocks see
each other, before any is timed.

Peak memory is that of one step of training (forward, backward, AdamW) of a model of CodeBERT's
size (12 layers of 768 channels, weights drawn) on two texts of 1,024 tokens, in a fresh process:
in blocks, with transformers' "eager" attention, and with "sdpa". The time to make a pattern is that
of a program of 1,024 tokens, whose tree and tokens are there, with counts of 50,265 words.
`--render` writes docs/pages/results/block_attention.md.
"""

import json
import re
import sysconfig
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from _kept_rows import RESULTS
from _timing import forget_peak, memory_of, parser, peak_mib, summary, times_ms, write
from numpy.typing import NDArray
from scipy.sparse import random_array
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from tgraph_attn.models.pretrained import number_blocks, stretch_positions, use_block_attention
from tgraph_attn.ops import block_attention
from tgraph_attn.parse import parse_code
from tgraph_attn.relations.blocks import (
    global_blocks,
    merge_blocks,
    pair_block_counts,
    top_blocks,
    tree_block_counts,
    window_blocks,
)

HEADS, C, B = 12, 64, 32
SIZES = [512, 1024, 2048, 4096, 8192]
LONG = [16_384]  # in blocks alone
WAYS = ("blocks", "sdpa", "eager")
TOKENS, WORDS = 1024, 50_265
MODEL = {"hidden_size": HEADS * C, "num_hidden_layers": 12, "intermediate_size": 4 * HEADS * C}


def pattern(num_blocks: int) -> NDArray[np.int64]:
    """Return SASA's pattern, with blocks drawn at random for those of counts."""
    draw = np.random.default_rng(0)
    drawn = [top_blocks(draw.random((num_blocks, num_blocks)), 3) for _ in range(2)]
    return merge_blocks(window_blocks(num_blocks, 3), global_blocks(num_blocks), *drawn)


def blocks(query: Tensor, key: Tensor, value: Tensor, block_index: Tensor) -> Tensor:
    """Attend between blocks."""
    return block_attention(query, key, value, block_index, block_size=B)


def full(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attend to all, `[N, H, C]`."""
    one = [tokens.transpose(0, 1).unsqueeze(0) for tokens in (query, key, value)]
    return scaled_dot_product_attention(*one).squeeze(0).transpose(0, 1)


def forward_backward(way: Callable[..., Tensor], nodes: list[Tensor]) -> list[Tensor]:
    """Return the output and the gradients."""
    out = way(*nodes)
    return [out.detach(), *torch.autograd.grad(out, nodes, nodes[0].detach())]


def check(nodes: list[Tensor]) -> None:
    """Stop unless both ways agree where all blocks see each other."""
    num_blocks = -(-len(nodes[0]) // B)
    every = torch.from_numpy(global_blocks(num_blocks, range(num_blocks)))
    got = forward_backward(partial(blocks, block_index=every), nodes)
    for one, want in zip(got, forward_backward(full, nodes), strict=True):
        error = float((one - want).abs().max() / want.abs().max())
        assert error < 1e-4, f"blocks differ by {error}"


def measure_memory(way: str, num_tokens: int, **model: Any) -> None:
    """Print the peak memory of one step of training, in MiB."""
    from transformers import RobertaConfig, RobertaModel

    config = RobertaConfig(vocab_size=WORDS, max_position_embeddings=514, **{**MODEL, **model})
    made = stretch_positions(RobertaModel(config), num_tokens)
    given = {}
    if way == "blocks":
        use_block_attention(made, B)
        edges = pattern(-(-num_tokens // B))
        given = {"block_index": number_blocks([edges, edges], num_tokens, B)}
    else:
        made.set_attn_implementation(way)
    optimizer = torch.optim.AdamW(made.parameters())
    ids = torch.randint(5, WORDS, (2, num_tokens))
    forget_peak()
    made(ids, **given).last_hidden_state.square().mean().backward()
    optimizer.step()
    print(json.dumps(peak_mib()))


def program() -> tuple[str, NDArray[np.int64]]:
    """Return a program and where its tokens begin: words and signs of argparse.py."""
    text = (Path(sysconfig.get_paths()["stdlib"]) / "argparse.py").read_text("utf-8")
    found = list(re.finditer(r"\w+|[^\w\s]", text))[:TOKENS]
    return text[: found[-1].end()], np.array([token.start() for token in found])


def time_pattern(repeats: int) -> dict[str, Any]:
    """Return how long the pattern of a program takes."""
    text, start = program()
    tree = parse_code(text, "python", subtokens="off")
    draw = np.random.default_rng(0)
    ids = draw.zipf(1.3, start.size) % WORDS
    count = random_array((WORDS, WORDS), density=2e-4, rng=draw).tocsr()

    def made() -> NDArray[np.int64]:
        num_blocks = -(-start.size // B)
        return merge_blocks(
            window_blocks(num_blocks, 3),
            global_blocks(num_blocks),
            top_blocks(pair_block_counts(ids, count, B), 3),
            top_blocks(tree_block_counts(tree, start, B), 3),
        )

    taken = times_ms({"pattern": made}, 10 * repeats)["pattern"]
    return {"what": "pattern", "tokens": start.size, "pairs": made().shape[1], **summary(taken)}


def main() -> None:
    """Check, then time, both ways on each length; then the memory, then the pattern."""
    arguments = parser(__doc__)
    arguments.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="tokens of a text")
    arguments.add_argument("--long", type=int, nargs="*", default=LONG, help="in blocks alone")
    arguments.add_argument("--memory-of", help="print the peak memory of one way and stop")
    arguments.add_argument("--nodes", type=int, help="the tokens of --memory-of")
    arguments.add_argument("--render", action="store_true", help="only write the page")
    args = arguments.parse_args()
    torch.set_num_threads(args.threads)
    if args.render:
        import _block_page

        _block_page.render(json.loads((RESULTS / "block_attention.json").read_text("utf-8")))
        return
    if args.memory_of:
        measure_memory(args.memory_of, args.nodes)
        return
    rows: list[dict[str, Any]] = [time_pattern(args.repeats)]
    print("pattern {median_ms:.2f} ms".format(**rows[0]))
    for size in [*args.sizes, *args.long]:
        torch.manual_seed(0)
        nodes = [torch.randn(size, HEADS, C, requires_grad=True) for _ in range(3)]
        edges = torch.from_numpy(pattern(-(-size // B)))
        ways: dict[str, Callable[..., Tensor]] = {"blocks": partial(blocks, block_index=edges)}
        if size in args.sizes:
            check(nodes)
            ways["sdpa"] = full
        calls = {name: partial(forward_backward, way, nodes) for name, way in ways.items()}
        for name, taken in times_ms(calls, args.repeats).items():
            row = {"what": "time", "way": name, "tokens": size, "pairs": edges.size(1)}
            rows.append({**row, **summary(taken)})
            print(f"{name:>8} {size:>6,} tokens {rows[-1]['median_ms']:>10.2f} ms")
    for way in WAYS:
        peak = round(memory_of(__file__, way, TOKENS))
        rows.append({"what": "memory", "way": way, "tokens": TOKENS, "peak_mib": peak})
        print(f"{way:>8} {peak:,} MiB")
    write(rows, args.json, packages=["transformers", "scipy"])


if __name__ == "__main__":
    main()
