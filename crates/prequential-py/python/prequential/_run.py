"""Waits for a run: shows progress, and turns Ctrl-C into a partial result."""

from __future__ import annotations

from . import _native
from ._progress import Progress

#: Seconds between two looks at progress and signals.
STEP = 0.1


def wait(run: _native.Run, progress: bool | None) -> None:
    """Returns when the run is done. The first Ctrl-C asks it for what it has, a second one gives up."""
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
