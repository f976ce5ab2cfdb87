"""Train the rows of the table of programs, and keep every run.

    python benchmarks/program_classification.py --data DATA --tasks structure --rows tree --seeds 0
    python benchmarks/program_classification.py ... --rows tree --trial lr=0.001 --trial epochs=4
    python benchmarks/program_classification.py --render

A run is one row, task, protocol and seed. Its line is added to results/program_classification.jsonl
when it ends, and a run with the same settings that is there is skipped. A run that was stopped goes
on from its last epoch, with the same bits. The validation programs choose the epoch; the test
programs are read once, at the end. With `--trial` they are not read at all, and lines go to
results/program_classification_trials.jsonl. `--render` writes the table to
docs/pages/results/program_classification.md.

DATA holds, or gets, raw/ with the published archive of POJ-104; a run keeps its last epoch there.
"""

import argparse
from pathlib import Path
from typing import Any

import _program_rows
import _program_runs
import torch
from _kept_rows import RESULTS, bits, changed, key, parser, read, write
from _program_runs import Splits
from _timing import forget_peak, machine, peak_mib

FILES = ("program_classification", "program_classification_trials")
TASKS = ("structure", "full")


def parse() -> argparse.Namespace:
    """Return the options."""
    made = parser(__doc__)
    made.add_argument("--rows", nargs="+", choices=list(_program_rows.ROWS))
    made.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    made.add_argument(
        "--protocol", choices=list(_program_rows.OF_PROTOCOL), default="classification"
    )
    return made.parse_args()


def numbers(
    row: str, splits: Splits, settings: dict[str, Any], seed: int, test: bool, checkpoint: Path
) -> dict[str, Any]:
    """Run a row and return its numbers."""
    forget_peak()
    outcome = _program_rows.ROWS[row][1](splits, settings, seed, test, checkpoint)
    found: dict[str, Any] = {
        "validation": outcome.validation_accuracy,
        "epoch": outcome.epoch,
        "parameters": outcome.parameters,
        "curve": [round(value, 4) for value in outcome.curve],
        "cpu_s": round(outcome.cpu_s, 1),
        "peak_mib": round(peak_mib()),
    }
    if outcome.correct is not None:
        found["test_accuracy"] = float(outcome.correct.mean())
        found["correct"] = bits(outcome.correct)
    if outcome.map_at_r is not None:
        found["test_map_at_r"] = outcome.map_at_r
    return found


def main() -> None:
    """Run what is missing, or render."""
    options = parse()
    if options.render:
        import _program_table

        _program_table.render(*(read(RESULTS / f"{name}.jsonl") for name in FILES))
        return
    if not options.data:
        raise SystemExit("--data must be given")
    torch.set_num_threads(options.threads)
    test = options.trial is None
    path = RESULTS / f"{FILES[0 if test else 1]}.jsonl"
    for task in options.tasks:
        splits = None
        for row in options.rows or _program_rows.OF_PROTOCOL[options.protocol]:
            title, _, settings = _program_rows.ROWS[row]
            settings = changed(settings, options.trial)
            for seed in options.seeds[: 1 if row in _program_rows.ONE_SEED else None]:
                told = {"row": row, "task": task, "protocol": options.protocol, "seed": seed}
                number = key(told, settings, test)
                if number in {kept["key"] for kept in read(path)}:
                    continue
                splits = splits or _program_runs.load(options.data, task, options.protocol)
                print(f"{title}, {task}, {options.protocol}, seed {seed}", flush=True)
                checkpoint = Path(options.data) / f"run-{number}.pt"
                found = numbers(row, splits, settings, seed, test, checkpoint)
                shown = ("validation", "epoch", "cpu_s")
                print({"row": row} | {name: found[name] for name in shown}, flush=True)
                made = {"settings": settings, "machine": machine()}
                write(path, {"key": number, **told, **found, **made})
                checkpoint.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
