"""The options of runs: how they are handed to the native module, and how `help` and editors see them."""

from __future__ import annotations

import datetime
import inspect
import json
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from . import _native
from ._graphs import edge_pairs, named_edges

Function = TypeVar("Function", bound=Callable[..., Any])


class Option(NamedTuple):
    """An entry of the library's table of options."""

    name: str
    kind: str
    default: Any
    help: str


#: All options of runs, in the order in which they are shown.
OPTIONS = {name: Option(name, kind, json.loads(default), text) for name, kind, default, text in _native.options()}


def checked(options: Mapping[str, Any], keywords: type) -> dict[str, Any]:
    """The options that were given, as the native part takes them; those that are none of `keywords` are refused."""
    _native.check_names(list(options), list(keywords.__annotations__))
    return {name: _plain(name, value) for name, value in options.items() if value is not None}


def to_json(options: Mapping[str, Any]) -> str:
    """Options as the native module reads them; numpy numbers are accepted."""
    return json.dumps(dict(options), default=_number)


def _number(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"expected a number, a text or a truth value, found {type(value).__name__}")


def _plain(name: str, value: Any) -> Any:
    kind = OPTIONS[name].kind
    if kind == "names":
        return names(value)
    if kind == "ordered":
        levels = value if isinstance(value, Mapping) else dict.fromkeys(names(value), ())
        return [[str(column), names(labels)] for column, labels in levels.items()]
    if kind == "edges":
        return edge_pairs(value)
    if kind == "graph":
        return named_edges(value)[1]
    if kind == "tiers":
        return [names(tier) for tier in value]
    if kind == "numbers":
        return [value] if isinstance(value, (int, float)) else [float(number) for number in value]
    if kind == "wholes":
        return list(value)
    if kind == "time" and isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if kind == "file" and isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def names(value: Any) -> list[str]:
    """One name or several as a list."""
    return [value] if isinstance(value, str) else [str(name) for name in value]


def documented(keywords: type) -> Callable[[Function], Function]:
    """Gives a function that takes `keywords` their signature, and their help in place of `{options}` in its documentation."""

    def with_options(function: Function) -> Function:
        types = {name: getattr(kind, "__forward_arg__", kind) for name, kind in keywords.__annotations__.items()}
        own = [given for given in inspect.signature(function).parameters.values() if given.kind != inspect.Parameter.VAR_KEYWORD]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(option), annotation=types[name])
            for name, option in OPTIONS.items()
            if name in types
        ]
        signature = inspect.signature(function).replace(parameters=[*own, *more])
        setattr(function, "__signature__", signature)  # noqa: B010
        described = [f"{name}\n        {option.help}." for name, option in OPTIONS.items() if name in types]
        function.__doc__ = (function.__doc__ or "").replace("{options}", "\n    ".join(described))
        return function

    return with_options


def _default(option: Option) -> Any:
    return () if option.default == [] else option.default
