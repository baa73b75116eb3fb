"""The pages of the site: their cells are Python, and the quick ones run. `make docs` runs all of them."""

import contextlib
import hashlib
import io
import re
import warnings

import pytest
from conftest import TOP

import prequential

PAGES = TOP / "docs"

#: Seconds, each.
QUICK = ["index", "interventions", "tour"]


def test_bundled_tables_are_those_that_their_readme_names():
    listed = re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", (TOP / "data" / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(listed) >= 6
    for name, checksum in listed:
        assert hashlib.sha256((TOP / "data" / name).read_bytes()).hexdigest() == checksum, name


def cells(name):
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    found = re.findall(r"^```\{code-cell\} ipython3\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    # Without the options of a cell.
    return [re.sub(r"\A(:[a-z-]+:.*\n)+", "", cell) for cell in found]


def pages():
    """Those with cells."""
    return sorted(path.stem for path in PAGES.glob("*.md") if cells(path.stem))


def test_every_page_is_listed_and_its_cells_are_python():
    assert {"effects", "evidence", "index", "interventions", "method", "tour", "wide"} <= set(pages())
    listed = (PAGES / "index.md").read_text(encoding="utf-8")
    for page in PAGES.glob("*.md"):
        assert page.stem == "index" or re.search(rf"^{page.stem}$", listed, re.MULTILINE), page
    for name in pages():
        for number, cell in enumerate(cells(name)):
            compile(cell, f"{name}.md, cell {number}", "exec")


def test_the_interface_is_documented():
    listed = (PAGES / "api.md").read_text(encoding="utf-8")
    assert [name for name in prequential.__all__ if not re.search(rf":: {name}$", listed, re.MULTILINE)] == []


@pytest.mark.parametrize("name", QUICK)
def test_quick_pages_run(name, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(PAGES)
    scope = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cell in cells(name):
            exec(cell, scope)
    result = scope["result"]
    if name == "interventions":
        assert set(result.graph.edges) == set(scope["truth"].edges)
    if name == "tour":
        # What the page says about the graph.
        assert set(result.graph.edges) == set(scope["known"].graph.edges)
        measured = {"bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"}
        assert all(result.graph.has_edge("species", name) for name in measured)
        assert not any(child in {"species", "sex", "year"} for _, child in result.graph.edges)
