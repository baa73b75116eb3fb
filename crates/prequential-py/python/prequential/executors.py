"""Executors for clusters: `executor=` of `prequential.learn` takes these, and any `concurrent.futures.Executor`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class RayExecutor(Executor):
    """Plain tasks of Ray, which replaces workers and nodes that die. `pip install prequential[ray]`.

    Call `ray.init(address=...)` first, or it starts Ray on this machine.
    """

    def __init__(self, *, num_cpus: float = 1, max_retries: int = 3) -> None:
        import ray

        if not ray.is_initialized():
            ray.init(include_dashboard=False)
        self._ray = ray
        self._options = {"num_cpus": num_cpus, "max_retries": max_retries}
        self._num_cpus = num_cpus

    @property
    def n_slots(self) -> int:
        """How many tasks fit into the cluster at present."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1) / self._num_cpus))

    def put(self, value: Any) -> Any:
        """Sends a value to the workers once."""
        return self._ray.put(value)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs a function on the cluster. Cancelling the future ends its task at once, even if it is running."""
        task = self._ray.remote(fn).options(**self._options).remote(*args, **kwargs)
        future: Future[Any] = task.future()
        future.add_done_callback(lambda done: self._ray.cancel(task, force=True) if done.cancelled() else None)
        return future


class DaskExecutor(Executor):
    """The workers of a Dask client, which replaces those that die. `pip install prequential[dask]`."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(retries=3, pure=False)

    @property
    def n_slots(self) -> int:
        """How many tasks the workers run at once."""
        return max(1, sum(self._client.nthreads().values()))

    def put(self, value: Any) -> Any:
        """Sends a value to the workers once."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            # As a task, not scattered: scattered data are lost with the last worker that has them, a task is run again.
            return self._client.submit(_same, value, pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs a function on a worker."""
        return self._executor.submit(fn, *args, **kwargs)


def _same(value: Any) -> Any:
    return value
