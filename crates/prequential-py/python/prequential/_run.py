"""Waits for a run: shows progress, and turns Ctrl-C into a partial result."""

from __future__ import annotations

from . import _native
from ._progress import Progress

#: Seconds between two checks of progress and signals.
STEP = 0.1


def wait(run: _native.Run, progress: bool | None) -> None:
    """Returns when the run is done. The first Ctrl-C asks for a partial result, a second one raises."""
    shown = Progress(progress)
    is_stopped = False
    try:
        while True:
            try:
                if run.wait(STEP):
                    return
                shown.show(run.progress)
            except KeyboardInterrupt:
                if is_stopped:
                    raise
                is_stopped = True
                run.stop()
    finally:
        shown.end()
