"""Executions in a few lines each: what each thread does on each source line, and final values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.cells import cell_len, set_cell_size

from abpress.search.ledger import Schedule
from abpress.search.statistics import Outcome
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.witness.blocked import blocked_threads
from abpress.witness.build import trace_along
from abpress.witness.folding import folded
from abpress.witness.heap import HeapNames
from abpress.witness.replay import passed
from abpress.witness.rows import Row, place_name, rows_of

_WIDEST_SOURCE = 48

_NOTES = {
    Outcome.ASSUME_BLOCKED: "a thread waits at an assumption, or in a loop",
    Outcome.SLEEP_SET_BLOCKED: "what follows is explored elsewhere",
    Outcome.CUT: "a thread has come to a bound",
}


_UNFINISHED = {Outcome.SLEEP_SET_BLOCKED, Outcome.CUT}
"""Ends at which threads could go on."""


def show_execution(
    interpreter: Interpreter,
    number: int,
    outcome: Outcome,
    schedule: Schedule,
    sources: Mapping[str, str],
    width: int,
) -> Iterator[str]:
    """The lines for one execution, none wider than `width`. It is run again."""
    last, message = _end(interpreter, schedule)
    told = trace_along(interpreter, schedule)
    trace = told.in_words(told.trace)
    rows = rows_of(trace, sources)
    how = outcome.value.replace("_", " ")
    note = message or _NOTES.get(outcome, "")
    yield f"execution {number}: {how}" + (f" ({note})" if note else "")
    home = rows[0].position.file if rows else ""
    names = max(map(len, trace.threads), default=0)
    numbers = max((len(place_name(row.position, home)) for row in rows), default=0)
    sources_width = min(_WIDEST_SOURCE, max((cell_len(row.source) for row in rows), default=0))
    previous = ""
    for row in folded(rows):
        if isinstance(row, str):
            yield _fit(f"  {row}", width).rstrip()
            continue
        place = place_name(row.position, home)
        thread = row.thread if row.thread != previous else ""
        previous = row.thread
        source = _fit(row.source, sources_width)
        line = f"  {thread:<{names}}  {place:>{numbers}} {source}  {'; '.join(row.details())}"
        yield _fit(line.rstrip(), width).rstrip()
    if outcome is Outcome.DEADLOCKED:
        threads = interpreter.threads(last)
        for blocked in blocked_threads(interpreter, last, threads, told.library):
            text = told.heap.in_text(blocked.text)
            yield _fit(f"  {blocked.thread:<{names}}  {text}", width).rstrip()
    values = _finals(interpreter, rows, last, told.heap)
    finals = ", ".join(f"{cell} = {value}" for cell, value in values)
    which = "values there" if outcome in _UNFINISHED else "final values"
    yield _fit(f"  {which}: {finals or 'nothing was written'}", width).rstrip()


def _end(interpreter: Interpreter, schedule: Schedule) -> tuple[State, str]:
    """The last state of the execution, and the message of the violation at its end: then the state
    before that."""
    last = interpreter.initial()
    for state, step in passed(interpreter, schedule):
        if step.violation is not None:
            return state, step.violation.message
        last = step.successor
    return last, ""


def _finals(
    interpreter: Interpreter, rows: list[Row], state: State, heap: HeapNames
) -> Iterator[tuple[str, str]]:
    """The cells that were written, as far as they still exist, with their values."""
    described = interpreter.views.describe(state)["memory"]
    memory = {heap.in_text(cell): heap.in_text(str(value)) for cell, value in described.items()}
    for cell in dict.fromkeys(cell for row in rows for cell in row.writes):
        if cell in memory:
            yield cell, memory[cell]


def _fit(text: str, width: int) -> str:
    if cell_len(text) > width:
        return set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)
