"""Train the rows of the text classification table, and keep every run.

    python benchmarks/text_classification.py --data DATA --vectors VECTORS --rows gcn sa --seeds 0 1
    python benchmarks/text_classification.py ... --rows sa --trial dropout=0.3 --trial heads=2
    python benchmarks/text_classification.py --render

A run is one row, corpus and seed. Its line is added to results/text_classification.jsonl when it
ends, and a run with the same settings and vectors that is there is skipped: stop and start again at
any time.
A tenth of the training documents, drawn by the seed, chooses the epoch; the test documents are read
once, at the end. With `--trial` a fifth is held back, the test documents are not read at all, and
lines go to results/text_classification_trials.jsonl. `--render` writes the table to
docs/pages/results/text_classification.md, of the vectors that most runs have.

DATA holds, or gets, raw/ with the published files of R8, R52 and Ohsumed, and the log-probabilities
of each run, in said/ or said_trials/, which rows called "mean" average. VECTORS is a file for
`load_vectors`.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import _text_rows
import _text_runs
import numpy as np
import torch
from _kept_rows import RESULTS, bits, changed, key, parser, read, write
from _timing import forget_peak, machine, peak_mib

from tgraph_attn.datasets import TextCorpus, load_vectors

SIZES = RESULTS / "text_classification_sizes.json"
FILES = ("text_classification", "text_classification_trials")
CORPORA = ("R8", "R52", "Ohsumed")
SPLITS = ("train", "test")


def parse() -> argparse.Namespace:
    """Return the options."""
    made = parser(__doc__)
    made.add_argument("--vectors", help="a file of word vectors")
    made.add_argument("--rows", nargs="+", default=list(_text_rows.ROWS))
    made.add_argument("--corpora", nargs="+", default=list(CORPORA))
    made.set_defaults(seeds=list(range(5)))
    return made.parse_args()


def load(name: str, options: argparse.Namespace) -> _text_runs.Corpus:
    """Return a corpus, with vectors of its words, and with edges if one of the rows wants them."""
    relations = ()
    if any(_text_rows.wants_edges(row) for row in options.rows):
        relations = _text_runs.RELATIONS
    train, test = (TextCorpus(options.data, name, split, relations=relations) for split in SPLITS)
    known = json.loads(SIZES.read_text("utf-8")) if SIZES.exists() else {}
    known[name] = [data.num_nodes for data in test]
    SIZES.write_text(json.dumps(known), encoding="utf-8")
    return _text_runs.Corpus(train, test, load_vectors(options.vectors, train.graph.vocab))


def numbers(outcome: _text_runs.Outcome) -> dict[str, Any]:
    """Return the numbers of a run, as JSON takes them."""
    row: dict[str, Any] = {
        "validation_accuracy": outcome.validation_accuracy,
        "epoch": outcome.epoch,
        "parameters": outcome.parameters,
        "curve": [round(value, 4) for value in outcome.curve],
    }
    if outcome.correct is not None:
        row["test_accuracy"] = float(outcome.correct.mean())
        row["correct"] = bits(outcome.correct)
    return row


def lines(
    row: str, corpus: _text_runs.Corpus, settings: dict[str, Any], seed: int, test: bool
) -> list[dict[str, Any]]:
    """Run a row; return its line, and those of the rows that it gives besides."""
    shared = _text_runs.prepare(corpus, settings, test)  # what seeds share counts for each of them
    forget_peak()
    outcomes = _text_rows.ROWS[row][1](corpus, settings, seed, 0.1 if test else 0.2, test)
    settings = {name: value for name, value in settings.items() if name != "parts"}
    return [
        {
            "said": outcome.said,
            "row": _text_rows.given(row, dropped),
            "corpus": corpus.train.settings["name"],
            "seed": seed,
            **numbers(outcome),
            "cpu_s": round(shared + outcome.cpu_s, 1),
            "peak_mib": round(peak_mib()),
            "settings": {name: settings[name] for name in settings if name not in dropped},
        }
        for dropped, outcome in outcomes.items()
    ]


class Kept:
    """The runs of one kind, of test or of trials: lines, and beside DATA what each said."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.test = options.trial is None
        self.path = RESULTS / f"{FILES[0 if self.test else 1]}.jsonl"
        self.vectors = Path(options.vectors).name
        # Apart, as a trial that changes nothing has the settings, and so the key, of a row.
        self.said = Path(options.data) / ("said" if self.test else "said_trials")
        self.said.mkdir(parents=True, exist_ok=True)
        self.corpora: dict[str, _text_runs.Corpus] = {}

    def make(self, row: str, name: str, seed: int, again: bool = False) -> str:
        """Run a row unless its line is there, or, with again, what it said; return its key."""
        settings = self._settings(row, name)
        if settings.get("refit") and not self.test:
            raise SystemExit(f"--trial holds documents back, but {row} trains on all: drop it.")
        number = key(row, name, seed, settings, self.vectors)
        if self._has(number) and not (again and not self._place(number).exists()):
            return number
        if "members" in settings:
            members = [self.make(member, name, seed, again=True) for member in settings["members"]]
            by_key = {line["key"]: line for line in read(self.path)}
            parts = [(by_key[member], np.load(self._place(member))) for member in members]
            settings = {**settings, "parts": parts}
        if name not in self.corpora:
            self.corpora[name] = load(name, self.options)
        print(f"{_text_rows.ROWS[row][0]} on {name}, seed {seed}", flush=True)
        for line in lines(row, self.corpora[name], settings, seed, self.test):
            its_key = key(line["row"], name, seed, line["settings"], self.vectors)
            said = line.pop("said")
            if said is not None:
                np.save(self._place(its_key), said.astype(np.float16))
            if self._has(its_key):  # also if another process made it in the meantime
                continue
            line = {"key": its_key, **line, "vectors": self.vectors, "machine": machine()}
            print(
                {k: line[k] for k in ("row", "validation_accuracy", "epoch", "cpu_s")}, flush=True
            )
            write(self.path, line)
        return number

    def _settings(self, row: str, name: str) -> dict[str, Any]:
        """Return the settings of a row, of this trial; of one with members, those of each."""
        settings = _text_rows.settings_of(row, name)
        if "members" in settings:
            return {"members": {one: self._settings(one, name) for one in settings["members"]}}
        return changed(settings, self.options.trial)

    def _has(self, number: str) -> bool:
        return any(line["key"] == number for line in read(self.path))

    def _place(self, number: str) -> Path:
        return self.said / f"{number}.npy"


def main() -> None:
    """Run what is missing, or render."""
    options = parse()
    if options.render:
        import _text_table  # which needs matplotlib

        _text_table.render(*(read(RESULTS / f"{name}.jsonl") for name in FILES))
        return
    unknown = sorted({*options.rows} - {*_text_rows.ROWS} | {*options.corpora} - {*CORPORA})
    if unknown or not options.data or not options.vectors:
        raise SystemExit(
            f"--data and --vectors must be given, --rows be of {list(_text_rows.ROWS)} and "
            f"--corpora of {list(CORPORA)}" + (f", but there is {unknown}." if unknown else ".")
        )
    torch.set_num_threads(options.threads)
    kept = Kept(options)
    for name in options.corpora:
        for row in options.rows:
            for seed in options.seeds[: 1 if row in _text_rows.ONE_SEED and kept.test else None]:
                kept.make(row, name, seed)
        kept.corpora.clear()


if __name__ == "__main__":
    main()
