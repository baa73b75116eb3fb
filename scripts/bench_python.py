"""What the Python package costs besides the library's own work: seconds beside the command, memory to take a frame of polars, seconds until
Ctrl-C is answered, and what a second worker of an executor gains beside a second thread. `make bench-python`."""

import asyncio
import gc
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from concurrent import futures
from pathlib import Path

from environment import build, made
from python_test import WHOLE, installed, wheel

#: A script of minutes, if nobody stops it.
LONG = """
    import sys, warnings
    import prequential
    warnings.simplefilter("ignore")
    table, _ = prequential.simulate("random-functions", rows={rows}, seed=1, variables={variables})
    print("started", flush=True)
    result = prequential.learn(table{options})
    print(result.partial["reason"], flush=True)
"""


def overhead(command):
    """CPU seconds of whole processes that learn a table of 5 x 5,000: the command's, and Python's without its start and imports."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "star5.csv"
        subprocess.run([command, "simulate", "star5", "--rows", "5000", "--seed", "1", "--out", data], check=True)
        start = "import prequential; "
        learn = f"prequential.learn({str(data)!r}, progress=False).to_json()"
        ways = {
            "command": [command, "learn", data, "--format", "json", "--families", "--quiet"],
            "Python": [sys.executable, "-c", start + learn],
            "start of Python": [sys.executable, "-c", start],
        }
        # In turn, so that a machine that gets slower or busier does so for all.
        took = {name: [] for name in ways}
        for _ in range(5):
            for name, way in ways.items():
                took[name].append(cpu_seconds(way))
    least = {name: min(seconds) for name, seconds in took.items()}
    ours = least["Python"] - least["start of Python"]
    print(
        f"learn on 5 x 5,000, least of 5 processes: command {least['command']:.2f} CPU s, Python {ours:.2f} and {least['start of Python']:.2f} "
        f"to start: {100 * (ours / least['command'] - 1):+.1f} %"
    )


def cpu_seconds(command):
    """CPU seconds of a process and its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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


def interrupt():
    """Seconds from Ctrl-C to the partial result, at several moments of several runs."""
    runs = [(3_000, 16, ', estimator="mix", train_all_networks=True, search="order"'), (20_000, 10, ""), (5_000, 50, "")]
    for rows, variables, options in runs:
        took = []
        for wait in (2, 4, 8):
            code = textwrap.dedent(LONG.format(rows=rows, variables=variables, options=options))
            script = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
            assert script.stdout.readline() == "started\n"
            time.sleep(wait)
            start = time.monotonic()
            script.send_signal(signal.SIGINT)
            assert script.stdout.readline() == "interrupted\n"
            took.append(time.monotonic() - start)
            script.wait()
        shown = ", ".join(f"{seconds:.2f}" for seconds in took)
        print(f"Ctrl-C after 2, 4 and 8 s of {variables} x {rows:,}{options}: {shown} s")
    rows, variables, options = runs[0]
    code = textwrap.dedent(LONG.format(rows=rows, variables=variables, options=options)) + "\nresult"
    print(f"the same in a kernel of Jupyter, after 4 s, until the picture is there: {in_notebook(code, 4):.2f} s")


def in_notebook(code, wait):
    """Seconds from an interrupt to the end of a cell."""
    import nbclient
    import nbformat

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3")
    sent, tasks = [], []

    async def interrupt():
        await asyncio.sleep(wait)
        sent.append(time.monotonic())
        await client.km.interrupt_kernel()

    client.on_cell_execute = lambda cell, cell_index: tasks.append(asyncio.ensure_future(interrupt()))
    client.execute()
    end = time.monotonic()
    assert "<svg" in notebook.cells[0].outputs[-1]["data"]["text/html"]
    return end - sent[0]


def scaling():
    """How much sooner two are done than one: threads, and processes of an executor, each ratio of runs that take turns."""
    import prequential

    table, _ = prequential.simulate("random-functions", rows=4000, seed=1, variables=11)

    def threads(number):
        return prequential.learn(table, estimator="fourier", max_parents=3, threads=number, progress=False)

    def workers(number):
        with futures.ProcessPoolExecutor(number) as executor:
            list(executor.map(abs, range(number)))  # they are up
            return prequential.learn(table, estimator="fourier", max_parents=3, executor=executor, progress=False)

    for name, way in (("threads", threads), ("workers", workers)):
        ratios = []
        for _ in range(3):
            took = []
            for number in (1, 2):
                start = time.monotonic()
                way(number)
                took.append(time.monotonic() - start)
            ratios.append(took[0] / took[1])
            print(f"  {name}: 1 in {took[0]:.1f} s, 2 in {took[1]:.1f} s")
        print(f"{name}: two are {statistics.median(ratios):.2f} times as quick as one (median of 3)")


def main():
    parts = {"overhead": overhead, "memory": memory, "interrupt": interrupt, "scaling": scaling}
    if sys.argv[1:2] == ["--part"]:
        parts[sys.argv[2]](*sys.argv[3:])
        return
    python = installed("python-test", WHOLE, wheel("release"))
    assert python == made("python-test", WHOLE)
    (command,) = build()
    for part in sys.argv[1:] or parts:
        arguments = [command] if part == "overhead" else []
        subprocess.run([python, __file__, "--part", part, *arguments], check=True)


if __name__ == "__main__":
    main()
