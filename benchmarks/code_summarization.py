"""Train the rows of the table of summaries, and keep every run.

    python benchmarks/code_summarization.py --data DATA --rows ast_trans code --seeds 0 1 2
    python benchmarks/code_summarization.py ... --rows ast_trans --trial lr=0.002 --trial epochs=10
    python benchmarks/code_summarization.py --render

A run is one row and seed. Its line is added to results/code_summarization.jsonl when it ends, and a
run with the same settings that is there is skipped. A run that was stopped goes on from its last
epoch, with the same bits. A tenth of the training functions, drawn by the seed, chooses the epoch;
the test functions are read once, at the end. With `--trial` they are not read at all, and lines go
to results/code_summarization_trials.jsonl. `--render` writes the table to
docs/pages/results/code_summarization.md.

DATA holds raw/ with the published files of TL-CodeSum; a run keeps its last epoch there, and what
it wrote in said/.
"""

import argparse
import functools
from pathlib import Path
from typing import Any

import _summary_rows
import _summary_runs
import torch
from _kept_rows import RESULTS, changed, key, parser, read, write
from _timing import forget_peak, machine, peak_mib

FILES = ("code_summarization", "code_summarization_trials")


def parse() -> argparse.Namespace:
    """Return the options."""
    made = parser(__doc__)
    rows = list(_summary_rows.ROWS)
    made.add_argument("--rows", nargs="+", choices=rows, default=rows)
    return made.parse_args()


def numbers(outcome: _summary_runs.Outcome, references: list[str]) -> dict[str, Any]:
    """Return the numbers of a run, as JSON takes them."""
    found: dict[str, Any] = {
        "validation": outcome.validation,
        "epoch": outcome.epoch,
        "parameters": outcome.parameters,
        "curve": [round(value, 4) for value in outcome.curve],
        "cpu_s": round(outcome.cpu_s, 1),
        "peak_mib": round(peak_mib()),
    }
    if outcome.said is not None:
        found |= _summary_runs.measured(outcome.said, references)
    return found


def main() -> None:
    """Run what is missing, or render."""
    options = parse()
    if options.render:
        import _summary_table

        _summary_table.render(*(read(RESULTS / f"{name}.jsonl") for name in FILES))
        return
    if not options.data:
        raise SystemExit("--data must be given")
    torch.set_num_threads(options.threads)
    test = options.trial is None
    path = RESULTS / f"{FILES[0 if test else 1]}.jsonl"
    folder = Path(options.data)
    (folder / "said").mkdir(parents=True, exist_ok=True)
    load = functools.cache(functools.partial(_summary_runs.load, options.data))
    for row in options.rows:
        title, run, settings = _summary_rows.ROWS[row]
        settings = changed(settings, options.trial)
        for seed in options.seeds[: 1 if row in _summary_rows.ONE_SEED else None]:
            told = {"row": row, "seed": seed}
            number = key(told, settings, test)
            if number in {kept["key"] for kept in read(path)}:
                continue
            print(f"{title}, seed {seed}", flush=True)
            forget_peak()
            checkpoint = folder / f"run-{number}.pt"
            outcome = run(load, settings, seed, test, checkpoint)
            references = []
            if outcome.said is not None:
                text = "\n".join(outcome.said) + "\n"
                (folder / "said" / f"{number}.txt").write_text(text, encoding="utf-8")
                shape = {name: settings[name] for name in _summary_runs.SHAPE}
                references = [function.target for function in load("test", **shape)]
            found = numbers(outcome, references)
            print({"row": row} | {name: found[name] for name in ("validation", "epoch", "cpu_s")})
            write(
                path, {"key": number, **told, **found, "settings": settings, "machine": machine()}
            )
            checkpoint.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
