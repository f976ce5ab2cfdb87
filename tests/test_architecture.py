"""The rules of docs/pages/conventions.md that a machine can check."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tgraph_attn"
SOURCES = sorted(PACKAGE.rglob("*.py"))
MODULES = [path for path in SOURCES if path.name != "__init__.py"]
TESTS = sorted(Path(__file__).parent.rglob("*.py"))

# From the bottom up. A module imports from levels below its own, or from its own folder.
LEVELS = [
    ["_checks", "_files", "_kernel", "_optional"],
    ["_checks_tensor"],
    ["tree", "vocab"],
    ["parse", "relations", "ops", "metrics"],
    ["convert", "linearize"],
    ["transforms"],
    ["nn"],
    ["models", "datasets"],
    ["training", "viz"],
    ["__main__"],
]
WITHOUT_TORCH = [
    "_checks", "_files", "_kernel", "tree", "vocab", "parse", "relations", "linearize",
]  # fmt: skip
TOP = {
    "pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "Makefile", ".gitignore", ".ci",
    "tgraph_attn", "datasets", "examples", "tests", "docs", "benchmarks",
}  # fmt: skip
MANY_ARGUMENTS = {
    "edge_attention", "RelationAttentionConv", "TreeAttentionConv", "GCNConv", "GATConv",
    "block_attention", "ASTTrans", "SASA", "TreeClassifier", "DocumentGNN",
    "DocumentGraph",
    "fit_text_gcn", "TextLevelGNN", "TextGCN",
    "StdlibFunctions", "CodeSummaries", "POJ104", "TextCorpus",
    "WordStatistics", "TrainingSettings", "parse_code", "path_contexts", "comment_words",
}  # fmt: skip


def module(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def level(name: str) -> tuple[int, str]:
    for number, prefixes in enumerate(LEVELS):
        for prefix in prefixes:
            if f"{name}.".startswith(f"{prefix}."):
                return number, prefix
    raise AssertionError(f"{name} is at no level: add it to LEVELS")


def imports(path: Path) -> set[str]:
    """The package's own modules that a file imports, anywhere in it, without the package's name."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: import absolutely"
            names.add(node.module or "")
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.removeprefix("tgraph_attn.") for name in names if name.startswith("tgraph_attn.")}


@pytest.mark.parametrize("path", MODULES, ids=module)
def test_imports_point_down(path):
    number, home = level(module(path))
    for name in imports(path):
        other, there = level(name)
        beside = there == home and name != home  # a sibling file, not its own folder's __init__
        assert other < number or beside, f"{module(path)} must not import {name}"


@pytest.mark.parametrize("path", MODULES, ids=module)
def test_each_module_is_short_and_has_its_test(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
    place = path.relative_to(PACKAGE)
    assert (ROOT / "tests" / place.parent / f"test_{place.stem.strip('_')}.py").exists()


def test_folders_are_small_and_shallow():
    for folder in [
        PACKAGE,
        *(p for p in PACKAGE.rglob("*") if p.is_dir() and p.name != "__pycache__"),
    ]:
        files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(files) <= 12, folder
        assert len(folder.relative_to(PACKAGE).parts) < 3, folder


def test_parsing_relations_and_sequences_never_import_torch():
    for path in MODULES:
        if level(module(path))[1] in WITHOUT_TORCH:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not any(name.split(".")[0].startswith("torch") for name in names), path
                assert "tgraph_attn._checks_tensor" not in names, path


@pytest.mark.parametrize("path", [p for p in SOURCES if p.name == "__init__.py"], ids=module)
def test_init_only_re_exports(path):
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        constant = isinstance(node, ast.Assign | ast.Expr) and module(path) in ("", "__init__")
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        names = isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
        assert isinstance(node, ast.ImportFrom) or docstring or names or constant, path


def public_names():
    for path in SOURCES:
        if path.name == "__init__.py":
            name = ".".join(("tgraph_attn", *path.relative_to(PACKAGE).parts[:-1]))
            for public in getattr(import_module(name), "__all__", ()):
                yield name, public


@pytest.mark.parametrize(("where", "name"), list(public_names()))
def test_public_names_are_documented_and_their_arguments_few(where, name):
    thing = getattr(import_module(where), name)
    assert inspect.getdoc(thing), f"{where}.{name} has no docstring"
    if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception)):
        parameters = [p for p in inspect.signature(thing).parameters.values() if p.name != "self"]
        assert not any(p.kind is p.VAR_KEYWORD for p in parameters), f"{name} takes **kwargs"
        if name not in MANY_ARGUMENTS:
            assert len(parameters) <= 6, f"{name} takes {len(parameters)} arguments"


def test_no_utils_and_no_helpers():
    for path in SOURCES:
        assert path.stem.strip("_") not in {"utils", "helpers", "common", "base"}, path


def test_top_folder_holds_what_the_layout_says():
    made = {"demo.png", "demo_data", "text_classification.png", "text_prediction.png", "text_model"}
    made |= {"code_summarization.png", "summary_model"}
    tracked = {path.name for path in ROOT.iterdir()} - {".git", ".venv"} - made
    extra = {n for n in tracked if not n.startswith(".") and n not in TOP and n != "site"}
    extra = {n for n in extra if not n.endswith(".egg-info") and n not in {"build", "dist"}}
    assert not extra and tracked >= TOP


def test_version_is_the_newest_in_the_changelog():
    text = (ROOT / "docs/pages/changelog.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", text, re.MULTILINE)
    assert newest and newest[1] == import_module("tgraph_attn").__version__


@pytest.mark.parametrize("path", TESTS, ids=lambda p: p.stem)
def test_no_test_compares_a_thing_with_itself(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare):
            sides = [ast.dump(side) for side in (node.left, *node.comparators)]
            assert len(set(sides)) == len(sides), f"{path.name}:{node.lineno}"
