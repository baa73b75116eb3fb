"""The options of runs: their types, and their conversion for the native module."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypedDict

from ._graphs import edge_pairs

EstimatorName = Literal[
    "auto", "counts", "linear", "fourier", "neural", "mix", "bic", "aic", "fnml", "qnml", "gaussian-bic", "bge"
]
SearchName = Literal["auto", "exhaustive", "exact", "ilp", "hill-climb", "order"]
PresetName = Literal["default", "paper"]
BinningName = Literal["normal", "tanh", "tanh-standardised"]
InputsName = Literal["quantised", "raw"]
RowOrderName = Literal["shuffled", "given"]
ScheduleName = Literal["replay", "blockwise"]
OptimiserName = Literal["adam", "rmsprop", "momentum"]
Names = str | Iterable[str]
Ordered = Names | Mapping[str, Iterable[str]]
Edges = str | Iterable[str | tuple[str, str]]
Path = str | os.PathLike[str]

#: Options for reading a table; each takes a name or several, but `interventions` one, and `ordered` labels too.
TABLE_OPTIONS = ("columns", "ignore", "labels", "numbers", "ordered", "missing", "interventions")

#: Options of which each takes a name or several.
LISTED = ("columns", "ignore", "labels", "numbers", "missing", "roots", "leaves", "context")


class ScoringOptions(TypedDict, total=False):
    """The options of `learn` for reading the table and scoring families."""

    names: Iterable[str] | None
    columns: Names
    ignore: Names
    labels: Names
    numbers: Names
    ordered: Ordered
    missing: Names
    interventions: str | None
    intervention_mask: Any
    estimator: EstimatorName
    preset: PresetName
    alpha: float | None
    ess: float | None
    bins: int | None
    binning: BinningName | None
    inputs: InputsName | None
    max_parents: int | None
    max_configurations: int | None
    seed: int
    row_orders: int
    row_order: RowOrderName
    threads: int | None
    memory_limit: int | str
    store: Path | None
    require: Edges
    forbid: Edges
    tiers: Iterable[Names]
    roots: Names
    leaves: Names
    context: Names
    knowledge: Path | None
    networks: int | None
    networks_everywhere: bool
    schedule: ScheduleName | None
    hidden: Iterable[int] | None
    optimiser: OptimiserName | None
    learning_rate: float | Iterable[float] | None
    steps: int | None
    batch: int | None
    no_calibration: bool
    splits: int | None
    first_split: int | None
    calibration_rate: float | None
    dropout: float | None
    frequencies: int | None
    frequency_scale: float | None
    patience: int | None
    evaluation_interval: int | None
    validation_share: float | None
    warm_start: bool


def split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the table, and those of the run, without those that were not given."""
    given = {name: _plain(name, value) for name, value in options.items() if value is not None}
    of_table = {name: given.pop(name) for name in TABLE_OPTIONS if name in given}
    return of_table, given


def to_json(options: Mapping[str, Any]) -> str:
    """Options as the native module reads them; numpy numbers are accepted."""
    return json.dumps(dict(options), default=_number)


def _number(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"expected a number, a text or a truth value, found {type(value).__name__}")


def _plain(name: str, value: Any) -> Any:
    if name in LISTED:
        return names(value)
    if name == "ordered":
        levels = value if isinstance(value, Mapping) else dict.fromkeys(names(value), ())
        return [[str(column), names(labels)] for column, labels in levels.items()]
    if name in ("require", "forbid"):
        return edge_pairs(value)
    if name == "tiers":
        return [names(tier) for tier in value]
    if name == "learning_rate":
        return [value] if isinstance(value, (int, float)) else [float(rate) for rate in value]
    if name == "hidden":
        return list(value)
    if name == "time_limit" and isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def names(value: Any) -> list[str]:
    """One name or several as a list."""
    return [value] if isinstance(value, str) else [str(name) for name in value]
