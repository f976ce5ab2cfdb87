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

DATA holds, or gets, raw/ with the published files of R8, R52 and Ohsumed. VECTORS is a file for
`load_vectors`.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import _text_rows
import _text_runs
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


def load(name: str, data: str, vectors: str, rows: list[str]) -> _text_runs.Corpus:
    """Return a corpus, with vectors of its words, and with edges if one of the rows wants them."""
    with_edges = any("encoder" not in _text_rows.ROWS[row][2] for row in rows)
    relations = _text_runs.RELATIONS if with_edges else ()
    train, test = (TextCorpus(data, name, split, relations=relations) for split in SPLITS)
    known = json.loads(SIZES.read_text("utf-8")) if SIZES.exists() else {}
    known[name] = [data.num_nodes for data in test]
    SIZES.write_text(json.dumps(known), encoding="utf-8")
    return _text_runs.Corpus(train, test, load_vectors(vectors, train.graph.vocab))


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
    return [
        {
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
    test = options.trial is None
    vectors = Path(options.vectors).name
    path = RESULTS / f"{FILES[0 if test else 1]}.jsonl"
    for name in options.corpora:
        corpus = None
        for row in options.rows:
            settings = changed(_text_rows.settings_of(row, name), options.trial)
            if settings.get("refit") and not test:
                raise SystemExit(f"--trial holds documents back, but {row} trains on all: drop it.")
            for seed in options.seeds:
                known = {line["key"] for line in read(path)}
                number = key(row, name, seed, settings, vectors)
                if number in known or (row == "svm" and test and seed != options.seeds[0]):
                    continue
                corpus = corpus or load(name, options.data, options.vectors, options.rows)
                print(f"{_text_rows.ROWS[row][0]} on {name}, seed {seed}", flush=True)
                for line in lines(row, corpus, settings, seed, test):
                    its_key = key(line["row"], name, seed, line["settings"], vectors)
                    if its_key in known:
                        continue
                    line = {"key": its_key, **line, "vectors": vectors, "machine": machine()}
                    print({k: line[k] for k in ("row", "validation_accuracy", "epoch", "cpu_s")})
                    write(path, line)


if __name__ == "__main__":
    main()
