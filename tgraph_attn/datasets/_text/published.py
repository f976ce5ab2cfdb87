"""What the published corpora are, down to the byte."""

from dataclasses import dataclass

from tgraph_attn.datasets._raw.pinned_file import PinnedFile

_ORIGIN = (
    "https://raw.githubusercontent.com/yao8839836/text_gcn/"
    "962223652e9bb164ac2d83cd09fc7b8845ce860b/data/"
)


@dataclass(frozen=True)
class Published:
    """One published corpus: its files, and what is counted in them.

    Attributes:
        files: For R8 and R52 those of train and test; for Ohsumed the index and the texts.
        documents: How many documents each split has.
        num_classes: How many classes there are.
        num_words: How many words the vocabulary has, with the published filters.
    """

    files: tuple[PinnedFile, PinnedFile]
    documents: dict[str, int]
    num_classes: int
    num_words: int


PUBLISHED = {
    "R8": Published(
        (
            PinnedFile(
                "train.txt",
                f"{_ORIGIN}R8/train.txt",
                3_354_423,
                "3ed60c905aaa95b96c3fc4afb6d14ad2e20106c59c5b9dda950dcb3075eecfbe",
            ),
            PinnedFile(
                "test.txt",
                f"{_ORIGIN}R8/test.txt",
                1_195_260,
                "2ba368c42e6808bc3dc68b8f7879eb07a2810ed137f0b304e2213b689677e561",
            ),
        ),
        {"train": 5_485, "test": 2_189},
        num_classes=8,
        num_words=7_688,
    ),
    "R52": Published(
        (
            PinnedFile(
                "train.txt",
                f"{_ORIGIN}R52/train.txt",
                4_281_452,
                "eb5ded0417d5e99167394e78cd7da15c79ab610ce294237471d62cb253ef4103",
            ),
            PinnedFile(
                "test.txt",
                f"{_ORIGIN}R52/test.txt",
                1_522_483,
                "3524681b4e016359c946847e4201deb61ba8b760f4687b2611fcaa4ec167da3c",
            ),
        ),
        {"train": 6_532, "test": 2_568},
        num_classes=52,
        num_words=8_892,
    ),
    "Ohsumed": Published(
        (
            PinnedFile(
                "ohsumed.txt",
                f"{_ORIGIN}ohsumed.txt",
                389_456,
                "724b8ed25eb3d99b90b86fdc4ef5e2450b386ff0ba348afe38f420cd61eccc16",
            ),
            PinnedFile(
                "corpus/ohsumed.txt",
                f"{_ORIGIN}corpus/ohsumed.txt",
                9_436_447,
                "c117cc9f36c3c121793f85955b47fba1bbb58a8eb051c638e3611544f11f5032",
            ),
        ),
        {"train": 3_357, "test": 4_043},
        num_classes=23,
        num_words=14_157,
    ),
}

# The file and the corpus of each checksum.
KNOWN = {file.sha256: (file.name, name) for name, one in PUBLISHED.items() for file in one.files}
