"""A cluster of Ray on this machine that loses a worker and a node, and gets a new one: the same bytes."""

import threading
import time
from concurrent import futures
from pathlib import Path

import pytest
from conftest import content
from test_executors import crash, die_once

import prequential
from prequential.executors import RayExecutor

ray = pytest.importorskip("ray")


class Unlucky(RayExecutor):
    """Loses a worker at the first chunk, and waits at the third until the cluster has changed."""

    def __init__(self, path):
        super().__init__()
        self.path, self.n_chunks = path, 0
        self.is_at_work, self.has_changed = threading.Event(), threading.Event()

    def submit(self, function, /, *arguments):
        self.n_chunks += 1
        if self.n_chunks == 3:
            self.is_at_work.set()
            assert self.has_changed.wait(timeout=120)
        return super().submit(die_once, self.path, function, *arguments)


def sleep():
    time.sleep(3600)


def one():
    return 1


class Poisoned(RayExecutor):
    """Loses a worker whenever one comes to a certain family."""

    def submit(self, function, /, *arguments):
        return super().submit(crash, function, *arguments)


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes = [made.add_node(num_cpus=1) for _ in range(3)]
    ray.init(address=made.address, logging_level="error")
    yield made, nodes
    ray.shutdown()
    made.shutdown()


def test_workers_and_nodes_come_and_go(cluster, asia, tmp_path):
    expected = content(prequential.learn(asia.table))
    assert content(prequential.learn(asia.table, executor=RayExecutor())) == expected
    made, nodes = cluster
    executor = Unlucky(str(tmp_path / "died"))
    with futures.ThreadPoolExecutor(1) as thread:
        learning = thread.submit(prequential.learn, asia.table, executor=executor)
        assert executor.is_at_work.wait(timeout=120)
        # Only the main thread may start nodes.
        made.remove_node(nodes[0], allow_graceful=False)
        made.add_node(num_cpus=1)
        executor.has_changed.set()
        assert content(learning.result(timeout=300)) == expected
    assert (tmp_path / "died").exists()
    # What is cancelled leaves its worker at once: all three sleep, and a fourth finds a place.
    asleep = [RayExecutor(max_retries=0).submit(sleep) for _ in range(3)]
    assert all(future.cancel() for future in asleep)
    assert RayExecutor().submit(one).result(timeout=300) == 1
    with pytest.raises(RuntimeError, match=r"`lung \| smoke` ended its worker 3 times .*WorkerCrashedError"):
        prequential.learn(asia.table, executor=Poisoned(max_retries=0))
