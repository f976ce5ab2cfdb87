"""Which optional packages are there, and what to say when one is not."""

import functools
import importlib
import importlib.util
from types import ModuleType

_EXTRA = {
    "torch_scatter": "pip install --no-build-isolation torch-scatter",
    "torch_sparse": "pip install --no-build-isolation torch-sparse",
    "matplotlib": 'pip install "tgraph_attn[viz]"',
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
    """Return the package, or raise ImportError that says how to get it."""
    if not is_available(name):
        install = _EXTRA.get(name, f"pip install {name.replace('_', '-')}")
        raise ImportError(
            f"{owner} needs {name.replace('_', '-')}, which is not installed or does not load. "
            f"{instead}{' Or ' if instead else ''}{install}."
        )
    return importlib.import_module(name)
