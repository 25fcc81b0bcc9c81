"""`abpress step`: an execution of a page of `verify --report`, step by step in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from abpress.cli.failures import tell
from abpress.cli.options import add_debug_option
from abpress.errors import InputError
from abpress.verify.page.write import data_at

STATUSES = """\
exit status:
  0  the execution was shown
  3  the page cannot be read, has no execution, or there is no terminal to step in
  4  internal error
"""

_KEYS = {
    "\x1b[C": 1, "\x1b[D": -1, "l": 1, "j": -1, " ": 1, "\x1b[H": -10**9, "\x1b[F": 10**9,
}  # fmt: skip
"""What keys send -> steps forward."""

_AROUND = 6
"""Lines of the source that are shown before and behind the one of the step."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("page", type=Path, help="what `verify --report` has written, or its folder")
    parser.add_argument("--property", metavar="NAME", help="of the violation (default: the first)")
    add_debug_option(parser)


def run(options: argparse.Namespace) -> int:
    """Shows the execution until `q` is pressed; returns the exit status."""
    try:
        data = data_at(options.page)
        execution = chosen(data, options.property)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise InputError("abpress step needs a terminal; the page has the same in a browser")
        _show(data, execution)
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, options.debug).status
    return 0


def chosen(data: dict[str, Any], property: str | None) -> dict[str, Any]:
    """The execution of a violation of the property, or of the first one. Raises InputError."""
    for answer in data["answers"]:
        if answer["execution"] and property in (None, answer["property"]):
            execution: dict[str, Any] = answer["execution"]
            return execution
    raise InputError(f"the page has no execution{f' for {property}' if property else ''}")


def length(execution: dict[str, Any]) -> int:
    """The steps: the rows, and that where threads stand at the end, if any do."""
    return len(execution["rows"]) + bool(execution["standing"])


def view(data: dict[str, Any], execution: dict[str, Any], step: int) -> Iterator[str]:
    """The lines of the screen after so many steps."""
    rows, names = execution["rows"], [its["name"] for its in execution["threads"]]
    cells: dict[str, str] = dict(execution["initial"])
    local: dict[int, dict[str, str]] = {}
    held: dict[int, list[str]] = {}
    for row in rows[:step]:
        for cell, value in row.get("reads", ()):
            cells.setdefault(cell, value)
        cells.update(row.get("writes", ()))
        local.setdefault(row["thread"], {}).update(row.get("locals", ()))
        held[row["thread"]] = row.get("locks", [])
    now = execution["standing"] if step > len(rows) else rows[max(0, step - 1) :][:1]
    cause = execution["cause"]
    yield execution["message"] + (f" ({cause['name']})" if cause else "")
    yield f"step {step} of {length(execution)}; arrows, Home, End; q ends"
    yield ""
    yield from _source(data, now, names)
    yield ""
    for its in now if step else ():
        said = its["says"] if "says" in its else [its["text"]]
        yield f"{names[its['thread']]}: {'; '.join(said)}"
    yield ""
    for thread, name in enumerate(names):
        values = ", ".join(f"{k} = {v}" for k, v in local.get(thread, {}).items())
        locks = f"  holds {', '.join(held[thread])}" if held.get(thread) else ""
        if values or locks:
            yield f"{name}{locks}  {values}".rstrip()
    yield ", ".join(f"{cell} = {value}" for cell, value in cells.items())


def _source(data: dict[str, Any], now: list[dict[str, Any]], names: list[str]) -> Iterator[str]:
    placed = [its for its in now if "file" in its]
    if not placed:
        return
    lines = data["files"][placed[0]["file"]]["lines"]
    at = placed[0]["line"]
    for number in range(max(1, at - _AROUND), min(len(lines), at + _AROUND) + 1):
        here = [its for its in placed if (its["file"], its["line"]) == (placed[0]["file"], number)]
        who = " ".join(names[its["thread"]] for its in here)
        yield f"{'>' if here else ' '}{number:5} {lines[number - 1]}{f'   <- {who}' if who else ''}"


def _show(data: dict[str, Any], execution: dict[str, Any]) -> None:
    import os
    import shutil
    import termios
    import tty

    fd, step = sys.stdin.fileno(), length(execution)
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        while True:
            width, height = shutil.get_terminal_size()
            lines = [line.expandtabs(4)[: width - 1] for line in view(data, execution, step)]
            print("\x1b[2J\x1b[H" + "\n".join(lines[: height - 1]), flush=True)
            key = os.read(fd, 8).decode(errors="replace")
            if key in ("q", ""):
                return
            step = min(max(0, step + _KEYS.get(key, 0)), length(execution))
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
