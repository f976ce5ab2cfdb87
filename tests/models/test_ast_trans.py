import copy
import inspect
import io
import json
import subprocess
import sys

import pytest
import torch
from torch_geometric.data import Batch
from torch_geometric.loader import DataLoader

from tgraph_attn.models import ASTTrans, DecodingSettings
from tgraph_attn.models._tree.encoder_convs import ENCODERS
from tgraph_attn.vocab import Vocab

every_encoder = pytest.mark.parametrize("encoder", ENCODERS)


def without_convs(model):
    return {name: p for name, p in model.named_parameters() if "convs." not in name}


def trained(model, batch, steps, learning_rate=3e-3):
    """Train in place; return the losses."""
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), learning_rate)
    losses = []
    for _ in range(steps):
        loss = model.loss(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@every_encoder
def test_logits_are_one_row_of_the_vocabulary_for_each_word(make, batch, encoder):
    logits = make(encoder)(batch)
    assert logits.shape == (8, 8, len(make().target_vocab)) and logits.isfinite().all()


@every_encoder
def test_a_batch_is_each_tree_alone(make, functions, batch, encoder, close):
    model = make(encoder).double()
    close(model(batch), torch.cat([model(function) for function in functions]))
    assert model.predict(batch) == [model.predict(function)[0] for function in functions]


@every_encoder
def test_the_transform_of_a_model_adds_what_it_reads(make, functions, encoder):
    model = make(encoder)
    for function in functions:
        bare = function.clone()
        for key in [key for key in bare.keys() if key.startswith(("ancestor", "sibling"))]:
            del bare[key]
        assert model(model.transform(bare)).equal(model(function))


@every_encoder
def test_no_tree_sees_another(make, functions, encoder):
    model = make(encoder)
    before = model(Batch.from_data_list(functions))
    functions[3].x = functions[3].x.flip(0)
    after = model(Batch.from_data_list(functions))
    others = [0, 1, 2, 4, 5, 6, 7]
    assert after[others].equal(before[others]) and not after[3].equal(before[3])


@every_encoder
def test_every_node_and_every_parameter_matters(make, batch, encoder):
    model = make(encoder)
    embedded = []

    def keep(module, inputs, output):
        output.retain_grad()
        embedded.append(output)

    model.encoder.nodes.norm_embedding.register_forward_hook(keep)
    model.loss(batch).backward()
    assert embedded[0].grad.ne(0).any(dim=1).all()
    assert all(p.grad.ne(0).any() for p in model.parameters())


def test_padding_of_targets_changes_nothing(make, batch, close):
    model = make().double()
    shorter = copy.copy(batch)
    shorter.y = batch.y[:, : int((batch.y != 0).sum(1).max())]
    assert 2 < shorter.y.size(1) < batch.y.size(1)
    close(model(batch)[:, : shorter.y.size(1)], model(shorter))
    close(model.loss(batch), model.loss(shorter))


def test_later_words_do_not_change_earlier_logits(make, batch):
    model = make()
    other = copy.copy(batch)
    other.y = batch.y.clone()
    other.y[:, 1] = 4 + (batch.y[:, 1] + 1) % 8
    before, after = model(batch), model(other)
    assert after[:, :2].equal(before[:, :2]) and not after[:, 2].equal(before[:, 2])


def test_the_loss_is_the_mean_cross_entropy_of_the_words(make, batch, close):
    model = make().double()
    likelihood = model(batch).log_softmax(-1)
    words = [
        likelihood[b, place, word]
        for b, row in enumerate(batch.y.tolist())
        for place, word in enumerate(row)
        if word != 0
    ]
    close(model.loss(batch), -torch.stack(words).mean())


def test_logits_are_dropped_in_training_alone_and_on_request(make, batch, close):
    model = make(dropout=0.0, legacy_logit_dropout=0.25)
    close(model(batch), make()(batch))
    dropped = model.train()(batch)
    kept = dropped != 0
    assert 0.7 < kept.float().mean() < 0.8 and make(dropout=0.0).train()(batch).ne(0).all()
    close(dropped[kept], make()(batch)[kept] / 0.75)


def test_label_smoothing_spreads_a_part_over_all_words(make, batch, close):
    plain, smooth = (
        make(dropout=0.0, label_smoothing=part).double().train() for part in (0.0, 0.1)
    )
    likelihood = plain(batch).log_softmax(-1)[batch.y != 0]
    expected = 0.9 * plain.loss(batch) - 0.1 * likelihood.mean()
    close(smooth.loss(batch), expected)
    close(smooth.eval().loss(batch), plain.loss(batch))


@every_encoder
def test_it_learns_eight_functions_by_heart(make, batch, encoder):
    model = make(encoder, channels=32, hidden=64, dropout=0.1)
    for _ in range(15):
        trained(model, batch, steps=20)
        written = model.generate(batch)
        if written.equal(batch.y[:, : written.size(1)]):
            break
    words = [model.target_vocab.decode(row[: row.tolist().index(3)]) for row in batch.y]
    assert model.predict(batch) == words


@every_encoder
def test_generate_writes_the_argmax_of_forward_word_by_word(make, batch, encoder):
    model = make(encoder)
    trained(model, batch, steps=30, learning_rate=1e-2)
    model.eval()
    eos = model.target_vocab.encode(["<eos>"])[0]
    y = torch.zeros_like(batch.y)
    so_far = copy.copy(batch)
    for place in range(8):
        so_far.y = torch.where(y == 0, 5, y)  # later words, whatever they are, do not matter
        word = model(so_far)[:, place].argmax(-1)
        ended = (y[:, :place] == eos).any(1)
        y[:, place] = word.masked_fill(ended, 0)
    written = model.generate(batch)
    assert written.equal(y[:, : written.size(1)]) and not y[:, written.size(1) :].any()
    assert len(set(map(tuple, written.tolist()))) > 1


def test_generate_stops_at_max_length_and_leaves_the_mode_as_it_was(make, batch):
    model = make().train()
    model.decoder.eval()
    assert model.generate(batch, max_length=1).shape == (8, 1)
    assert model.training and model.encoder.convs.training and not model.decoder.training
    assert model.generate(batch).equal(model.eval().generate(batch))


def test_predict_gives_the_words_before_the_end(make, batch):
    model = make()
    vocab = model.target_vocab
    rows = [["word3", "<unk>", "<eos>", "<pad>"], ["<eos>", "<pad>", "<pad>", "<pad>"]]
    asked = []
    model.generate = lambda batch, settings: (
        asked.append(settings) or torch.tensor([vocab.encode(row) for row in rows])
    )
    assert model.predict(batch) == [["word3", "<unk>"], []]
    settings = DecodingSettings(beams=2)
    model.predict(batch, settings)
    assert asked == [None, settings]


@every_encoder
def test_a_beam_search_of_a_batch_is_that_of_each_tree_alone(make, functions, batch, encoder):
    pytest.importorskip("transformers")
    model, settings = make(encoder).train(), DecodingSettings(beams=3)
    trained(model, batch, steps=20, learning_rate=1e-2)
    together = model.predict(batch, settings)
    assert together == [model.predict(function, settings)[0] for function in functions]
    assert model.generate(batch, 2, settings).shape == (8, 2) and model.training
    assert together != model.predict(batch, DecodingSettings(seed=0, temperature=3.0))


@every_encoder
def test_the_same_seed_trains_to_the_same_bits(make, batch, encoder):
    runs = []
    for _ in range(2):
        model = make(encoder)
        losses = trained(model, batch, steps=3)
        runs.append((losses, torch.cat([p.detach().flatten() for p in model.parameters()])))
    assert runs[0][0] == runs[1][0] and runs[0][1].equal(runs[1][1])


def test_encoders_differ_in_their_convolutions_only_and_begin_alike(make):
    expected = without_convs(make("tree"))
    assert len(expected) > 50
    for encoder in ENCODERS[1:]:
        got = without_convs(make(encoder))
        assert got.keys() == expected.keys()
        assert all(got[name].equal(expected[name]) for name in got), encoder


def test_decoder_layers_do_not_begin_alike(make):
    first, second = make().decoder.stack.layers
    assert not first.linear1.weight.equal(second.linear1.weight)


def test_a_loader_of_lone_graphs_feeds_it(make, functions, close):
    model = make()
    [batch] = DataLoader(functions, batch_size=8)
    close(model.loss(batch), model.loss(Batch.from_data_list(functions)))


@pytest.mark.parametrize(("encoder", "names"), [("tree", {"ancestor", "sibling"}), ("self", {})])
def test_attention_of_each_layer_sums_to_one_at_each_query(make, batch, encoder, names, close):
    model = make(encoder).train()
    weights = model.attention(batch)
    assert len(weights) == 2 and model.training
    for layer in weights:
        assert set(layer) == set(names or {"self"})
        for edge_index, alpha in layer.values():
            total = torch.zeros(batch.num_nodes, alpha.size(1)).index_add(0, edge_index[1], alpha)
            close(total, torch.ones_like(total))
    again = model.attention(batch)[0]  # nothing is dropped, though the model is in training
    assert all(again[name][1].equal(alpha) for name, (_, alpha) in weights[0].items())
    heads = {name: alpha.size(1) for name, (_, alpha) in weights[0].items()}
    assert heads == ({"ancestor": 1, "sibling": 3} if names else {"self": 4})


def test_attention_of_gcn_is_refused(make, batch):
    with pytest.raises(ValueError, match=r"must have attention weights to return, but is \"gcn\""):
        make("gcn").attention(batch)


def test_the_setting_for_python_has_tables_of_its_reaches(make):
    relations = {"ancestor": (1, 10), "sibling": (7, 5)}
    model = make("tree", relations=relations)
    sizes = {len(table) for name, table in model.named_parameters() if "table" in name}
    assert sizes == {21, 11} and model.relations == relations


def test_relations_are_those_that_the_encoder_reads(make):
    assert make("gcn").relations == {"ancestor": (1, 7), "sibling": (3, 7)}
    assert make("self").relations == {}


def test_positions_tell_sequences_apart_that_have_the_same_words(make, functions):
    told, untold = make("self", positions=True), make("self")
    turned = functions[3].clone()
    turned.x = turned.x.flip(0)
    assert not turned.x.equal(functions[3].x)
    torch.testing.assert_close(untold(functions[3]), untold(turned))
    assert not told(functions[3]).allclose(told(turned))


def test_arguments_to_save_are_all_that_the_constructor_was_given():
    settings = {
        "encoder": "gat",
        "channels": 12,
        "layers": 3,
        "relations": {"sibling": [2, 5], "ancestor": [1, 4]},
        "hidden": 20,
        "dropout": 0.3,
        "max_target": 9,
        "share_tables": False,
        "terms": ["value"],
        "scale": 0.5,
        "label_smoothing": 0.1,
        "positions": True,
        "legacy_logit_dropout": 0.2,
    }
    words = Vocab.build(["a"], specials=["<bos>", "<eos>"])
    parameters = inspect.signature(ASTTrans).parameters
    assert set(parameters) == {"source_vocab", "target_vocab", "legacy_root_leak", *settings}
    assert all(settings[name] != parameters[name].default for name in settings)
    arguments = ASTTrans(words, words, **settings).arguments
    assert json.loads(json.dumps(arguments)) == {**settings, "legacy_root_leak": None}
    assert list(arguments["relations"]) == ["sibling", "ancestor"]
    assert ASTTrans(words, words, legacy_root_leak=50).arguments["legacy_root_leak"] == 50


def test_vocabularies_are_told_by_their_type():
    words = Vocab.build(["a"], specials=["<bos>", "<eos>"])
    message = "ASTTrans: {} must be a Vocab, but got list. Pass CodeSummaries.{}"
    with pytest.raises(TypeError, match=message.format("source_vocab", "source_vocab")):
        ASTTrans(["a"], words)
    with pytest.raises(TypeError, match=message.format("target_vocab", "target_vocab")):
        ASTTrans(words, ["<bos>", "<eos>"])


LOAD_AND_WRITE = """
import json, sys, torch
from torch_geometric.data import Data
from tgraph_attn.models import ASTTrans, DecodingSettings
torch.set_num_threads(1)
batch = Data.from_dict(torch.load(sys.argv[1], weights_only=True))
models = [ASTTrans.load(folder) for folder in sys.argv[2:]]
print(json.dumps([[m.generate(batch).tolist(), m.predict(batch), m.arguments] for m in models]))
"""


def test_saved_models_write_the_same_in_a_new_process(make, batch, tmp_path):
    torch.save(batch.to_dict(), tmp_path / "batch.pt")
    folders, expected = [], []
    for encoder in ENCODERS:
        model = make(encoder, label_smoothing=0.1, terms=("key", "value"), scale=0.5)
        trained(model, batch, steps=5)
        folders.append(str(tmp_path / "some folder é" / encoder))
        model.save(folders[-1])
        expected.append([model.generate(batch).tolist(), model.predict(batch), model.arguments])
    ran = subprocess.run(
        [sys.executable, "-c", LOAD_AND_WRITE, str(tmp_path / "batch.pt"), *folders],
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == expected


def test_the_state_dict_is_plain_and_restores_the_model(make, batch):
    model, other = make(), make()
    trained(model, batch, steps=2)
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    other.load_state_dict(torch.load(file, weights_only=True))
    assert other.eval()(batch).equal(model.eval()(batch))


def test_a_target_vocabulary_without_its_specials_is_refused(make):
    words = Vocab.build(["a"])
    with pytest.raises(ValueError, match=r"target_vocab must have <bos> and <eos>, .* specials="):
        ASTTrans(words, words)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"channels": 18}, r"channels must be a multiple of 4, .* but got 18\. Pass 20"),
        ({"encoder": "gru"}, r"encoder must be one of \['bias', 'gat', 'gcn', .*'gru'"),
        ({"layers": 0}, r"layers must be at least 1, but got 0"),
        ({"relations": {}}, r"relations must be at least 1, but got 0"),
        ({"relations": {"ancestor": (0, 7)}}, r"relation ancestor: heads must be at least 1"),
        ({"dropout": 1.0}, r"dropout must be in \[0, 1\), but got 1.0"),
        ({"label_smoothing": -0.1}, r"label_smoothing must be in \[0, 1\), but got -0.1"),
        ({"terms": ("keys",)}, r"each of terms must be one of .*'keys'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(make, settings, message):
    with pytest.raises(ValueError, match=message):
        make(**settings)


def test_a_missing_relation_is_refused_by_the_name_of_its_transform(make, batch):
    del batch.sibling_edge_index
    with pytest.raises(ValueError, match=r"must have sibling_edge_index.*AddSiblingEdges"):
        make().loss(batch)
    make("self").loss(batch)


@pytest.mark.parametrize("method", ["loss", "forward"])
def test_missing_targets_are_refused_but_generate_needs_none(make, batch, method):
    del batch.y
    with pytest.raises(ValueError, match=r"y must be ids, int64 of shape \[8, L\], but got None"):
        getattr(make(), method)(batch)
    assert make().generate(batch).size(0) == 8


@pytest.mark.parametrize("max_length", [0, 9])
def test_a_max_length_out_of_range_is_refused(make, batch, max_length):
    with pytest.raises(
        ValueError, match=rf"max_length must be at (least 1|most .*=8), but got {max_length}"
    ):
        make().generate(batch, max_length=max_length)
