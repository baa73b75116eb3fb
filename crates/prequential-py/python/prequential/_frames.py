"""Frames for people: of pandas if there is pandas, else of polars, else plain lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def frame(rows: list[dict[str, Any]], columns: list[str]) -> Any:
    """A frame with these columns."""
    by_column = {name: [row.get(name) for row in rows] for name in columns}
    made = from_columns(by_column)
    return rows if made is by_column else made


def from_columns(columns: Mapping[str, Any]) -> Any:
    """A frame of these columns; without pandas and polars the columns themselves."""
    try:
        import pandas

        return pandas.DataFrame(columns)
    except ImportError:
        pass
    try:
        import polars

        return polars.DataFrame(columns)
    except ImportError:
        return columns
