import pickle
import re

import numpy as np
import pytest

from tgraph_attn.relations import WordStatistics

DOCUMENTS = [[3, 4, 3], [4, 5], [], [5, 5, 5]]


def statistics(**settings):
    return WordStatistics.count(DOCUMENTS, 7, **settings)


def test_counts_of_four_small_documents_by_hand():
    counts = statistics()
    assert (counts.num_documents, counts.num_windows, counts.num_words) == (4, 4, 7)
    assert counts.document_frequency.tolist() == [0, 0, 0, 1, 2, 2, 0]
    assert counts.window_frequency.tolist() == [0, 0, 0, 1, 2, 2, 0]
    pmi = np.zeros((7, 7))
    pmi[3, 4] = pmi[4, 3] = np.log(1 / 4 / (1 / 4 * 2 / 4))  # 4 and 5: as often as by chance
    np.testing.assert_allclose(counts.pmi.toarray(), pmi, rtol=1e-6)


def test_windows_slide_inside_a_document_and_a_shorter_one_is_one_window():
    counts = statistics(window=2)
    assert counts.num_windows == 2 + 1 + 1 + 2
    assert counts.window_frequency.tolist() == [0, 0, 0, 2, 3, 3, 0]


def test_legacy_counts_add_one_for_each_pair_of_places():
    plain, legacy = statistics().pmi[3, 4], statistics(legacy_counts=True).pmi[3, 4]
    assert legacy - plain == pytest.approx(np.log(2))


def test_pmi_is_symmetric_sorted_and_without_a_diagonal():
    draw = np.random.default_rng(0)
    documents = [draw.integers(0, 50, 40) for _ in range(20)]
    pmi = WordStatistics.count(documents, 50, window=5).pmi
    assert pmi.dtype == np.float32 and pmi.shape == (50, 50) and pmi.nnz > 500
    assert (pmi != pmi.T).nnz == 0 and not pmi.diagonal().any() and pmi.data.min() > 0
    for row in range(50):
        others = pmi.indices[pmi.indptr[row] : pmi.indptr[row + 1]]
        assert (np.diff(others) > 0).all()


def test_idf_has_no_smoothing_and_is_0_for_a_word_in_all_documents_or_in_none():
    counts = WordStatistics.count([[0, 1], [1], [1, 1]], 3)
    np.testing.assert_allclose(counts.idf, [np.log(3), 0, 0])


def test_same_counts_are_equal_and_others_are_not():
    made, again = statistics(), statistics()
    assert made == again and hash(made) == hash(again)
    others = [
        statistics(window=2),
        statistics(window=21),  # which counts the same
        statistics(legacy_counts=True),
        WordStatistics.count(DOCUMENTS, 8),
        WordStatistics.count([*DOCUMENTS, []], 7),
        WordStatistics.count(DOCUMENTS[::-1], 7),
    ]
    assert [other == statistics() for other in others] == [False] * 5 + [True]
    assert statistics() != "statistics"


def test_repr_identifies_the_counts():
    expected = (
        r"WordStatistics\(num_documents=4, num_words=7, window=20, legacy_counts=False, "
        r"fingerprint='[0-9a-f]{16}'\)"
    )
    assert re.fullmatch(expected, repr(statistics()))
    assert repr(statistics()) != repr(WordStatistics.count([*DOCUMENTS[:3], [6]], 7))


def test_file_and_pickle_keep_everything(tmp_path):
    made = statistics(window=3, legacy_counts=True)
    made.save(tmp_path / "counts.npz")
    loaded = WordStatistics.load(tmp_path / "counts.npz")
    for again in (loaded, pickle.loads(pickle.dumps(made))):
        assert again == made and repr(again) == repr(made)
        assert (again.pmi != made.pmi).nnz == 0 and again.idf.tolist() == made.idf.tolist()
        assert type(again.window) is int and again.legacy_counts is True
    assert [path.name for path in tmp_path.iterdir()] == ["counts.npz"]


def test_interrupted_save_leaves_the_former_file(tmp_path, monkeypatch):
    statistics().save(tmp_path / "counts.npz")
    monkeypatch.setattr(np, "savez_compressed", lambda file, **_: file.write(b"half") and 1 / 0)
    with pytest.raises(ZeroDivisionError):
        statistics(window=2).save(tmp_path / "counts.npz")
    assert WordStatistics.load(tmp_path / "counts.npz") == statistics()
    assert len(list(tmp_path.iterdir())) == 1


def test_folder_or_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"^WordStatistics.save: the folder of .* Make it"):
        statistics().save(tmp_path / "none" / "counts.npz")
    with pytest.raises(FileNotFoundError, match=r"^WordStatistics.load: .* is not there\. Write"):
        WordStatistics.load(tmp_path / "counts.npz")


def other_format(path):
    np.savez(path, format="other")


def no_format(path):
    np.savez(path, pmi=np.zeros(3))


def one_array(path):
    with open(path, "wb") as file:
        np.save(file, np.zeros(3))


def half_a_file(path):
    statistics().save(path)
    path.write_bytes(path.read_bytes()[:300])


def a_pair_of_a_word_that_is_not_there(path):
    statistics().save(path)
    with np.load(path) as file:
        content = dict(file)
    np.savez(path, **{**content, "pmi_key": content["pmi_key"] + 7})


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"words"),
        *(other_format, no_format, one_array, half_a_file, a_pair_of_a_word_that_is_not_there),
    ],
)
def test_file_that_holds_something_else_is_refused(spoil, tmp_path):
    path = tmp_path / "counts.npz"
    spoil(path)
    with pytest.raises(ValueError, match=r"^WordStatistics.load: .* must hold what WordStatistics"):
        WordStatistics.load(path)


@pytest.mark.parametrize("word", [-1, 7])
def test_word_that_is_not_there_is_refused(word):
    with pytest.raises(ValueError, match=r"each word id must be in \[0, 7\), but ranges from"):
        WordStatistics.count([[0], [word, 0]], 7)


def test_no_documents_are_refused_and_empty_ones_are_not():
    with pytest.raises(
        ValueError, match=r"documents must hold at least one document, but is empty"
    ):
        WordStatistics.count([], 7)
    counts = WordStatistics.count([[], []], 7)
    assert (counts.num_documents, counts.num_windows, counts.pmi.nnz) == (2, 2, 0)


@pytest.mark.parametrize(
    ("settings", "error"), [({"window": 0}, ValueError), ({"window": 2.0}, TypeError)]
)
def test_window_that_is_no_number_of_words_is_refused(settings, error):
    with pytest.raises(error, match=r"^WordStatistics.count: window must be"):
        statistics(**settings)


def test_words_that_are_no_numbers_are_refused():
    with pytest.raises(TypeError, match=r"each document must hold whole numbers, but got <U3"):
        WordStatistics.count([["oil"]], 7)
