"""Learning from Python: what comes back, what is refused, and in which words."""

import json
import warnings

import networkx
import pytest
from conftest import content

import prequential


def test_the_graph_has_all_variables_and_its_evidence(asia):
    result = prequential.learn(asia.table, seed=7, truth=asia.graph)
    assert list(result.graph.nodes) == list(asia.graph.nodes)
    assert all({"nats", "reversal_nats", "probability"} <= set(edge) for _, _, edge in result.graph.edges(data=True))
    assert result.truth["shd_cpdag"] == prequential.compare(result, asia.graph).shd_cpdag
    assert result.is_proven and result.partial is None and result.gap is None
    places = {name: place for place, name in enumerate(result.names)}
    assert sum(map(sum, result.adjacency_matrix)) == result.graph.number_of_edges()
    assert all(result.adjacency_matrix[places[one]][places[other]] for one, other in result.graph.edges)
    assert len(result.pairs) == 28 and len(result.edges) == result.graph.number_of_edges()


def test_printed_it_is_the_report_and_in_a_notebook_a_picture_with_shapes(asia):
    result = prequential.learn(asia.table)
    assert str(result) == repr(result) and "either -> xray" in str(result)
    page = result._repr_html_()
    assert page.count("<svg") == 2 and "either" in page and "nats" in page
    assert result.shapes_to_svg().count('class="title"') == result.graph.number_of_edges()
    bare = prequential.learn(asia.table, max_parents=0)
    assert bare._repr_html_().count("<svg") == 1


def test_the_ranking_and_its_curves():
    table, _ = prequential.simulate("tabular-chain", rows=200, seed=1)
    result = prequential.learn(table, top=25, permutations=3)
    ranking, excess, losses = (rows(of) for of in (result.ranking, result.excess_curves, result.next_step_curves))
    assert len(ranking) == 25 and ranking[0]["excess_nats"] == 0.0
    assert {tuple(edge) for edge in ranking[0]["edges"]} == set(result.graph.edges)
    last = [point for point in excess if point["rows"] == 200]
    assert [point["rank"] for point in last] == list(range(25))
    for point, graph in zip(last, ranking, strict=True):
        assert point["mean"] == pytest.approx(graph["excess_nats"], abs=1e-6)
    assert {(point["child"], len(point["parents"])) for point in losses} == {(child, n) for child in "ABC" for n in range(3)}


def rows(frame):
    """A frame of whichever library as a list of dicts."""
    if isinstance(frame, list):
        return frame
    return frame.to_dict("records") if hasattr(frame, "iloc") else frame.to_dicts()


def test_a_saved_result_is_the_same_when_loaded(asia, tmp_path):
    result = prequential.learn(asia.table)
    loaded = prequential.load(result.save(tmp_path / "result.json"))
    assert loaded.to_json() == result.to_json() and loaded.to_svg() == result.to_svg()
    assert networkx.utils.graphs_equal(loaded.graph, result.graph)
    assert "either -> xray" in repr(loaded)
    page = loaded.report(tmp_path / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert result.to_dot().startswith("digraph")


def test_a_file_that_is_no_result_is_refused_by_its_key(tmp_path):
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"schema": 2, "kind": "plan", "version": "0"}))
    with pytest.raises(ValueError, match="key `kind`"):
        prequential.load(path)


def test_errors_name_keywords_and_the_way_out(asia):
    with pytest.raises(ValueError, match="`ignore` names `smokes`") as caught:
        prequential.learn(asia.table, ignore="smokes")
    assert "hint: did you mean `smoke`?" in str(caught.value)
    with pytest.raises(ValueError, match="`bins` is 1") as caught:
        prequential.learn(asia.table, bins=1)
    assert "hint: use `bins=2` or more" in str(caught.value)
    with pytest.raises(ValueError, match="the searches are: auto, exhaustive"):
        prequential.learn(asia.table, search="astar")
    with pytest.raises(ValueError, match="`seed`: found string"):
        prequential.learn(asia.table, seed="one")
    with pytest.raises(ValueError, match="form a cycle"):
        prequential.learn(asia.table, require=["smoke -> lung", "lung -> smoke"])
    with pytest.raises(ValueError, match="`hidden` is an option of networks") as caught:
        prequential.learn(asia.table, hidden=[8], estimator="counts")
    assert '`estimator="neural"` or `estimator="mix"`' in str(caught.value)
    with pytest.raises(FileNotFoundError, match="no.csv"):
        prequential.learn("no.csv")
    with pytest.raises(MemoryError, match="hint: .*`memory_limit`"):
        prequential.learn(asia.table, memory_limit=10, search="exact")
    with pytest.raises(TypeError, match="unknown option `max_parent`\nhint: did you mean `max_parents`"):
        prequential.learn(asia.table, max_parent=1)


def test_a_bad_cell_is_named_by_row_and_column():
    cells = [float(row) for row in range(40)]
    cells[37] = float("inf")
    with pytest.raises(ValueError, match=r"row 37 \(counting from 0\), column `dose`"):
        prequential.learn({"dose": cells, "other": [row % 2 for row in range(40)]})


def test_doubts_about_the_table_are_warnings():
    table = {"a": [row % 2 for row in range(50)], "b": [(row // 2) % 2 for row in range(50)], "same": ["x"] * 50}
    with pytest.warns(prequential.TableWarning, match="same") as caught:
        result = prequential.learn(table)
    assert caught[0].filename == __file__
    assert result.warnings == [str(warning.message) for warning in caught]


def test_knowledge_is_obeyed_in_all_its_spellings(asia):
    result = prequential.learn(
        asia.table, require=[("asia", "tub")], forbid="smoke -> lung", tiers=[["asia", "smoke"], "tub"], roots="asia"
    )
    assert result.graph.has_edge("asia", "tub") and not result.graph.has_edge("smoke", "lung")
    assert result.graph.in_degree("asia") == 0


def test_contexts_are_no_part_of_the_graph(asia):
    table = {name: list(asia.table[name]) for name in ("smoke", "lung", "bronc", "asia")}
    result = prequential.learn(table, context="asia", truth=[("smoke", "lung"), ("asia", "lung")])
    assert result.names == ["smoke", "lung", "bronc"] and "asia" not in result.graph
    assert [effect["variable"] for effect in result.context["variables"]] == result.names


def test_start_and_truth_take_any_graph(asia, tmp_path):
    file = tmp_path / "truth.dot"
    file.write_text("digraph { smoke -> lung }")
    for graph in ([("smoke", "lung")], {"lung": ["smoke"]}, networkx.DiGraph([("smoke", "lung")]), file, ["smoke -> lung"]):
        result = prequential.learn(asia.table, search="hill-climb", restarts=0, start=graph, truth=graph, max_parents=1)
        assert result.truth["shd"] > 0
    with pytest.raises(ValueError, match="`truth` names `lungs`"):
        prequential.learn(asia.table, truth=[("smoke", "lungs")])


def test_a_time_limit_gives_a_partial_result(asia):
    with pytest.warns(prequential.PartialWarning, match="time limit"):
        result = prequential.learn(asia.table, time_limit=0.0)
    assert result.partial["reason"] == "time limit" and not result.is_proven


def test_threads_and_stores_change_nothing(asia, tmp_path):
    expected = content(prequential.learn(asia.table))
    store = tmp_path / "codes.store"
    assert content(prequential.learn(asia.table, threads=1, store=store)) == expected
    again = prequential.learn(asia.table, store=store)
    assert content(again) == expected and again.to_dict()["cost"]["reused_families"] > 0


def test_families_and_graphs_are_scored(asia):
    scored = prequential.score(asia.table, families={"lung": ["smoke"], "bronc": []})
    assert len(scored.families) == 2
    total = prequential.score(asia.table, graph=asia.graph).total
    learned = prequential.learn(asia.table)
    assert total >= learned.code_length
    assert prequential.score(asia.table, graph=learned).total == pytest.approx(learned.code_length, abs=1e-9)
    with pytest.raises(ValueError, match="`families` names `lungs`"):
        prequential.score(asia.table, families=[("lungs", [])])
    with pytest.raises(ValueError, match="add `store`"):
        prequential.score(asia.table, shard="1/2")


def test_graphs_are_compared():
    compared = prequential.compare([("a", "b"), ("b", "c")], networkx.DiGraph([("b", "a"), ("b", "c")]))
    assert (compared.shd, compared.shd_cpdag, compared.is_equivalent) == (1, 0, True)
    assert "equivalence class" in repr(compared)
    with pytest.raises(ValueError, match="no variable in common"):
        prequential.compare([("a", "b")], [("c", "d")])


def test_simulations_are_those_of_the_command():
    table, graph = prequential.simulate("random-additive", rows=30, seed=3, variables=4)
    assert len(graph) == 4 and len(table["X1" if "X1" in table else list(table)[0]]) == 30
    with pytest.raises(ValueError, match="the simulations are: tabular-chain"):
        prequential.simulate("star6")
    with pytest.raises(ValueError, match="drop `set`"):
        prequential.simulate("star5", set=2)


def test_the_command_knows_no_simulation_that_is_missing_here():
    shifted = prequential.simulate("shifts-categorical", rows=200, seed=3, variables=4)
    assert list(shifted.graph) == ["V1", "V2", "V3", "V4"] and list(shifted.table)[-2:] == ["environment", "intervention"]
    result = prequential.learn(shifted.table, context="environment", truth=shifted.graph)
    assert result.names == list(shifted.graph)


def test_nothing_is_said_where_nothing_is_wrong(asia, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        prequential.learn(asia.table, progress=False)
    assert capfd.readouterr() == ("", "")
