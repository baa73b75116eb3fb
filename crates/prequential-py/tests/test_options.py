"""Every option of the command is a keyword here, and every keyword is known to the native part."""

import inspect
import os
import re
import subprocess

import pytest

import prequential
from prequential._options import ScoringOptions

#: Options that are files or views of the command, and what stands for them here.
ELSEWHERE = {"families", "out", "graph", "edges", "format", "quiet", "dry-run", "help", "no-store"}


def test_score_has_the_options_of_learn():
    keywords = inspect.signature(prequential.learn).parameters
    of_search = {"data", "search", "restarts", "tabu", "start", "top", "truth", "time_limit", "executor", "progress"}
    assert set(ScoringOptions.__annotations__) == set(keywords) - of_search
    annotations = inspect.get_annotations(prequential.learn)
    assert all(annotations[name] == kind for name, kind in inspect.get_annotations(ScoringOptions).items() if isinstance(kind, str))


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
