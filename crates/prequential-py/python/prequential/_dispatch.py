"""The driver's side of an executor: chunks by estimated cost, retries, and the name of a family that kills its workers."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent import futures
from typing import Any

from . import _native
from ._worker import Job, Payload, put, score_chunk

#: Approximate seconds of work in a chunk.
CHUNK_SECONDS = 1.0

#: How often a chunk is tried; a failed one is split first.
MAX_TRIES = 3

#: The initial estimate of the seconds for a family, by its number of parents.
GUESS = 0.02


class WorkerError(RuntimeError):
    """A family killed its workers."""


class Dispatcher:
    """Submits jobs to an executor, the costly ones first, and collects the results; the library calls `start`, `next` and `cancel`."""

    def __init__(self, executor: Any, table: _native.Table, options: str, names: Sequence[str]) -> None:
        self.executor = as_executor(executor)
        self.slots = n_slots(self.executor)
        self.payload = put(self.executor, Payload(table, options))
        self.names = list(names)
        self.seconds: dict[int, float] = {}
        self.waiting: list[Job] = []
        self.running: dict[futures.Future[list[tuple[int, bytes]]], tuple[list[Job], int, float]] = {}
        self.networks = False
        #: Jobs whose children are scored one by one: how many are left, and the codes of the others.
        self.parts: dict[int, tuple[int, bytes]] = {}
        #: Families whose worker was ended, and the number of the next try. Executors also blame what waits at a worker that another family ends:
        #: so each of these is tried with nothing beside it.
        self.suspects: list[tuple[list[Job], int]] = []

    def start(self, jobs: list[tuple[list[int], list[int]]], networks: bool) -> None:
        numbered = [(place, parents, children) for place, (parents, children) in enumerate(jobs)]
        # The last ones are taken first.
        self.waiting = sorted(numbered, key=lambda job: len(job[1]))
        self.parts.clear()
        self.suspects.clear()
        self.networks = networks
        self._fill()

    def next(self, seconds: float) -> list[tuple[int, bytes]]:
        """The families scored by now; waits this long if there are none."""
        done, _ = futures.wait(self.running, timeout=seconds, return_when=futures.FIRST_COMPLETED)
        scored: list[tuple[int, bytes]] = []
        for future in done:
            jobs, tries, start = self.running.pop(future)
            try:
                codes = future.result()
            except Exception as error:
                self._retry(jobs, tries, error)
                continue
            scored += [whole for code in codes if (whole := self._whole(*code)) is not None]
            self._learn(jobs, time.monotonic() - start)
        self._fill()
        return scored

    def _whole(self, place: int, codes: bytes) -> tuple[int, bytes] | None:
        """The codes of a job; `None` if it was split and not all of its children are scored."""
        if place not in self.parts:
            return place, codes
        n_left, known = self.parts[place]
        self.parts[place] = (n_left - 1, known + codes)
        return (place, known + codes) if n_left == 1 else None

    def cancel(self) -> None:
        self.waiting.clear()
        self.suspects.clear()
        for future in self.running:
            future.cancel()
        self.running.clear()

    def _cost(self, job: Job) -> float:
        return self.seconds.get(len(job[1]), GUESS * (1 + len(job[1]))) * len(job[2])

    def _learn(self, jobs: list[Job], seconds: float) -> None:
        """Updates the cost of a family with this many parents; two chunks are queued for each slot."""
        sizes = {len(parents) for _, parents, _ in jobs}
        if len(sizes) == 1:
            (size,) = sizes
            measured = seconds / 2 / sum(len(children) for _, _, children in jobs)
            self.seconds[size] = 0.5 * (measured + self.seconds.get(size, measured))

    def _fill(self) -> None:
        while self.waiting and len(self.running) < 2 * self.slots:
            # Small chunks at the end, so that no worker is left alone with a long one.
            fair = sum(map(self._cost, self.waiting)) / (2 * self.slots)
            chunk: list[Job] = []
            cost = 0.0
            while self.waiting and (not chunk or cost < min(CHUNK_SECONDS, fair)):
                chunk.append(self.waiting.pop())
                cost += self._cost(chunk[-1])
            self._submit(chunk, 1)
        if self.suspects and not self.running:
            self._submit(*self.suspects.pop(0))

    def _submit(self, jobs: list[Job], tries: int) -> None:
        try:
            future = self.executor.submit(score_chunk, self.payload, jobs, self.networks)
        except futures.BrokenExecutor as error:
            raise self._broken(error) from error
        self.running[future] = (jobs, tries, time.monotonic())

    def _retry(self, jobs: list[Job], tries: int, error: Exception) -> None:
        if isinstance(error, (ValueError, MemoryError)):
            raise error  # the library's own, with its hint
        if isinstance(error, futures.BrokenExecutor):
            self.running[futures.Future()] = (jobs, tries, 0.0)
            raise self._broken(error)
        place, parents, children = jobs[0]
        if len(jobs) > 1:
            for job in jobs:
                self._submit([job], 1)
        elif len(children) > 1:
            self.parts[place] = (len(children), b"")
            for child in children:
                self._submit([(place, parents, [child])], 1)
        elif tries < MAX_TRIES:
            self.suspects.append((jobs, tries + 1))
        else:
            raise WorkerError(self._crash(parents, children, error))

    def _crash(self, parents: list[int], children: list[int], error: Exception) -> str:
        return (
            f"{self._named(parents, children)} ended its worker {MAX_TRIES} times ({type(error).__name__}: {error})\n"
            "hint: give workers more memory, leave out one of these columns with `ignore`, or lower `max_parents`"
        )

    def _broken(self, error: Exception) -> WorkerError:
        chunks = [jobs for jobs, _, _ in self.running.values()]
        families = [self._named(parents, children) for jobs in chunks for _, parents, children in jobs]
        shown = "; ".join(families[:5]) + (f" and {len(families) - 5} more" if len(families) > 5 else "")
        return WorkerError(
            f"a worker died, and with it the executor ({error}); at work were {shown}\n"
            "hint: run it again with a new executor; with `store`, what was scored is kept. Ray and Dask replace workers that die"
        )

    def _named(self, parents: list[int], children: list[int]) -> str:
        child = ", ".join(self.names[child] for child in children)
        return f"`{child} | {', '.join(self.names[parent] for parent in parents)}`"


def as_executor(executor: Any) -> Any:
    """An executor of `concurrent.futures`, or that of a Dask client."""
    if hasattr(executor, "submit") and hasattr(executor, "get_executor"):  # a Dask client
        from .executors import DaskExecutor

        return DaskExecutor(executor)
    if not hasattr(executor, "submit"):
        raise TypeError(
            f"`executor` is {type(executor).__name__}, but must be a concurrent.futures.Executor, a Dask client or "
            "prequential.executors.RayExecutor()"
        )
    return executor


def n_slots(executor: Any) -> int:
    """How many chunks it works on at once, as far as it tells."""
    for name in ("n_slots", "_max_workers", "num_workers"):
        found = getattr(executor, name, None)
        if isinstance(found, int) and found > 0:
            return found
    return os.cpu_count() or 1
