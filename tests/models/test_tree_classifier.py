import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.convert import tree_to_data
from tgraph_attn.models import ASTTrans, TreeClassifier
from tgraph_attn.models._tree.encoder_convs import ENCODERS
from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab

CLASSES = ["sort", "search", "sum"]
every_encoder = pytest.mark.parametrize("encoder", ENCODERS)


@pytest.fixture
def make(functions):
    """A small model from seed 0, in evaluation mode."""
    size = int(max(function.x.max() for function in functions)) + 1
    vocab = Vocab(["<pad>", "<unk>", *(f"w{i}" for i in range(size - 2))])

    def make(encoder="tree", **settings):
        torch.manual_seed(0)
        small = dict(channels=16, hidden=32, relations={"ancestor": (1, 7), "sibling": (3, 7)})
        return TreeClassifier(vocab, CLASSES, encoder=encoder, **small, **settings).eval()

    return make


@pytest.fixture
def batch(functions):
    for number, function in enumerate(functions):
        function.y = torch.tensor([number % 3])
    return Batch.from_data_list(functions)


@every_encoder
def test_a_batch_is_each_tree_alone(make, functions, batch, encoder, close):
    model = make(encoder).double()
    logits = model(batch)
    assert logits.shape == (8, 3)
    close(logits, torch.cat([model(function) for function in functions]))


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


def test_the_encoders_begin_with_the_same_weights_but_for_their_convolutions(make):
    first, *others = (make(encoder) for encoder in ENCODERS)
    for other in others:
        for name, weight in other.named_parameters():
            if "convs." not in name:
                assert weight.equal(first.get_parameter(name)), name


def test_it_reads_root_mean_and_maximum(make, functions, close):
    model, data = make("self"), functions[3]
    nodes = model.encoder(data).nodes
    read = torch.cat([nodes[0], nodes.mean(dim=0), nodes.max(dim=0).values])
    close(model(data), model.lin_out(model.norm(read)).unsqueeze(0))


def test_embeddings_have_length_one_whatever_the_mode(make, batch, close):
    model = make(dropout=0.5).train()
    vectors = model.embed(batch)
    assert vectors.shape == (8, 48) and model.training and vectors.equal(model.embed(batch))
    close(vectors.norm(dim=1), torch.ones(8))


@every_encoder
def test_a_few_steps_learn_the_classes(make, batch, encoder):
    model = make(encoder).train()
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    for _ in range(60):
        optimizer.zero_grad()
        model.loss(batch).backward()
        optimizer.step()
    said = [prediction.label for prediction in model.predict(batch)]
    assert said == [CLASSES[int(y)] for y in batch.y]


@every_encoder
def test_the_transform_of_a_model_adds_what_it_reads(make, functions, encoder):
    model = make(encoder)
    for function in functions:
        bare = function.clone()
        for key in [key for key in bare.keys() if key.startswith(("ancestor", "sibling"))]:
            del bare[key]
        added = model.transform(bare)
        assert model(added).equal(model(function))
        assert ("ancestor_edge_index" in added) == (encoder not in ("self", "tree_lstm"))


@pytest.mark.parametrize("encoder", ["tree", "bias", "gat", "self"])
def test_attention_sums_to_one_at_each_node_of_each_layer(make, batch, encoder, close):
    model = make(encoder, dropout=0.5).train()
    weights = model.attention(batch)
    assert len(weights) == 2 and model.training
    for layer in weights:
        assert list(layer) == (["ancestor", "sibling"] if encoder == "tree" else [encoder])
        for (_, query), alpha in layer.values():
            total = torch.zeros(batch.num_nodes, alpha.size(1)).index_add(0, query, alpha)
            close(total, torch.ones_like(total))


@pytest.mark.parametrize("encoder", ["gcn", "tree_lstm"])
def test_an_encoder_without_attention_has_none_to_give(make, batch, encoder):
    with pytest.raises(ValueError, match=r"TreeClassifier: the encoder must have attention"):
        make(encoder).attention(batch)


@every_encoder
@pytest.mark.parametrize("word", ["w0", "never seen"])
def test_a_lone_node_and_an_unknown_word_have_a_class(make, encoder, word):
    model = make(encoder)
    data = model.transform(tree_to_data(Tree([-1], text=[word]), model.vocab))
    [(label, chances)] = model.predict(data)
    assert label in CLASSES and sum(chances.values()) == pytest.approx(1)


@pytest.mark.parametrize("encoder", ["tree", "bias", "gat", "gcn"])
def test_edges_of_a_smaller_max_distance_are_refused(make, functions, encoder):
    data = AddSiblingEdges(7)(AddAncestorEdges(5)(functions[0]))
    with pytest.raises(ValueError, match=r"relation ancestor: the edge .* another max_distance\?"):
        make(encoder).predict(data)


def test_labels_are_smoothed_in_the_loss_of_training_alone(make, batch):
    plain, smooth = make(dropout=0.0), make(dropout=0.0, label_smoothing=0.5)
    assert plain(batch).equal(smooth(batch))
    assert plain.eval().loss(batch).equal(smooth.eval().loss(batch))
    assert not plain.train().loss(batch).equal(smooth.train().loss(batch))


def test_a_saved_model_says_the_same_in_a_new_process(
    make, functions, says_the_same_in_a_new_process
):
    models = [make(), make("bias", label_smoothing=0.1)]
    data = functions[1]
    for key in ("kind", "text"):
        del data[key]
    says_the_same_in_a_new_process(models, data)


def test_a_tree_without_a_relation_of_the_model_is_refused(make, functions):
    del functions[0].sibling_edge_index
    with pytest.raises(ValueError, match=r"sibling"):
        make()(functions[0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder": "lstm"}, r"encoder must be one of"),
        ({"label_smoothing": 1.5}, r"label_smoothing must be"),
        ({"layers": 0}, r"layers must be at least 1"),
    ],
)
def test_wrong_settings_are_refused(make, settings, message):
    with pytest.raises(ValueError, match=message):
        make(**settings)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"vocab": ["<pad>", "<unk>"]}, TypeError, r"TreeClassifier: vocab must be a Vocab, but"),
        ({"relations": {"ancestor": 7}}, TypeError, r"relation ancestor: heads and max_distance"),
        ({"relations": {}}, ValueError, r"TreeClassifier: relations must be at least 1"),
        ({"classes": ["one"]}, ValueError, r"classes must be at least two different names"),
        ({"classes": "ab"}, TypeError, r"classes must be a list or tuple"),
    ],
)
def test_wrong_arguments_are_refused(given, error, message):
    with pytest.raises(error, match=message):
        TreeClassifier(**{"vocab": Vocab.build([]), "classes": CLASSES, **given})


def test_a_folder_of_another_kind_of_model_is_refused(make, tmp_path):
    make().save(tmp_path)
    with pytest.raises(ValueError, match=r"ASTTrans.load: .* its format is tgraph_attn.TreeClass"):
        ASTTrans.load(tmp_path)


def test_heads_must_divide_the_channels():
    with pytest.raises(ValueError, match=r"channels must be a multiple of"):
        TreeClassifier(Vocab.build([]), CLASSES, channels=20, relations={"ancestor": (3, 7)})
