"""Our graphs and our score in other packages, each the real one."""

import networkx
import pytest

import prequential


@pytest.fixture(scope="module")
def numbers():
    return prequential.simulate("random-additive", rows=500, seed=4, variables=5)


@pytest.fixture(scope="module")
def learned(numbers):
    return prequential.learn(numbers.table, estimator="linear", search="exact", seed=1)


def test_networkx_algorithms_take_the_graph(asia):
    graph = prequential.learn(asia.table).graph
    assert networkx.is_directed_acyclic_graph(graph) and set(networkx.topological_sort(graph)) == set(asia.table)


def test_pgmpy_takes_the_graph_and_gives_it_back(asia):
    pytest.importorskip("pgmpy")
    from pgmpy.models import DiscreteBayesianNetwork

    result = prequential.learn(asia.table)
    dag = result.to_pgmpy()
    assert set(dag.nodes) == set(result.names) and set(dag.edges) == set(result.graph.edges)
    assert prequential.compare(dag, result).shd == 0
    network = DiscreteBayesianNetwork()
    network.add_nodes_from(dag.nodes)
    network.add_edges_from(dag.edges)
    network.fit(asia.table)
    assert network.check_model()


def test_hill_climbing_of_pgmpy_finds_our_graph_with_our_score(asia):
    pytest.importorskip("pgmpy")
    from pgmpy.causal_discovery import HillClimbSearch

    from prequential.adapters.pgmpy import PrequentialScore

    table = asia.table[["smoke", "lung", "bronc", "dysp", "either"]]
    scorer = prequential.FamilyScorer(table)
    found = HillClimbSearch(
        scoring_method=PrequentialScore(scorer), return_type="dag", show_progress=False
    ).fit(table).causal_graph_
    ours = prequential.learn(table, search="hill-climb", restarts=0, tabu_steps=0)
    assert sum(-scorer(child, found.get_parents(child)) for child in table) == pytest.approx(-ours.code_length, abs=1e-6)
    assert prequential.compare(found, ours).shd == 0


def test_causallearn_takes_the_graph_and_gives_it_back(learned):
    pytest.importorskip("causallearn")
    dag = learned.to_causallearn()
    assert [node.get_name() for node in dag.get_nodes()] == learned.names
    assert prequential.compare(dag, learned).shd == 0


def test_searches_of_causallearn_find_our_graph_with_our_score():
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("causallearn")
    from causallearn.search.PermutationBased.BOSS import boss
    from causallearn.search.PermutationBased.GRaSP import grasp
    from causallearn.search.ScoreBased.ExactSearch import bic_exact_search
    from causallearn.search.ScoreBased.GES import ges

    from prequential.adapters.causallearn import scored_by

    table = prequential.simulate("cancer", rows=2000, seed=2).table.drop(columns="intervention", errors="ignore")
    learned = prequential.learn(table, search="exact")
    names, links = learned.names, {frozenset(edge) for edge in learned.graph.edges}
    array = numpy.column_stack([table[name].astype("category").cat.codes for name in names]).astype(float)
    with scored_by(prequential.FamilyScorer(table)):
        exact, _ = bic_exact_search(array)
        assert {(names[one], names[other]) for one, other in zip(*exact.nonzero(), strict=True)} == set(learned.graph.edges)
        for search in (boss, grasp):
            found = search(array, score_func="local_score_BDeu", node_names=names)
            pairs = {frozenset((edge.get_node1().get_name(), edge.get_node2().get_name())) for edge in found.get_graph_edges()}
            assert pairs == links
        with pytest.raises(ValueError, match="the same for all graphs of an equivalence class"):
            ges(array, score_func="local_score_BDeu")


def test_a_class_of_graphs_is_no_truth(asia):
    pytest.importorskip("causallearn")
    from causallearn.graph.Edge import Edge
    from causallearn.graph.Endpoint import Endpoint

    open_class = prequential.learn(asia.table).to_causallearn()
    one, other = open_class.get_node("asia"), open_class.get_node("smoke")
    open_class.get_graph_edges = lambda: [Edge(one, other, Endpoint.TAIL, Endpoint.TAIL)]
    with pytest.raises(ValueError, match="the edge between 'asia' and 'smoke' has no direction"):
        prequential.compare(open_class, asia.graph)


def test_dowhy_fits_the_graph_and_samples_an_intervention(numbers, learned):
    pytest.importorskip("dowhy")
    from dowhy import gcm

    gcm.util.general.set_random_seed(0)
    gcm.config.disable_progress_bars()
    model = learned.to_dowhy(numbers.table)
    gcm.fit(model, numbers.table)
    cause, effect = next(iter(learned.graph.edges))
    samples = gcm.interventional_samples(model, {cause: lambda value: 2.0}, num_samples_to_draw=50)
    assert (samples[cause] == 2.0).all() and samples[effect].notna().all() and set(model.graph.nodes) == set(learned.names)
