import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array
from torch_geometric.loader import DataLoader

from tgraph_attn.models import SASA
from tgraph_attn.models.pretrained import BlockPattern, PairCounts, train_tokenizer
from tgraph_attn.models.pretrained.pair_counts import vocabulary_of

transformers = pytest.importorskip("transformers")

PROGRAMS = [
    "".join(f"def f{n}(a, b):\n    return a[{n}] + g(b)\n" for n in range(count))
    for count in (1, 4, 2)
]
SIZES = {
    "vocab_size": 320,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 130,
    "num_labels": 3,
}


@pytest.fixture(scope="module")
def tokenizer():
    return train_tokenizer(PROGRAMS * 3, 300)


@pytest.fixture
def make(tokenizer):
    def made(head="ForSequenceClassification", family="Roberta", pattern=None, **changes):
        torch.manual_seed(1)
        config = getattr(transformers, f"{family}Config")(**SIZES)
        backbone = getattr(transformers, f"{family}{head}")(config)
        draw = np.random.default_rng(0).integers(0, 5, (len(tokenizer),) * 2)
        counts = PairCounts(csr_array(draw), vocabulary_of(tokenizer))
        given = {"pair_counts": counts, "language": "python", "max_length": 128}
        pattern = (
            BlockPattern(block_size=8, pair_blocks=1, tree_blocks=1) if pattern is None else pattern
        )
        return SASA(backbone, tokenizer, pattern=pattern, **given | changes).eval()

    return made


def batch_of(model, programs=PROGRAMS):
    return next(iter(DataLoader([model.read(source) for source in programs], len(programs))))


def test_a_program_is_its_pieces_and_the_edges_of_its_pattern(make, tokenizer):
    model = make()
    data = model.read(PROGRAMS[1])
    assert data.x.tolist() == tokenizer(PROGRAMS[1])["input_ids"][:128]
    assert (data.block_edge_index % 8 == 0).all() and data.num_faults == 0
    without = make(pattern=BlockPattern(block_size=8, pair_blocks=0, tree_blocks=0))
    assert data.block_edge_index.size(1) > without.read(PROGRAMS[1]).block_edge_index.size(1)


@pytest.mark.parametrize("family", ["Roberta", "Bert"])
@pytest.mark.parametrize("head", ["ForSequenceClassification", "Model"])
def test_a_batch_is_each_program_alone(make, head, family, close):
    model = make(head, family)
    alone = torch.cat([model(model.read(source)) for source in PROGRAMS])
    close(model(batch_of(model)), alone)
    close(model.embed(batch_of(model)), torch.cat([model.embed(model.read(p)) for p in PROGRAMS]))


def test_where_all_blocks_see_each_other_it_is_the_stock_model(make, tokenizer, close):
    model = make(pattern=BlockPattern(block_size=8, global_blocks=tuple(range(16)), pair_blocks=0))
    read = tokenizer(PROGRAMS, padding=True, truncation=True, max_length=128, return_tensors="pt")
    out = model(batch_of(model))
    model.backbone.set_attn_implementation("sdpa")
    close(out, model.backbone(**read).logits)


def test_a_program_is_cut_to_the_length_and_the_rest_has_no_say(make):
    model = make(max_length=32)
    one, other = PROGRAMS[1], PROGRAMS[1] + "x = 1\n"
    assert model.read(one).num_nodes == 32
    pattern = BlockPattern(block_size=8, pair_blocks=0, tree_blocks=0)
    model = make(max_length=32, pattern=pattern)
    assert torch.equal(model(model.read(one)), model(model.read(other)))


def test_it_learns_what_is_in_a_far_block(make):
    model = make(pattern=BlockPattern(block_size=8, pair_blocks=0, tree_blocks=0))
    programs = [f"{'x = 1; ' * 9}{word}\n{'y = 2; ' * 9}" for word in ("return", "def")]
    batch = batch_of(model, programs * 4)
    batch.y = torch.tensor([0, 2] * 4)
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        losses.append(model.loss(batch))
        losses[-1].backward()
        optimizer.step()
    assert losses[-1] < 0.2 < losses[0]
    assert [said.label for said in model.predict(programs)] == ["LABEL_0", "LABEL_2"]


def test_predictions_come_from_sources_and_from_graphs(make):
    model = make()
    said = model.predict(PROGRAMS)
    assert said == model.predict(batch_of(model))
    assert model.predict(PROGRAMS[0])[0].label == said[0].label
    assert sum(said[0].probabilities.values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("source", ["", "def f(:\n    x = (1\n", "\x00", "é" * 300])
def test_a_program_that_does_not_parse_is_read_all_the_same(make, source):
    model = make()
    data = model.read(source)
    assert model(data).isfinite().all()
    assert (data.num_faults > 0) == (source.startswith("def") or source == "\x00")


@pytest.mark.parametrize("with_counts", [True, False])
def test_a_saved_model_says_the_same_in_a_new_process(make, tmp_path, with_counts, close):
    pattern = BlockPattern(block_size=8, pair_blocks=int(with_counts), global_blocks=(0,))
    model = make(pattern=pattern, **({} if with_counts else {"pair_counts": None}))
    model.save(tmp_path / "é")
    script = (
        "import json, sys; from tgraph_attn.models import SASA; m = SASA.load(sys.argv[1]);"
        "print(json.dumps(m(m.read(sys.argv[2])).tolist()))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "é"), PROGRAMS[1]]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    close(
        torch.tensor(json.loads(ran.stdout.splitlines()[-1])),
        model(model.read(PROGRAMS[1])).detach(),
    )
    other = SASA.load(tmp_path / "é")
    assert other.pattern == pattern and other.language == "python"
    (tmp_path / "é" / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"SASA.load: .* belongs to another tokenizer.json"):
        SASA.load(tmp_path / "é")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_length": 129}, "max_length must be at most 128, for which the backbone has places"),
        ({"pair_counts": None}, "pair_counts must be given, since pattern.pair_blocks is 1"),
        ({"pair_counts": PairCounts(csr_array((300, 300)), "a")}, "must be of one vocabulary"),
        ({"language": None}, "language must be that of the programs"),
        ({"pattern": BlockPattern(block_size=8, window=1, tree_blocks=0)}, None),
    ],
)
def test_refuses_what_does_not_fit(make, changes, message):
    if message is None:
        assert make(**changes, language=None).language is None
        return
    with pytest.raises(ValueError, match=message):
        make(**changes)


def test_a_backbone_of_fewer_words_is_refused(tokenizer):
    config = transformers.RobertaConfig(**{**SIZES, "vocab_size": 100})
    with pytest.raises(ValueError, match=r"SASA: backbone must have a vector for each word"):
        SASA(transformers.RobertaModel(config), tokenizer, max_length=64)
    with pytest.raises(TypeError, match="pattern must be"):
        SASA(transformers.RobertaModel(config), tokenizer, pattern=3, max_length=64)
