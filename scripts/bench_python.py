"""What the Python package costs besides the library's own work: CPU seconds of `learn`, and memory to take a frame of polars."""

import gc
import resource
import subprocess
import sys
import time

from environment import made
from python_test import WHOLE, installed, wheel


def overhead():
    """CPU seconds of a call of `learn` on 5 x 5,000, and how many of them the library counts itself."""
    import prequential

    table, _ = prequential.simulate("star5", rows=5000, seed=1)
    prequential.learn(table, max_parents=1, estimator="linear", progress=False)
    start = time.process_time()
    result = prequential.learn(table, progress=False)
    whole = time.process_time() - start
    own = result.to_dict()["cost"]["cpu_seconds"]
    print(f"learn on 5 x 5,000: {whole:.2f} CPU s, of which the library {own:.2f}: {100 * (whole / own - 1):.1f} % besides")


def memory():
    """Peak memory, beyond the frame itself, until the library has its table of 200,000 x 20."""
    import numpy
    import polars

    from prequential import _tables

    numbers = numpy.random.default_rng(1).normal(size=(20, 200_000))
    frame = polars.DataFrame({f"x{place}": column for place, column in enumerate(numbers)})
    gc.collect()
    before = peak()
    table = _tables.table(frame, {})
    assert table.n_rows == 200_000
    print(f"200,000 x 20 from polars: frame {frame.estimated_size() / 2**20:.0f} MiB, peak {peak() - before:.0f} MiB above it")


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    if sys.argv[1:]:
        {"overhead": overhead, "memory": memory}[sys.argv[1]]()
        return
    python = installed("python-test", WHOLE, wheel("release"))
    assert python == made("python-test", WHOLE)
    for part in ("overhead", "memory"):
        subprocess.run([python, __file__, part], check=True)


if __name__ == "__main__":
    main()
