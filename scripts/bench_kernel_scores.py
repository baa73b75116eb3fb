#!/usr/bin/env python3
"""causal-learn's kernel scores on the tables of `regret.py`: seconds, and whether the true parents are preferred to none.

Run from anywhere: python3 scripts/bench_kernel_scores.py [--rows 300,1000] [--limit 60]
They have no regret: what they give is the likelihood of kernel features, which are as many as rows, and no code length of the child. So they are asked what a search
asks: are the parents better than none, for the child as drawn (they should be) and for the same child shuffled (they should not)? Ours is the default estimator; its
seconds include the start of the program and reading the table.
Version 0.1.3.8 centres kernels by matrix products, 0.1.4.8 element by element, so that its cross-validated score gains the same from any parent. The older one needs
numpy 1.23, so Python 3.11 or older. Makes its own environment under target/ and builds the release version.
"""

import argparse
import signal
import warnings
from dataclasses import replace
from statistics import median
from time import perf_counter

import environment
from regret import samples, score

REQUIREMENTS = ["causal-learn==0.1.3.8", "numpy==1.23.5", "scipy==1.10.1"]
OURS = "ours, mix"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default="300,1000")
    parser.add_argument("--limit", type=int, default=60, help="seconds for a child with and without its parents [default: 60]")
    options = parser.parse_args()
    environment.enter("venv-kernel-scores", REQUIREMENTS)
    binary = environment.build()[0]
    signal.signal(signal.SIGALRM, out_of_time)
    warnings.simplefilter("ignore")
    scores = {OURS: lambda sample: our_gain(binary, sample), **kernel_scores()}
    answers = {}
    print("| y given its parents | rows | score | s | parents preferred | s, shuffled | parents preferred, shuffled |\n|---|---:|---|---:|---|---:|---|")
    for name, n, sample in samples([int(n) for n in options.rows.split(",")]):
        for score_name, gain in scores.items() if sample.parents else ():
            drawn, shuffled = (ask(gain, each, options.limit) for each in (sample, shuffle(sample)))
            answers.setdefault((n, score_name), []).append((drawn, shuffled))
            print(f"| {name} | {n:,} | {score_name} | {drawn[0]:.2f} | {drawn[1]} | {shuffled[0]:.2f} | {shuffled[1]} |", flush=True)
    print_summary(answers)


def out_of_time(*_):
    raise TimeoutError


def shuffle(sample):
    import numpy as np

    return replace(sample, child=np.random.default_rng(7).permutation(sample.child))


def ask(gain, sample, limit):
    """Seconds, and whether the parents are preferred: yes, no, or why there is no answer."""
    import numpy as np

    start = perf_counter()
    # Their minimiser catches every exception, this one too: it comes again every second, and late answers do not count.
    signal.setitimer(signal.ITIMER_REAL, limit, 1)
    try:
        answer = "yes" if gain(sample) > 0 else "no"
    except TimeoutError:
        answer = "out of time"
    except (np.linalg.LinAlgError, ValueError):
        answer = "fails"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = perf_counter() - start
    return seconds, answer if seconds < limit else "out of time"


def our_gain(binary, sample):
    return score(binary, sample, "mix", is_linked=False)[0] - score(binary, sample, "mix")[0]


def kernel_scores():
    """Name -> gain(sample): the score without the parents less that with them, since theirs are better when smaller, too."""
    from causallearn.score.LocalScoreFunction import local_score_cv_general, local_score_marginal_general

    def gain(local_score, parameters):
        def of(sample):
            data, child = matrix(sample), len(sample.parents)
            return local_score(data, child, [], parameters) - local_score(data, child, list(range(child)), parameters)

        return of

    # The parameters are those of its own search (GES).
    return {"cross-validated": gain(local_score_cv_general, {"kfold": 10, "lambda": 0.01}), "marginal": gain(local_score_marginal_general, None)}


def matrix(sample):
    """The columns, child last, as its search hands them over: labels as their numbers."""
    import numpy as np
    from conditionals import is_labels

    number = lambda column: np.unique(column, return_inverse=True)[1] if is_labels(column) else column
    return np.asmatrix(np.column_stack([number(column) for column in [*sample.parents, sample.child]]).astype(float))


def print_summary(answers):
    print("\n| rows | score | median s | true parents preferred | shuffled parents refused | no answer |\n|---:|---|---:|---:|---:|---:|")
    for (n, name), pairs in answers.items():
        seconds, missing = [each[0] for pair in pairs for each in pair], [each for pair in pairs for each in pair if each[1] not in ("yes", "no")]
        preferred, refused = sum(pair[0][1] == "yes" for pair in pairs), sum(pair[1][1] == "no" for pair in pairs)
        print(f"| {n:,} | {name} | {median(seconds):.2f} | {preferred} of {len(pairs)} | {refused} of {len(pairs)} | {len(missing)} of {2 * len(pairs)} |")


main()
