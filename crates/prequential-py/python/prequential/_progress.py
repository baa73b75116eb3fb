"""Progress of a run: a line in a terminal, a bar in a notebook, nothing otherwise."""

from __future__ import annotations

import sys
import time
from typing import Any

#: Shorter runs show nothing (seconds).
QUICK = 1.0


class Progress:
    """Shows the state of a run whenever it is called."""

    def __init__(self, wanted: bool | None) -> None:
        self.start = time.monotonic()
        self.is_notebook = _in_notebook()
        self.is_on = (self.is_notebook or sys.stderr.isatty()) if wanted is None else wanted
        self.handle: Any = None
        self.is_shown = False

    def show(self, state: tuple[int, int | None, bool]) -> None:
        if not self.is_on or time.monotonic() - self.start < QUICK:
            return
        scored, planned, is_searching = state
        rate = scored / (time.monotonic() - self.start)
        done = f"{scored:,} of {planned:,}" if planned else f"{scored:,}"
        line = f"{done} families scored, {rate:,.0f} a second" + (", searching" if is_searching else "")
        if self.is_notebook:
            self._show_in_notebook(line, scored, planned)
        else:
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
        self.is_shown = True

    def _show_in_notebook(self, line: str, scored: int, planned: int | None) -> None:
        from IPython.display import HTML, display

        size = f' value="{scored}" max="{planned}"' if planned else ""
        bar: Any = HTML(f'<progress{size} style="width: 20em"></progress> {line}')
        if self.handle is None:
            self.handle = display(bar, display_id=True)
        else:
            self.handle.update(bar)

    def end(self) -> None:
        """Clears the line."""
        if not self.is_shown:
            return
        if self.handle is not None:
            from IPython.display import HTML

            self.handle.update(HTML(""))
        else:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return type(get_ipython()).__name__ == "ZMQInteractiveShell"
