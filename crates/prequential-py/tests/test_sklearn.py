"""The learner in the style of scikit-learn."""

import pytest

import prequential

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from prequential.sklearn import CausalGraphLearner  # noqa: E402


@parametrize_with_checks([CausalGraphLearner(estimator="linear", max_parents=1, threads=1)])
def test_every_check_of_scikit_learn(estimator, check):
    check(estimator)


def test_frames_keep_their_names_and_kinds(asia):
    learner = clone(CausalGraphLearner(seed=7, options={"max_parents": 2})).fit(asia.table)
    expected = prequential.learn(asia.table, seed=7, max_parents=2)
    assert learner.graph_.edges == expected.graph.edges
    assert learner.adjacency_matrix_.tolist() == expected.adjacency_matrix
    assert list(learner.feature_names_in_) == expected.names and not hasattr(learner, "score")
