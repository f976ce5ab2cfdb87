import json
import shutil
import warnings

import pytest
import torch

from tgraph_attn import __version__
from tgraph_attn.models import ASTTrans
from tgraph_attn.vocab import Vocab

FILES = ["config.json", "source_vocab.json", "target_vocab.json", "weights.safetensors"]


@pytest.fixture
def saved(make, tmp_path):
    model, folder = make(), tmp_path / "model"
    model.save(folder)
    return model, folder


def change_config(folder, **changes):
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, **changes}), encoding="utf-8")


def test_a_folder_has_four_files_and_says_what_made_it(saved):
    model, folder = saved
    assert sorted(path.name for path in folder.iterdir()) == FILES
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["format"] == "tgraph_attn.ASTTrans" and config["version"] == __version__
    assert config["arguments"] == model.arguments
    assert Vocab.load(folder / "target_vocab.json") == model.target_vocab


def test_a_loaded_model_is_the_saved_one_in_evaluation_mode(saved, batch):
    model, folder = saved
    loaded = ASTTrans.load(folder)
    assert not loaded.training and loaded(batch).equal(model(batch))


def test_the_dtype_is_kept(make, batch, tmp_path):
    model = make().double()
    model.save(tmp_path)
    assert ASTTrans.load(tmp_path)(batch).equal(model(batch))


def test_tables_that_layers_share_are_written_once_and_shared_again(saved):
    _, folder = saved
    first, second = ASTTrans.load(folder).encoder.convs.layers
    assert first.tables["sibling"].key_table is second.tables["sibling"].key_table


def test_saving_again_replaces_the_model_and_leaves_other_files(saved, make, batch):
    _, folder = saved
    (folder / "log.txt").write_text("mine", encoding="utf-8")
    other = make("gcn", channels=8)
    other.save(folder)
    assert ASTTrans.load(folder)(batch).equal(other(batch))
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, "log.txt"])


def test_a_save_that_fails_leaves_the_former_model(saved, make, batch, monkeypatch):
    model, folder = saved

    def full(self, path):
        raise OSError("disk full")

    monkeypatch.setattr(Vocab, "save", full)
    with pytest.raises(OSError, match="disk full"):
        make("gcn").save(folder)
    assert sorted(path.name for path in folder.iterdir()) == FILES
    assert ASTTrans.load(folder)(batch).equal(model(batch))


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"ASTTrans.load: .* must be the folder of a saved"):
        ASTTrans.load(tmp_path / "nowhere")


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must hold what ASTTrans.save wrote.*FileNotFoundError"):
        ASTTrans.load(tmp_path)


def test_a_model_of_another_class_is_refused(saved):
    _, folder = saved
    change_config(folder, format="tgraph_attn.Other")
    with pytest.raises(ValueError, match=r"must hold .* \(ValueError: its format is tgraph_attn.O"):
        ASTTrans.load(folder)


@pytest.mark.parametrize("name", FILES[1:])
def test_files_of_two_saves_are_refused(saved, make, tmp_path, name):
    _, folder = saved
    other = make(channels=8)
    other.source_vocab = Vocab.build(["a"])
    other.target_vocab = Vocab.build(["a"])
    other.save(tmp_path / "other")
    shutil.copy(tmp_path / "other" / name, folder / name)
    with pytest.raises(ValueError, match=rf"config.json belongs to another {name}"):
        ASTTrans.load(folder)


def test_a_torn_file_and_a_lost_one_are_refused(saved):
    _, folder = saved
    weights = folder / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"belongs to another weights.safetensors"):
        ASTTrans.load(folder)
    weights.unlink()
    with pytest.raises(ValueError, match=r"FileNotFoundError: .*weights.safetensors"):
        ASTTrans.load(folder)


@pytest.mark.parametrize(("version", "warns"), [("9.0.0", True), ("0.0.1", True), (None, False)])
def test_a_model_of_another_version_that_fits_is_loaded_with_a_warning(saved, version, warns):
    model, folder = saved
    of_minor = ".".join([*__version__.split(".")[:2], "99"])  # which means the same
    change_config(folder, version=version or of_minor)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        loaded = type(model).load(folder)
    assert [str(warning.message) for warning in given if "saved by" in str(warning.message)] == (
        [
            f"{type(model).__name__}.load: {folder} was saved by tgraph_attn {version}; this is "
            f"{__version__}, in which it may say something else. Load it with that version, or "
            "save it again."
        ]
        if warns
        else []
    )
    assert all(warning.filename == __file__ for warning in given)
    assert loaded.arguments == model.arguments


def test_a_model_of_a_later_version_is_refused_with_both_versions(saved):
    model, folder = saved
    change_config(folder, version="9.0.0", arguments={**model.arguments, "new": 1})
    with pytest.raises(ValueError, match=rf"this version .* {__version__}, but was .* by 9.0.0 "):
        ASTTrans.load(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"arguments": {"encoder": "newer"}}, "ASTTrans: encoder must be one of"),
        ({"arguments": None}, "NoneType"),
        ({"dtype": "float7"}, "float7"),
    ],
)
def test_what_this_version_does_not_know_is_refused_with_both_versions(saved, change, said):
    _, folder = saved
    change_config(folder, version="9.0.0", **change)
    with pytest.raises(ValueError, match=rf"this version .* {__version__}, .* by 9.0.0 .*{said}"):
        ASTTrans.load(folder)


def test_weights_of_other_sizes_are_refused(saved):
    model, folder = saved
    change_config(folder, arguments={**model.arguments, "channels": 8})
    with pytest.raises(ValueError, match=r"must fit this version .* size mismatch"):
        ASTTrans.load(folder)


def test_loading_draws_no_random_numbers_that_matter(saved):
    model, folder = saved
    torch.manual_seed(1)
    first = ASTTrans.load(folder).state_dict()
    assert all(first[name].equal(value) for name, value in model.state_dict().items())
