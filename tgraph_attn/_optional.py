"""Which optional packages are there, and what to say when one is not."""

import functools
import importlib
import importlib.util
import shutil
from types import ModuleType

_EXTRA = {
    "torch_scatter": "pip install --no-build-isolation torch-scatter",
    "torch_sparse": "pip install --no-build-isolation torch-sparse",
    "matplotlib": 'pip install "tgraph_attn[viz]"',
    "nltk": 'pip install "tgraph_attn[metrics]"',
    "pycocoevalcap": 'pip install "tgraph_attn[metrics]"',
    "rouge_score": 'pip install "tgraph_attn[metrics]"',
    "sacrebleu": 'pip install "tgraph_attn[metrics]"',
    "tokenizers": 'pip install "tgraph_attn[pretrained]"',
    "transformers": 'pip install "tgraph_attn[pretrained]"',
    "tree_sitter_c": 'pip install "tgraph_attn[grammars]"',
    "tree_sitter_cpp": 'pip install "tgraph_attn[grammars]"',
    "tree_sitter_javascript": 'pip install "tgraph_attn[grammars]"',
    "tree_sitter_typescript": 'pip install "tgraph_attn[grammars]"',
    "tree_sitter_go": 'pip install "tgraph_attn[grammars]"',
    "tree_sitter_rust": 'pip install "tgraph_attn[grammars]"',
}


@functools.cache
def is_available(name: str) -> bool:
    """Whether the package can be imported: there, not a bare folder of that name, not broken."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            return False
        importlib.import_module(name)
    except Exception:  # a compiled extension that does not fit raises OSError, or worse
        return False
    return True


def require(owner: str, name: str, instead: str = "") -> ModuleType:
    """Return the package, or a module of it, or raise ImportError that says how to get it."""
    if not is_available(name):
        package = name.partition(".")[0]
        install = _EXTRA.get(package, f"pip install {package.replace('_', '-')}")
        raise ImportError(
            f"{owner} needs {package.replace('_', '-')}, which is not installed or does not load. "
            f"{instead}{' Or ' if instead else ''}{install}."
        )
    return importlib.import_module(name)


def require_java(owner: str) -> str:
    """Return where the program java is, or raise ImportError, as for a package."""
    java = shutil.which("java")
    if java is None:
        raise ImportError(
            f"{owner}: Java not found: it needs the program java on PATH. Install a Java runtime, "
            f"8 or later, or leave {owner} out."
        )
    return java
