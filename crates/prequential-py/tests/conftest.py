"""Tables that several tests use. The tests run on the installed package."""

import json
import math
from pathlib import Path

import pytest

import prequential

TOP = Path(__file__).resolve().parents[3]


def mixed_columns(rows=300):
    """A table of every kind of column, as plain lists; some cells are missing."""
    places = range(rows)
    noise = [math.sin(37.0 * row * row) for row in places]
    return {
        "dose": [None if row % 41 == 7 else round(math.cos(row) + 0.1 * noise[row], 6) for row in places],
        "visits": [None if row % 29 == 3 else (row * 7919) % 4 for row in places],
        "weight": [None if row % 53 == 5 else (row * 104729) % 997 for row in places],
        "cured": [None if row % 31 == 2 else (row * 31 + row // 7) % 3 == 0 for row in places],
        "arm": [None if row % 43 == 1 else ["placebo", "low", "high"][(row * 13 + row // 5) % 3] for row in places],
        "day": [None if row % 47 == 9 else f"2021-{1 + row % 12:02}-{1 + row % 28:02}" for row in places],
    }


@pytest.fixture(scope="session")
def csv(tmp_path_factory):
    """The table of every kind as a CSV file."""
    columns = mixed_columns()
    path = tmp_path_factory.mktemp("tables") / "mixed.csv"
    cell = lambda value: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)  # noqa: E731
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(cell, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="session")
def asia():
    """A small table of labels, and the graph that made it."""
    return prequential.simulate("asia", rows=1000, seed=1)


def content(result):
    """A result without what depends on the clock and on where the table came from."""
    data = result.to_dict()
    del data["cost"]
    for key in ("path", "sha256", "options"):
        del data["data"][key]
    data["data"].pop("notes", None)
    return json.dumps(data)
