"""Families scored by executors: the same bytes as by threads, and a family that ends its worker is named."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent import futures
from pathlib import Path

import pytest
from conftest import content, mixed_columns

import prequential

SETTINGS = {"estimator": "linear", "max_parents": 2, "seed": 3, "ignore": ["day", "weight"]}


@pytest.fixture(scope="module")
def expected():
    return content(prequential.learn(mixed_columns(), **SETTINGS))


def same(executor, expected, **options):
    assert content(prequential.learn(mixed_columns(), executor=executor, **SETTINGS, **options)) == expected


def test_threads(expected):
    with futures.ThreadPoolExecutor(2) as executor:
        same(executor, expected)


def test_processes_and_one_store_that_the_driver_writes(expected, tmp_path):
    store = tmp_path / "codes.store"
    with futures.ProcessPoolExecutor(2) as executor:
        same(executor, expected, store=store)
    again = prequential.learn(mixed_columns(), store=store, **SETTINGS)
    assert content(again) == expected
    cost = again.to_dict()["cost"]
    assert cost["reused_families"] == cost["families"] > 0


def test_loky(expected):
    loky = pytest.importorskip("loky")
    with loky.ProcessPoolExecutor(2) as executor:
        same(executor, expected)


def test_networks_are_trained_by_workers_to_the_same_bytes():
    table, _ = prequential.simulate("star5", rows=200, seed=1)
    expected = prequential.learn(table, estimator="mix", seed=3)
    assert expected.to_dict()["cost"]["training_runs"] > 0
    with futures.ProcessPoolExecutor(2) as executor:
        result = prequential.learn(table, estimator="mix", seed=3, executor=executor)
    assert content(result) == content(expected)


def test_scoring_and_lazy_searches_and_contexts_too(asia):
    with futures.ThreadPoolExecutor(2) as executor:
        for options in ({"search": "order", "restarts": 1}, {"search": "hill-climb", "context": "asia"}):
            one = prequential.learn(asia.table, **options)
            assert content(prequential.learn(asia.table, executor=executor, **options)) == content(one)
        scored = prequential.score(asia.table, families=[("lung", ["smoke"])], executor=executor)
    assert scored.code_length("lung", ["smoke"]) == prequential.FamilyScorer(asia.table)("lung", ["smoke"])


def crash(score, payload, jobs, networks):
    """Ends the worker at one family."""
    if any(parents == [1] and 3 in children for _, parents, children in jobs):
        os.kill(os.getpid(), signal.SIGKILL)
    return score(payload, jobs, networks)


def fail(score, payload, jobs, networks):
    """Fails at one family, as executors do that replace dead workers."""
    if any(parents == [1] and 3 in children for _, parents, children in jobs):
        raise OSError("the worker died")
    return score(payload, jobs, networks)


def die_once(path, score, *arguments):
    """Ends the first worker that comes here."""
    try:
        Path(path).touch(exist_ok=False)
    except FileExistsError:
        return score(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)


class Crashing(futures.ProcessPoolExecutor):
    def submit(self, function, /, *arguments):
        return super().submit(crash, function, *arguments)


class Failing(futures.ThreadPoolExecutor):
    def submit(self, function, /, *arguments):
        return super().submit(fail, function, *arguments)


def test_a_family_that_ends_its_worker_is_isolated_and_named(asia):
    with Failing(2) as executor, pytest.raises(RuntimeError, match=r"`lung \| smoke` ended its worker 3 times .*the worker died"):
        prequential.learn(asia.table, executor=executor)


class Together(futures.ThreadPoolExecutor):
    """One worker: what waits at it ends with the family that ends it, as with Dask."""

    waiting, lock = (), threading.Lock()

    def submit(self, function, /, *arguments):
        future = futures.Future()
        with self.lock:
            self.waiting = (*self.waiting, (future, function, arguments))
        super().submit(self.work)
        return future

    def work(self):
        time.sleep(0.02)
        with self.lock:
            waiting, self.waiting = self.waiting, ()
        try:
            results = [fail(function, *arguments) for _, function, arguments in waiting]
        except OSError as error:
            for future, *_ in waiting:
                future.set_exception(error)
        else:
            for (future, *_), result in zip(waiting, results, strict=True):
                future.set_result(result)


def test_what_waits_beside_a_family_that_ends_its_worker_is_not_blamed(asia):
    with Together(1) as executor, pytest.raises(RuntimeError, match=r"`lung \| smoke` ended its worker 3 times .*the worker died"):
        prequential.learn(asia.table, executor=executor)


def test_a_process_pool_that_breaks_says_what_was_at_work(asia):
    with Crashing(2) as executor, pytest.raises(RuntimeError, match="a worker died, and with it the executor .*at work were `"):
        prequential.learn(asia.table, executor=executor)


def test_workers_that_die_change_nothing(asia):
    died = []

    class Once(futures.ThreadPoolExecutor):
        def submit(self, function, /, *arguments):
            # In chunks, and in the jobs that they are split into; not where a family is alone.
            n_families = sum(len(children) for _, _, children in arguments[1])
            if n_families > 1 and len(died) < 20:
                died.append(1)
                return super().submit(os.listdir, "/of/a/worker/that/died")
            return super().submit(function, *arguments)

    expected = content(prequential.learn(asia.table))
    with Once(2) as executor:
        assert content(prequential.learn(asia.table, executor=executor)) == expected


@pytest.fixture
def dask(monkeypatch):
    """A client of two workers on this machine, which are replaced when they die."""
    distributed, config = pytest.importorskip("distributed"), pytest.importorskip("dask").config
    # They load this file when they are told to run what is in it.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    settings = {"distributed.scheduler.allowed-failures": 0, "logging.distributed": "critical"}
    with config.set(settings), distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        yield client


def test_dask_loses_a_worker_and_then_is_ended_by_a_family(dask, expected, asia, tmp_path):
    from prequential.executors import DaskExecutor

    class Unlucky(DaskExecutor):
        def submit(self, function, /, *arguments):
            return super().submit(die_once, str(tmp_path / "died"), function, *arguments)

    class Poisoned(DaskExecutor):
        def submit(self, function, /, *arguments):
            return super().submit(crash, function, *arguments)

    same(dask, expected)
    same(Unlucky(dask), expected)
    assert (tmp_path / "died").exists()
    with pytest.raises(RuntimeError, match=r"`lung \| smoke` ended its worker 3 times .*KilledWorker"):
        prequential.learn(asia.table, executor=Poisoned(dask))


#: Learns by the ranks of MPI; the first drives.
RANKS = """
    import sys
    from conftest import content, mixed_columns
    from mpi4py import MPI
    from mpi4py.futures import MPIPoolExecutor
    import prequential
    from test_executors import SETTINGS

    if __name__ == "__main__":
        with MPIPoolExecutor() as executor:
            result = prequential.learn(mixed_columns(), executor=executor, **SETTINGS)
        assert MPI.COMM_WORLD.size == 2
        print(content(result), file=open(sys.argv[1], "w"))
"""


def test_mpi_with_two_ranks(expected, tmp_path):
    pytest.importorskip("mpi4py")
    launcher = Path(sys.executable).parent / "mpiexec"
    if not launcher.exists() and shutil.which("mpiexec") is None:
        pytest.skip("mpiexec is not on the path")
    script, out = tmp_path / "learn.py", tmp_path / "result.json"
    script.write_text(textwrap.dedent(RANKS))
    command = [launcher if launcher.exists() else "mpiexec", "-n", "2", sys.executable, "-m", "mpi4py.futures", script, out]
    here = str(Path(__file__).parent)
    subprocess.run(list(map(str, command)), env={**os.environ, "PYTHONPATH": here}, check=True, timeout=300)
    assert out.read_text().rstrip("\n") == expected


#: A driver that is killed when it hands out its fourth chunk.
KILLED = """
    import os, signal, sys
    from concurrent import futures
    import prequential

    class Killing(futures.ThreadPoolExecutor):
        n_chunks = 0

        def submit(self, *arguments):
            self.n_chunks += 1
            if self.n_chunks == 4:
                os.kill(os.getpid(), signal.SIGKILL)
            return super().submit(*arguments)

    table, _ = prequential.simulate("asia", rows=1000, seed=1)
    with Killing(1) as executor:
        prequential.learn(table, executor=executor, store=sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_a_driver_that_was_killed_scores_nothing_twice(asia, tmp_path):
    store = tmp_path / "codes.store"
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(store)], timeout=300, check=False)
    assert killed.returncode == -signal.SIGKILL
    handed_out = []

    class Counting(futures.ThreadPoolExecutor):
        def submit(self, function, /, *arguments):
            handed_out.extend((child, *parents) for _, parents, children in arguments[1] for child in children)
            return super().submit(function, *arguments)

    with Counting(1) as executor:
        result = prequential.learn(asia.table, executor=executor, store=store)
    cost = result.to_dict()["cost"]
    assert 0 < cost["reused_families"] < cost["families"]
    assert len(set(handed_out)) == len(handed_out) == cost["families"] - cost["reused_families"]
    assert content(result) == content(prequential.learn(asia.table))


def test_a_time_limit_reaches_the_executor(asia):
    with futures.ThreadPoolExecutor(1) as executor, pytest.warns(prequential.PartialWarning):
        result = prequential.learn(asia.table, executor=executor, time_limit=0.0)
    assert result.partial["reason"] == "time limit"


def test_tables_survive_the_way_to_another_machine(asia):
    from prequential import _native, _tables

    table = _tables.table(mixed_columns(), {})
    again = pickle.loads(pickle.dumps(table))
    assert (again.names, again.n_rows) == (table.names, table.n_rows)
    one, other = (_native.Worker(of, '{"estimator": "linear"}').score([0, 1], [2], True) for of in (table, again))
    # A line, the length of what the codes depend on, and that; then all but how long it took.
    start = one.index(b"\n") + 1
    header = start + 8 + int.from_bytes(one[start : start + 8], "little")
    seconds = slice(header + 40, header + 48)
    assert one[: seconds.start] == other[: seconds.start]
    assert one[seconds.stop :] == other[seconds.stop :]


def test_what_is_no_executor_is_refused(asia):
    with pytest.raises(TypeError, match="must be a concurrent.futures.Executor"):
        prequential.learn(asia.table, executor=2)
