"""Families scored by executors: the same bytes as by threads, and a family that ends its worker is named."""

import os
import pickle
import signal
from concurrent import futures

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


def test_dask(expected):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        same(client, expected)


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


class Crashing(futures.ProcessPoolExecutor):
    def submit(self, function, /, *arguments):
        return super().submit(crash, function, *arguments)


class Failing(futures.ThreadPoolExecutor):
    def submit(self, function, /, *arguments):
        return super().submit(fail, function, *arguments)


def test_a_family_that_ends_its_worker_is_isolated_and_named(asia):
    with Failing(2) as executor, pytest.raises(RuntimeError, match=r"\| smoke` ended its worker 3 times .*the worker died"):
        prequential.learn(asia.table, executor=executor)


def test_a_process_pool_that_breaks_says_what_was_at_work(asia):
    with Crashing(2) as executor, pytest.raises(RuntimeError, match="a worker died, and with it the executor .*at work were `"):
        prequential.learn(asia.table, executor=executor)


def test_a_worker_that_dies_once_changes_nothing(asia):
    died = []

    class Once(futures.ThreadPoolExecutor):
        def submit(self, function, /, *arguments):
            if len(died) < 2:
                died.append(1)
                return super().submit(os.listdir, "/of/a/worker/that/died")
            return super().submit(function, *arguments)

    expected = content(prequential.learn(asia.table))
    with Once(2) as executor:
        assert content(prequential.learn(asia.table, executor=executor)) == expected


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
    # All but how long it took.
    assert (one[:40], one[48:]) == (other[:40], other[48:])


def test_what_is_no_executor_is_refused(asia):
    with pytest.raises(TypeError, match="must be a concurrent.futures.Executor"):
        prequential.learn(asia.table, executor=2)
