"""A pre-trained model that reads long programs in blocks."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import torch
from torch import Tensor
from torch.nn import Module
from torch_geometric.data import Batch, Data
from torch_geometric.utils import to_dense_batch

from tgraph_attn._checks import check_type
from tgraph_attn._optional import require
from tgraph_attn.models._evaluating import evaluating
from tgraph_attn.models._labels import classification_loss
from tgraph_attn.models._model_folder import load_folder, save_folder
from tgraph_attn.models._prediction import Prediction, prediction
from tgraph_attn.models.pretrained.block_pattern import BlockPattern
from tgraph_attn.models.pretrained.code_pieces import code_pieces
from tgraph_attn.models.pretrained.pair_counts import PairCounts
from tgraph_attn.models.pretrained.stretch_positions import count_places
from tgraph_attn.models.pretrained.use_block_attention import use_block_attention
from tgraph_attn.parse.parse_code import parse_code

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_COUNTS = "pair_counts.npz"
_PATTERN = BlockPattern()


class SASA(Module):
    """Read long programs with a pre-trained encoder, in blocks that their structure chooses.

    `read` makes a graph of a program: its pieces are the nodes, and the edges between blocks, which
    are called by their first nodes, say which blocks attend to which. Graphs go into PyG's
    `DataLoader`; the model is the encoder with its own head, and its own weights.

    Args:
        backbone: An encoder of transformers, with a head for classes or with none.
        tokenizer: Its tokenizer; it must tell where pieces begin.
        pattern: Which blocks attend to which.
        pair_counts: The counts of pairs of the tokenizer's vocabulary; needed if pattern asks for
            blocks by them.
        language: The programs' language, as `parse_code` knows it; needed if pattern asks for
            blocks by the tree.
        max_length: How many pieces of a program are read at most.

    Shapes:
        - **batch**: what `read` returns, or a batch of it: **x** `[N]` int64, the ids of pieces,
          **block_edge_index** `[2, E]` int64, and for `loss` **y** `[B]` int64
        - **output**: the logits `[B, K]`; without a head, a vector for each piece, `[N, F]`

    Raises:
        ValueError: The encoder does not take attention from outside, or has fewer places than
            max_length or fewer words than the tokenizer; pattern asks for what is not given; or
            the counts are of another vocabulary.
        ImportError: transformers is not installed.

    Examples:
        >>> from transformers import RobertaConfig, RobertaForSequenceClassification
        >>> from tgraph_attn.models import SASA
        >>> from tgraph_attn.models.pretrained import BlockPattern, train_tokenizer
        >>> tokenizer = train_tokenizer(["def f(a): return a"] * 9, 300)
        >>> config = RobertaConfig(vocab_size=300, hidden_size=8, num_hidden_layers=1,
        ...     num_attention_heads=2, intermediate_size=8, max_position_embeddings=66)
        >>> pattern = BlockPattern(block_size=8, pair_blocks=0)
        >>> model = SASA(RobertaForSequenceClassification(config), tokenizer, pattern=pattern,
        ...     language="python", max_length=64)
        >>> model(model.read("def f(a): return a")).shape
        torch.Size([1, 2])

    Source:
        SASA (Liu et al., SIGIR 2022), for any encoder; `docs/pages/sources.md` says where
        its released code does something else.
    """

    def __init__(
        self,
        backbone: "PreTrainedModel | Mapping[str, Any]",
        tokenizer: "PreTrainedTokenizerBase",
        *,
        pattern: BlockPattern | Mapping[str, Any] = _PATTERN,
        pair_counts: PairCounts | None = None,
        language: str | None = None,
        max_length: int = 1024,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        if isinstance(pattern, Mapping):
            pattern = BlockPattern(**pattern)
        check_type(owner, "pattern", pattern, BlockPattern, "Pass BlockPattern().")
        self.pattern, self.tokenizer, self.pair_counts = pattern, tokenizer, pair_counts
        self.language, self.max_length = language, max_length
        made = _drawn(owner, backbone) if isinstance(backbone, Mapping) else backbone
        self.backbone: Any = use_block_attention(made, pattern.block_size)
        self._check(owner)

    def _check(self, owner: str) -> None:
        config, size = self.backbone.config, len(self.tokenizer)
        if config.vocab_size < size:
            raise ValueError(
                f"{owner}: backbone must have a vector for each word of the tokenizer, {size:,}, "
                f"but has {config.vocab_size:,}. Pass the tokenizer that it learned with."
            )
        places = count_places(owner, self.backbone)
        if self.max_length > places:
            raise ValueError(
                f"{owner}: max_length must be at most {places}, for which the backbone has places, "
                f"but is {self.max_length}. Make more with stretch_positions(backbone, "
                f"{self.max_length})."
            )
        if self.pattern.pair_blocks:
            if self.pair_counts is None:
                raise ValueError(
                    f"{owner}: pair_counts must be given, since pattern.pair_blocks is "
                    f"{self.pattern.pair_blocks}, but are None. Make them with PairCounts.measure, "
                    "or pass BlockPattern(pair_blocks=0)."
                )
            self.pair_counts.check(self.tokenizer)
        if self.pattern.tree_blocks and self.language is None:
            raise ValueError(
                f"{owner}: language must be that of the programs, since pattern.tree_blocks is "
                f"{self.pattern.tree_blocks}, but is None. Pass language='python', or "
                "BlockPattern(tree_blocks=0)."
            )

    def read(self, source: str) -> Data:
        """Return the graph of a program.

        Shapes:
            - **x**: `[N]` int64, its pieces, cut to max_length
            - **block_edge_index**: `[2, E]` int64: the first node of the key block, row 0, and that
              of the query block
            - **num_faults**: how many errors its tree has; 0 where none is made
        """
        pieces = code_pieces(self.tokenizer, source, self.max_length)
        tree = None
        if self.pattern.tree_blocks and self.language is not None:
            tree = parse_code(source, self.language, subtokens="off", comments="keep")
        edges = self.pattern.edges(pieces, tree, self.pair_counts) * self.pattern.block_size
        faults = 0 if tree is None else tree.num_errors + tree.num_missing
        return Data(
            x=torch.from_numpy(pieces.token_id),
            block_edge_index=torch.from_numpy(edges),
            num_nodes=pieces.token_id.size,
            num_faults=faults,
        )

    def forward(self, batch: Data) -> Tensor:
        """Return the logits, `[B, K]`; without a head a vector for each piece, `[N, F]`."""
        said, mask = self._run(self.backbone, batch)
        logits: Tensor | None = getattr(said, "logits", None)
        return said.last_hidden_state[mask] if logits is None else logits

    def loss(self, batch: Data) -> Tensor:
        """Return the mean cross entropy of the programs' classes: a scalar, in nats."""
        return classification_loss(type(self).__name__, self(batch), batch, 0.0)

    @torch.no_grad()
    def embed(self, batch: Data) -> Tensor:
        """Return a vector of length 1 for each program, `[B, F]`: its first piece's, evaluating."""
        with evaluating(self):
            said, _ = self._run(self.backbone.base_model, batch)
        return torch.nn.functional.normalize(said.last_hidden_state[:, 0], dim=1)

    @torch.no_grad()
    def predict(self, programs: Data | str | Sequence[str]) -> list[Prediction]:
        """Return the likeliest class of each program, and the probability of each class.

        It runs in evaluation mode. Programs are a graph, a batch, a source, or several. The classes
        are those of `backbone.config.id2label`.
        """
        if isinstance(programs, str):
            programs = [programs]
        if not isinstance(programs, Data):
            programs = Batch.from_data_list([self.read(source) for source in programs])
        classes = [str(name) for _, name in sorted(self.backbone.config.id2label.items())]
        with evaluating(self):
            probability = self(programs).float().softmax(dim=1).cpu()
        return [prediction(row, classes) for row in probability]

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write config.json, weights.safetensors, the tokenizer and the counts to a folder.

        A model that is there already is replaced once all of this one is written.
        """

        def write(aside: Path) -> None:
            self.tokenizer.save_pretrained(aside)
            if self.pair_counts is not None:
                self.pair_counts.save(aside / _COUNTS)

        config = self.backbone.config
        arguments = {
            "backbone": {"class": type(self.backbone).__name__, "config": config.to_dict()},
            "pattern": asdict(self.pattern),
            "language": self.language,
            "max_length": self.max_length,
        }
        save_folder(self, folder, arguments, write)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Return what `save` wrote, on the CPU, to evaluate; warn if another version wrote it.

        Raises:
            FileNotFoundError: There is no such folder.
            ValueError: The folder holds something else, or files of more than one save.
            ImportError: transformers is not installed.
        """
        transformers = require(f"{cls.__name__}.load", "transformers")

        def read(source: Path) -> dict[str, Any]:
            counts = source / _COUNTS
            return {
                "tokenizer": transformers.AutoTokenizer.from_pretrained(source),
                "pair_counts": PairCounts.load(counts) if counts.exists() else None,
            }

        return load_folder(cls, folder, read)

    def _run(self, model: Any, batch: Data) -> tuple[Any, Tensor]:
        """Return what a model of transformers says, and which of its tokens are pieces."""
        x, edges, size = batch.x, batch.block_edge_index, self.pattern.block_size
        graph = batch.batch if isinstance(batch, Batch) else torch.zeros_like(x)
        ids, mask = to_dense_batch(x, graph, fill_value=self.tokenizer.pad_token_id)
        length = graph.bincount()
        first = length.cumsum(0) - length
        blocks = (edges - first[graph[edges]]) // size + graph[edges] * -(-ids.size(1) // size)
        return model(ids, attention_mask=mask.long(), block_index=blocks), mask


def _drawn(owner: str, told: Mapping[str, Any]) -> "PreTrainedModel":
    """Return a model of transformers of its config alone, with drawn weights."""
    transformers = require(owner, "transformers")
    settings = dict(told["config"])
    config = transformers.AutoConfig.for_model(settings.pop("model_type"), **settings)
    model: PreTrainedModel = getattr(transformers, told["class"])(config)
    return model
