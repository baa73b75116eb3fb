"""Every option of the command is a keyword here, and every keyword is known to the native part."""

import inspect
import os
import re
import subprocess

import pytest

import prequential
from prequential._keywords import LearnOptions, ScoringOptions
from prequential._options import OPTIONS

#: Options that are files or views of the command, and what stands for them here.
ELSEWHERE = {"families", "out", "graph", "edges", "format", "quiet", "dry-run", "help", "no-store"}


def test_score_has_the_options_of_learn_but_those_of_searches():
    keywords = inspect.signature(prequential.learn).parameters
    of_search = {"search", "restarts", "tabu_steps", "start", "top"}
    own = {"data", "names", "truth", "executor", "progress"}
    assert set(ScoringOptions.__annotations__) == set(keywords) - of_search - own
    assert set(LearnOptions.__annotations__) == set(OPTIONS) == set(keywords) - own
    assert set(OPTIONS) - of_search <= set(inspect.signature(prequential.score).parameters)


def test_help_says_what_every_option_does_and_its_default():
    for name, option in OPTIONS.items():
        assert f"    {name}\n        {option.help}." in prequential.learn.__doc__
    parameters = inspect.signature(prequential.learn).parameters
    defaults = {name: parameters[name].default for name in ("seed", "permutations", "estimator", "columns", "bins")}
    assert defaults == {"seed": 0, "permutations": 1, "estimator": "auto", "columns": (), "bins": None}
    assert not re.search(r"--[a-z]", prequential.learn.__doc__) and "{options}" not in prequential.score.__doc__


@pytest.mark.parametrize(
    ("old", "new"),
    [("row_orders", "permutations"), ("networks_everywhere", "train_all_networks"), ("inputs", "parent_values"), ("tabu", "tabu_steps")],
)
def test_former_names_are_refused_with_the_new_one(old, new):
    with pytest.raises(TypeError, match=f"`{old}` is now `{new}`"):
        prequential.learn({"a": [1, 2]}, **{old: 3})


def test_unknown_keywords_and_wrong_values_are_refused_with_a_way_out():
    with pytest.raises(TypeError, match="unknown option `max_parent`\nhint: did you mean `max_parents`?"):
        prequential.learn({"a": [1, 2]}, max_parent=3)
    with pytest.raises(TypeError, match="unknown option `search`"):
        prequential.score({"a": [1, 2]}, search="exact")
    with pytest.raises(ValueError, match="unknown estimator `foo`\nhint: the estimators are: auto, counts"):
        prequential.learn(prequential.simulate("asia", rows=50).table, estimator="foo")
    with pytest.raises(ValueError, match="`bins`: found integer `-1`, expected a whole number"):
        prequential.learn({"a": [1, 2]}, bins=-1)


def test_all_keywords_are_keyword_only():
    kinds = [parameter.kind for parameter in inspect.signature(prequential.learn).parameters.values()]
    assert all(kind == inspect.Parameter.KEYWORD_ONLY for kind in kinds[1:])


@pytest.mark.skipif("PREQUENTIAL_COMMAND" not in os.environ, reason="the command is built by `make test`")
def test_the_command_has_no_option_that_is_missing_here():
    command = os.environ["PREQUENTIAL_COMMAND"]
    shown = subprocess.run([command, "learn", "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^\s+(?:-\w, )?--([a-z-]+)", shown, re.MULTILINE)) - ELSEWHERE
    assert len(options) > 40
    keywords = {name.replace("_", "-") for name in inspect.signature(prequential.learn).parameters}
    assert options <= keywords, options - keywords


@pytest.mark.skipif("PREQUENTIAL_COMMAND" not in os.environ, reason="the command is built by `make test`")
def test_the_command_gives_the_same_bytes(csv):
    import json

    from conftest import content

    options = ["--estimator", "linear", "--max-parents", "1", "--seed", "7", "--families", "--format", "json", "--quiet"]
    command = [os.environ["PREQUENTIAL_COMMAND"], "learn", str(csv), *options]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    result = prequential.learn(csv, estimator="linear", max_parents=1, seed=7)
    # Warnings are worded by each front.
    del told["data"]["warnings"]
    mine = result.to_dict()
    del mine["data"]["warnings"], mine["cost"], told["cost"]
    assert json.dumps(mine) == json.dumps(told) and content(result)
