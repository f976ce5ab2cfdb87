"""What the README and the pages say in Python runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "pages").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What a page has in it that needs a package of an extra.
EXTRAS = {
    "matplotlib": "matplotlib",
    "tgraph_attn.viz": "matplotlib",
    "DecodingSettings": "transformers",
}
WITH_CODE = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    for word, package in EXTRAS.items():
        if any(word in block for block in blocks):
            pytest.importorskip(package)
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)


def test_the_readme_is_short_and_names_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert "make demo" in text and "make test" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_inside_the_repository_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_files_that_the_sources_page_names_exist():
    text = (ROOT / "docs/pages/sources.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:ops|nn|models|relations|convert|linearize)/[\w/]+\.py)`", text)
    assert len(named) > 5
    for name in named:
        assert (ROOT / "tgraph_attn" / name).exists(), name
