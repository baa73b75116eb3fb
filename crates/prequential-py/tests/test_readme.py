"""The README's Python prints what it says."""

import contextlib
import io
import re

import pytest
from conftest import TOP


def test_the_example_prints_what_the_readme_says(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    code, said = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", readme, re.DOTALL).groups()
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, {})
    assert out.getvalue().rstrip() == said.rstrip()
    assert (tmp_path / "report.html").exists()
