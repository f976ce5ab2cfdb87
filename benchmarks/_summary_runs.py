"""What a row of the table of summaries trains, and what comes out."""

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import NearestNeighbors
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform, Compose

from tgraph_attn.datasets import CodeSummaries
from tgraph_attn.metrics import bleu, exact_match, meteor, rouge_l
from tgraph_attn.models import ASTTrans
from tgraph_attn.training import TrainingSettings, fit_summarizer, split_validation
from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges

SHAPE = ("form", "max_nodes", "min_count")  # what settings say about the data
PARTS = {"train": "valid", "test": "test"}  # the published training file is not to be had


class AddPlaceEdges(BaseTransform):
    """Let each node see each other one, by how far it stands before or after, up to a reach."""

    def __init__(self, reach: int) -> None:
        self.reach = reach

    def forward(self, data: Data) -> Data:
        """Return data with an edge for each pair of nodes."""
        place = torch.arange(data.num_nodes)
        query, key = torch.cartesian_prod(place, place).unbind(1)
        data.place_edge_index = torch.stack([key, query])
        data.place_edge_type = (key - query).clamp(-self.reach, self.reach) + self.reach
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(reach={self.reach})"


_TRANSFORMS: dict[str, Any] = {
    "ancestor": AddAncestorEdges,
    "sibling": AddSiblingEdges,
    "place": AddPlaceEdges,
}


@dataclasses.dataclass
class Outcome:
    """What a run gives: fractions, core seconds, and what it wrote about the test functions."""

    validation: float
    epoch: int | None
    parameters: int
    cpu_s: float
    curve: list[float] = dataclasses.field(default_factory=list)
    said: list[str] | None = None


Functions = Callable[..., CodeSummaries]  # of a split, in a shape
Run = Callable[[Functions, dict[str, Any], int, bool, Path], Outcome]


def load(data: str, split: str, **shape: Any) -> CodeSummaries:
    """Return the functions of a split; those of test that are in train are left out."""
    return CodeSummaries(data, "tl_codesum", split, parts=PARTS, deduplicate=True, **shape)


def measured(said: list[str], references: list[str]) -> dict[str, float | None]:
    """Return how good summaries are, as fractions; METEOR needs Java, and is None without."""
    try:
        of_meteor: float | None = meteor(said, references)
    except ImportError as error:
        print(error, flush=True)
        of_meteor = None
    return {
        "test_bleu": bleu(said, references, variant="sentence-add1"),
        "test_corpus_bleu": bleu(said, references, variant="corpus"),
        "test_rouge_l": rouge_l(said, references, beta=1.2),
        "test_meteor": of_meteor,
        "test_exact_match": exact_match(said, references),
    }


def run_nearest(
    functions: Functions, settings: dict[str, Any], seed: int, test: bool, checkpoint: Path
) -> Outcome:
    """Give each function the summary of the one most like it; nothing is trained."""
    start = time.process_time()
    shape = {name: settings[name] for name in SHAPE}
    train = functions("train", **shape)
    parts = split_validation(len(train), fraction=0.1, seed=seed)
    known, held = ([train[int(i)] for i in part] for part in parts)
    validation = bleu(_nearest(known, held), [f.target for f in held], variant="sentence-add1")
    said = _nearest(list(train), list(functions("test", **shape))) if test else None
    return Outcome(validation, None, 0, time.process_time() - start, said=said)


def _nearest(known: list[Data], asked: list[Data]) -> list[str]:
    tfidf = TfidfVectorizer(analyzer=lambda function: list(map(str, function.x.tolist())))
    index = NearestNeighbors(n_neighbors=1, metric="cosine").fit(tfidf.fit_transform(known))
    found = index.kneighbors(tfidf.transform(asked), return_distance=False)
    return [known[place].target for [place] in found.tolist()]


def run_model(
    functions: Functions, settings: dict[str, Any], seed: int, test: bool, checkpoint: Path
) -> Outcome:
    """Train a model that writes."""
    start = time.process_time()
    torch.manual_seed(seed)
    fields = {field.name for field in dataclasses.fields(TrainingSettings)}
    training = {name: value for name, value in settings.items() if name in fields}
    rest = {name: value for name, value in settings.items() if name not in fields}
    torch.set_float32_matmul_precision(rest.pop("matmul_precision"))
    shape = {name: rest.pop(name) for name in SHAPE}
    train = functions("train", **shape)
    vocabs = train.source_vocab, train.target_vocab
    model = ASTTrans(*vocabs, max_target=train.settings["max_target"], **rest)
    transform = Compose([_TRANSFORMS[name](reach) for name, (_, reach) in model.relations.items()])

    def seen(part: CodeSummaries) -> CodeSummaries:
        part = part.copy()
        part.transform = transform
        return part

    fitted, held = (
        seen(train[part]) for part in split_validation(len(train), fraction=0.1, seed=seed)
    )
    history = fit_summarizer(
        *(model, [*fitted], held, TrainingSettings(seed=seed, **training)), checkpoint=checkpoint
    )
    said = None
    if test:
        batches = DataLoader(seen(functions("test", **shape)), 4 * settings["batch_size"])
        said = [" ".join(words) for batch in batches for words in model.predict(batch)]
    return Outcome(
        history.validation_bleu[history.best_epoch - 1],
        history.best_epoch,
        sum(weight.numel() for weight in model.parameters()),
        time.process_time() - start,
        history.validation_bleu,
        said,
    )
