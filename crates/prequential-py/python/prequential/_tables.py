"""Converts tables of any library: by the Arrow C interface if there is one, else column by column."""

from __future__ import annotations

import datetime
import decimal
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._options import to_json

#: A column as the native part takes it: name, how its cells are kept, cells, what they need besides.
RawColumn = tuple[str, str, Any, Any]

#: How many of them a day has, by numpy's names of units.
UNITS_PER_DAY = {"D": 1, "h": 24, "m": 1440, "s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def table(data: Any, given: Mapping[str, Any], mask: Any = None) -> _native.Table:
    """The table in `data`, read with the options that were given; `mask` marks the cells that were set by intervention."""
    options = dict(given)
    raw_mask = None
    if isinstance(mask, (str, os.PathLike)):
        options["intervention_mask"] = os.fspath(mask)
    elif mask is not None:
        raw_mask = columns(mask)
    if isinstance(data, (str, os.PathLike)):
        return _native.Table.read(os.fspath(data), to_json(options), raw_mask)
    if isinstance(data, _native.Table):
        return data
    if hasattr(data, "collect") and not hasattr(data, "__arrow_c_stream__"):
        data = data.collect()  # a lazy frame of polars
    categories = categorical_names(data)
    if categories:
        options["labels"] = with_categories(options, categories)
    if has_arrow(data):
        return _native.Table.from_arrow(without_index(data), to_json(options), raw_mask)
    return _native.Table.from_columns(columns(data), to_json(options), raw_mask)


def with_categories(options: Mapping[str, Any], categories: Sequence[str]) -> list[str]:
    """The columns to read as categorical: those that are named, and those of a categorical type."""
    labels = list(options.get("labels", []))
    ordered = [column for column, _ in options.get("ordered", [])]
    other = {*labels, *options.get("numbers", []), *ordered, *options.get("ignore", []), options.get("interventions")}
    kept = options.get("columns") or categories
    return labels + [name for name in categories if name not in other and name in kept]


def has_arrow(data: Any) -> bool:
    """Whether the columns are available by the Arrow C interface; of pandas only where there is pyarrow too."""
    if not hasattr(data, "__arrow_c_stream__"):
        return False
    if not is_pandas(data):
        return True
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    # Arrow has no type for objects of several types; names that are no texts are ours to word.
    return all(isinstance(name, str) for name in data.columns) and not any(
        dtype == object for dtype in data.dtypes
    )


def without_index(data: Any) -> Any:
    """The frame without the index of pandas, which is not a column."""
    return data.reset_index(drop=True) if is_pandas(data) else data


def is_pandas(data: Any) -> bool:
    return type(data).__module__.split(".")[0] == "pandas"


def categorical_names(data: Any) -> list[str]:
    """The columns of a categorical type."""
    if is_pandas(data):
        return [str(name) for name, dtype in data.dtypes.items() if str(dtype) == "category"]
    if type(data).__module__.split(".")[0] == "polars":
        if not hasattr(data, "schema"):
            return []
        return [name for name, dtype in data.schema.items() if str(dtype).startswith(("Categorical", "Enum"))]
    if type(data).__module__.split(".")[0] == "pyarrow" and hasattr(data, "schema"):
        return [field.name for field in data.schema if str(field.type).startswith("dictionary")]
    return []


def columns(data: Any) -> list[RawColumn]:
    """The columns of a frame without Arrow, of a mapping, or of an array with names."""
    if is_pandas(data) or hasattr(data, "to_dict") and hasattr(data, "columns"):
        if is_pandas(data):
            return [_column(str(name), data.iloc[:, place]) for place, name in enumerate(data.columns)]
        return [_column(str(name), data[name]) for name in data.columns]
    if isinstance(data, Mapping):
        return [_column(str(name), cells) for name, cells in data.items()]
    names = getattr(getattr(data, "dtype", None), "names", None)
    if names:
        return [_column(name, data[name]) for name in names]
    raise TypeError(_no_table(data))


def array_columns(array: Any, names: Sequence[str]) -> dict[str, Any]:
    """The columns of a two-dimensional array, by name."""
    if getattr(array, "ndim", None) != 2:
        raise ValueError(f"expected an array of rows and columns, found {getattr(array, 'ndim', 'no')} dimensions")
    if len(names) != array.shape[1]:
        raise ValueError(f"expected a name for each of {array.shape[1]} columns, found {len(names)} in `names`")
    return {str(name): array[:, place] for place, name in enumerate(names)}


def _no_table(data: Any) -> str:
    hint = "give a frame of pandas, polars or pyarrow, a relation of duckdb, a mapping of names to columns, or a path"
    if hasattr(data, "shape"):
        hint = "an array has no names: give them with `names=[...]`"
    return f"expected a table, found {type(data).__name__}\nhint: {hint}"


def _column(name: str, cells: Any) -> RawColumn:
    """A column by its declared type, or by its cells."""
    dtype = getattr(cells, "dtype", None)
    if str(dtype) == "category":
        return _categories(name, cells)
    if hasattr(cells, "isna"):  # pandas: its own types of missing cells
        return _pandas_column(name, cells)
    if hasattr(cells, "__array__") and dtype is not None:
        return _array_column(name, _numpy().asarray(cells), None)
    return _list_column(name, list(cells))


def _numpy() -> Any:
    import numpy

    return numpy


def _categories(name: str, cells: Any) -> RawColumn:
    levels = [_text(level) or "" for level in cells.cat.categories]
    return name, "categories", _numpy().ascontiguousarray(cells.cat.codes.to_numpy(), dtype="int64"), levels


def _pandas_column(name: str, cells: Any) -> RawColumn:
    numpy = _numpy()
    missing = cells.isna().to_numpy(dtype=bool)
    kind = getattr(cells.dtype, "kind", "O")
    if getattr(cells.dtype, "tz", None) is not None:
        cells = cells.dt.tz_convert("UTC").dt.tz_localize(None)
        kind = "M"
    if kind == "M":
        return _array_column(name, cells.to_numpy(), missing)
    if kind in "iub":
        plain = cells.to_numpy(dtype={"i": "int64", "u": "uint64", "b": "bool"}[kind], na_value=0) if missing.any() else cells.to_numpy()
        return _array_column(name, numpy.asarray(plain, dtype={"i": "int64", "u": "uint64", "b": "bool"}[kind]), missing)
    if kind == "f":
        width = "float32" if str(cells.dtype).lower() == "float32" else "float64"
        return _array_column(name, cells.to_numpy(dtype=width, na_value=numpy.nan), None)
    return _list_column(name, [None if gone else cell for cell, gone in zip(cells, missing, strict=True)])


def _array_column(name: str, array: Any, missing: Any) -> RawColumn:
    numpy = _numpy()
    kind = array.dtype.kind
    gone = None if missing is None or not missing.any() else numpy.ascontiguousarray(missing, dtype="uint8")
    if kind == "f":
        if array.dtype.itemsize <= 4:
            return name, "single", numpy.ascontiguousarray(array, dtype="float32"), None
        return name, "numbers", numpy.ascontiguousarray(array, dtype="float64"), None
    if kind == "i" or kind == "u" and (array.size == 0 or array.max() <= numpy.iinfo("int64").max):
        return name, "integers", numpy.ascontiguousarray(array, dtype="int64"), gone
    if kind == "b":
        return name, "booleans", numpy.ascontiguousarray(array, dtype="uint8"), gone
    if kind == "M":
        unit, step = numpy.datetime_data(array.dtype)
        if unit in UNITS_PER_DAY and step == 1:
            counts = numpy.ascontiguousarray(array).view("int64")
            nat = numpy.ascontiguousarray(numpy.isnat(array), dtype="uint8")
            return name, "times", counts, (nat, UNITS_PER_DAY[unit])
    return _list_column(name, array.tolist())


def _list_column(name: str, cells: list[Any]) -> RawColumn:
    """A column of Python's own values: of one type it is kept as that type, else as texts."""
    cells = [None if _is_missing(cell) else cell for cell in cells]
    types = {type(cell) for cell in cells if cell is not None}
    if types and types <= {int, float}:
        import array

        if types == {int} and all(cell is None or abs(cell) < 2**63 for cell in cells):
            gone = bytes(cell is None for cell in cells)
            return name, "integers", array.array("q", [cell or 0 for cell in cells]), gone if any(gone) else None
        if float in types:
            return name, "numbers", array.array("d", [float("nan") if cell is None else cell for cell in cells]), None
    return name, "texts", [_text(cell) for cell in cells], None


def _is_missing(cell: Any) -> bool:
    if cell is None:
        return True
    # NaN, NaT and pandas.NA: not equal to themselves, or not saying.
    return isinstance(cell, float) and cell != cell or type(cell).__name__ in ("NAType", "NaTType")


def _text(cell: Any) -> str | None:
    """A cell as a CSV file would have it."""
    if cell is None:
        return None
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, bool) or type(cell).__name__ == "bool_":
        return "true" if cell else "false"
    if isinstance(cell, datetime.datetime):
        if cell.tzinfo is not None:
            cell = cell.astimezone(datetime.UTC).replace(tzinfo=None)
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat()
    if isinstance(cell, (datetime.date, decimal.Decimal, int, float)):
        return cell.isoformat() if isinstance(cell, datetime.date) else str(cell)
    if hasattr(cell, "item"):
        return _text(cell.item())
    if isinstance(cell, bytes):
        return cell.decode("utf-8")
    raise TypeError(f"expected numbers, texts, dates or truth values, found {type(cell).__name__}")
