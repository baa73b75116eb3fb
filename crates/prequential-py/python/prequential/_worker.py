"""What runs on a worker of an executor: prepares a run's table once, scores chunks of families."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from typing import Any

from . import _native

#: Families with the same parents: the place of the job, the parents and the children by their numbers.
Job = tuple[int, list[int], list[int]]

#: Prepared tables of this process; a run and the next one.
MAX_PREPARED = 2
_prepared: OrderedDict[str, _native.Worker] = OrderedDict()
_lock = threading.Lock()


class Payload:
    """The table and the options of a run, under a name by which a worker knows that it has them already."""

    def __init__(self, table: _native.Table, options: str) -> None:
        self.key = uuid.uuid4().hex
        self.table = table
        self.options = options

    def worker(self) -> _native.Worker:
        with _lock:
            if self.key not in _prepared:
                _prepared[self.key] = _native.Worker(self.table, self.options)
                while len(_prepared) > MAX_PREPARED:
                    _prepared.popitem(last=False)
            _prepared.move_to_end(self.key)
            return _prepared[self.key]


def score_chunk(payload: Payload, jobs: list[Job], networks: bool) -> list[tuple[int, bytes]]:
    """The codes of every job, with its place."""
    worker = payload.worker()
    return [(place, worker.score(parents, children, networks)) for place, parents, children in jobs]


def put(executor: Any, payload: Payload) -> Any:
    """The payload as this executor sends it to its workers: once if possible, not with every chunk."""
    return executor.put(payload) if hasattr(executor, "put") else payload
