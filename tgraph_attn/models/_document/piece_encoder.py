"""A pre-trained model's vectors of the nodes of documents."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self

import torch
from torch import Tensor
from torch.nn import Module
from torch_geometric.data import Batch, Data
from torch_geometric.utils import to_dense_batch
from tqdm import tqdm

from tgraph_attn._optional import require
from tgraph_attn.models._document.documents import Documents, check_documents
from tgraph_attn.ops.edge_aggregate import edge_aggregate

_AT_ONCE = 32  # documents
_PADDED_TO = 32  # pieces
_ATTENTION = "_attn_implementation"  # which its to_dict leaves out
_MAKE_PIECES = "Make them with a DocumentGraph that has the encoder's tokenizer."


def pretrained(owner: str, encoder: Module | Mapping[str, Any], max_pieces: int) -> Module:
    """Return the encoder; of its config alone, as a model is loaded, one with drawn weights.

    Raises:
        ValueError: It has fewer places than the pieces that a document may have.
    """
    if isinstance(encoder, Module):
        made = encoder
    else:
        transformers = require(owner, "transformers")
        settings = dict(encoder)
        attention = settings.pop(_ATTENTION, None)
        config = transformers.AutoConfig.for_model(**settings)
        made = transformers.AutoModel.from_config(config, attn_implementation=attention)
    places = getattr(made.config, "max_position_embeddings", max_pieces)
    if max_pieces > places:
        raise ValueError(
            f"{owner}: graph must have at most {places} pieces for a text, as the encoder has "
            f"places for, but has {max_pieces}. Make it with max_pieces={places}."
        )
    return made


class PieceEncoder(Module):
    """Give each word node the mean of its pieces' vectors, and the document node that of all.

    A frozen encoder is never in training; then a batch may bring the vectors, `vector`, with it.

    Args:
        encoder: A model of transformers that gives `last_hidden_state`.
        frozen: Whether its weights stay.

    Shapes:
        - **batch.piece**, **batch.piece_index**: as `add_pieces` writes them
        - **batch.vector**: `[N, F]`, what `forward` returned for a frozen encoder
        - **output**: `[N, F]`, zeros for a word beyond the last piece that is read
    """

    def __init__(self, encoder: Module, *, frozen: bool) -> None:
        super().__init__()
        self.model = encoder
        config: Any = encoder.config
        self.config: dict[str, Any] = config.to_dict()
        self.config[_ATTENTION] = getattr(config, _ATTENTION, None)
        self.frozen = frozen
        self.model.requires_grad_(not frozen)
        self.train()

    def train(self, mode: bool = True) -> Self:
        """Put the encoder in training, unless it is frozen."""
        super().train(mode)
        if self.frozen:
            self.model.eval()
        return self

    def forward(self, batch: Data, documents: Documents) -> Tensor:
        """Return the vector of each node."""
        if self.frozen and "vector" in batch:
            return batch.vector.float()
        if "piece" not in batch:
            raise ValueError(
                "DocumentGNN: batch must have piece and piece_index for its encoder, but lacks "
                f"them. {_MAKE_PIECES}"
            )
        document = documents.graph[batch.piece_index]
        size = len(documents.document_index)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            states = self._states(batch.piece, document, size)
        row = torch.arange(len(states), device=states.device)
        of_node, of_document = (
            edge_aggregate(states, torch.stack([row, to]), reduce="mean", num_queries=count)
            for to, count in ((batch.piece_index, len(documents.x)), (document, size))
        )
        return of_node.index_copy(0, documents.document_index, of_document)

    def _states(self, piece: Tensor, document: Tensor, size: int) -> Tensor:
        """Return the encoder's vector of each piece, `[S, F]`.

        Documents of about the same length run together, padded to a multiple of 32: long ones would
        pad short ones, and each new shape costs the backend a new kernel.
        """
        blocks = (document.bincount(minlength=size) + _PADDED_TO - 1) // _PADDED_TO
        rows, found = [piece.new_empty(0)], [piece.new_empty(0, self.config["hidden_size"]).float()]
        for number in sorted(set(blocks[blocks > 0].tolist())):
            chosen = blocks == number
            row = chosen[document].nonzero().squeeze(1)
            place = (chosen.cumsum(0) - 1)[document[row]]
            ids, is_piece = to_dense_batch(
                piece[row],
                place,
                max_num_nodes=number * _PADDED_TO,
                batch_size=int(chosen.sum()),
            )
            states = self.model(input_ids=ids, attention_mask=is_piece).last_hidden_state
            rows.append(row)
            found.append(states[is_piece].float())
        return torch.cat(found)[torch.cat(rows).argsort()]


def encode(
    owner: str,
    encoder: PieceEncoder | None,
    documents: Sequence[Data],
    num_words: int,
    *,
    log: bool,
) -> list[Data]:
    """Return copies of documents with the encoder's vector of each node, `vector`, bfloat16."""
    without = sum("piece" not in data for data in documents)
    if without:
        raise ValueError(
            f"{owner}: documents must have pieces, but {without} of {len(documents)} have none. "
            f"{_MAKE_PIECES}"
        )
    if encoder is None or not encoder.frozen:
        raise ValueError(
            f"{owner}: the model must have a frozen encoder, but has none. Make it with an encoder "
            "and frozen=True."
        )
    made: list[Data] = [copy.copy(data) for data in documents]
    by_size = sorted(range(len(made)), key=lambda number: made[number].piece.numel())
    bar = tqdm(total=len(made), desc="Encoding", unit=" documents", disable=not log)
    for start in range(0, len(made), _AT_ONCE):
        chosen = [made[number] for number in by_size[start : start + _AT_ONCE]]
        batch: Data = Batch.from_data_list(chosen)
        vectors = encoder(batch, check_documents(owner, batch, num_words)).bfloat16()
        for data, part in zip(chosen, vectors.split(batch.ptr.diff().tolist()), strict=True):
            data.vector = part.clone()
        bar.update(len(chosen))
    bar.close()
    return made
