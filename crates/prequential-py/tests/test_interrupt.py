"""Ctrl-C returns what is known by then, in a script and in a notebook."""

import asyncio
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import prequential

#: Minutes of work if nobody stops it.
SCRIPT = """
    import time, warnings
    import prequential
    warnings.simplefilter("ignore")
    table, _ = prequential.simulate("random-functions", rows=3000, seed=1, variables=16)
    print("started", flush=True)
    result = prequential.learn(table, estimator="mix", train_all_networks=True, search="order")
    print(result.partial["reason"], flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_a_script_gets_the_partial_result():
    script = subprocess.Popen([sys.executable, "-c", textwrap.dedent(SCRIPT)], stdout=subprocess.PIPE, text=True)
    assert script.stdout.readline() == "started\n"
    time.sleep(2)
    script.send_signal(signal.SIGINT)
    out, _ = script.communicate(timeout=120)
    assert (script.returncode, out) == (0, "interrupted\n")


def test_a_notebook_gets_the_partial_result():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(textwrap.dedent(SCRIPT) + "\nresult")])
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3")

    async def interrupt():
        await asyncio.sleep(4)
        await client.km.interrupt_kernel()

    pending = []

    def schedule(cell, cell_index):
        # What a hook returns is waited for.
        pending.append(asyncio.ensure_future(interrupt()))

    client.on_cell_execute = schedule
    client.execute()
    outputs = notebook.cells[0].outputs
    said = "".join(output.get("text", "") for output in outputs)
    assert said == "started\ninterrupted\n"
    assert "<svg" in outputs[-1]["data"]["text/html"]


def test_other_threads_go_on_meanwhile(asia):
    ticks = []
    thread = threading.Thread(target=lambda: ticks.extend(range(1000)))
    table, _ = prequential.simulate("star5", rows=2000, seed=1)
    thread.start()
    prequential.learn(table, estimator="fourier", progress=False)
    thread.join(timeout=0)
    assert not thread.is_alive() and len(ticks) == 1000
