"""The keywords of runs and their types: made from the library's table of options by `make keywords`, not by hand."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypedDict

Names = str | Iterable[str]
Ordered = Names | Mapping[str, Iterable[str]]
Edges = str | Iterable[str | tuple[str, str]]
Path = str | os.PathLike[str]
EstimatorName = Literal[
    "auto",
    "counts",
    "linear",
    "fourier",
    "neural",
    "mix",
    "bic",
    "aic",
    "fnml",
    "qnml",
    "gaussian-bic",
    "bge",
]
PresetName = Literal[
    "default",
    "paper",
]
BinningName = Literal[
    "normal",
    "tanh",
    "tanh-standardised",
]
ParentValuesName = Literal[
    "quantised",
    "raw",
]
RowOrderName = Literal[
    "shuffled",
    "given",
]
ScheduleName = Literal[
    "replay",
    "blockwise",
]
OptimiserName = Literal[
    "adam",
    "rmsprop",
    "momentum",
]
SearchName = Literal[
    "auto",
    "exhaustive",
    "exact",
    "ilp",
    "hill-climb",
    "order",
]


class ScoringOptions(TypedDict, total=False):
    """How to read a table and how to score families."""

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
    parent_values: ParentValuesName | None
    max_parents: int | None
    max_configurations: int | None
    seed: int
    permutations: int
    row_order: RowOrderName
    threads: int | None
    memory_limit: int | str
    store: Path | None
    networks: int | None
    train_all_networks: bool
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
    require: Edges
    forbid: Edges
    tiers: Iterable[Names]
    roots: Names
    leaves: Names
    context: Names
    knowledge: Path | None
    time_limit: float | str | datetime.timedelta | None


class LearnOptions(ScoringOptions, total=False):
    """All options of a run."""

    search: SearchName
    restarts: int | None
    tabu_steps: int | None
    start: Any
    top: int
