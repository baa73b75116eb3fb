"""Executors for clusters: `executor=` of `prequential.learn` takes these, and any `concurrent.futures.Executor`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class DaskExecutor(Executor):
    """The workers of a Dask client, which replaces those that die. `pip install prequential[dask]`."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(retries=3, pure=False)

    @property
    def n_slots(self) -> int:
        """How many tasks the workers run at a time."""
        return max(1, sum(self._client.nthreads().values()))

    def put(self, value: Any) -> Any:
        """Hands a value to the workers once."""
        return self._client.scatter(value, broadcast=True, hash=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs a function on a worker."""
        return self._executor.submit(fn, *args, **kwargs)
