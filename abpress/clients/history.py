"""Histories: when the calls of an execution begin and end, and what they return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abpress.clients.client import Call
from abpress.clients.concurrent import CODES, UNEXPECTED, ClientProgram, lines_of_calls
from abpress.clients.sequential import Results
from abpress.errors import Position
from abpress.witness.trace import Trace


@dataclass(frozen=True, slots=True)
class Made:
    """A call of an execution.

    `begin` and `end` are the first and the last step of the trace that belong to it. `end` is None
    if the execution ends within it; `result` is None if it has none or it is not known.
    """

    number: int
    thread: str
    call: Call
    begin: int
    end: int | None
    result: int | None

    def __str__(self) -> str:
        if not self.call.has_result:
            return str(self.call)
        return f"{self.call} = {'?' if self.result is None else self.result}"


@dataclass(frozen=True, slots=True)
class History:
    """The calls of an execution in the order of their numbers, without those that never began."""

    calls: tuple[Made, ...]

    def to_json(self) -> list[dict[str, Any]]:
        """The history in values that `json` writes."""
        return [
            {
                "call": str(made.call),
                "thread": made.thread,
                "begin": made.begin,
                "end": made.end,
                "result": made.result,
            }
            for made in self.calls
        ]

    @property
    def results(self) -> Results:
        """The results by the calls' numbers, of an execution that makes all calls."""
        return tuple(made.result for made in self.calls)


def history(program: ClientProgram, text: str, file: str, trace: Trace) -> History:
    """The history of an execution of the program, whose text was in `file`."""
    calls = program.client.calls
    lines = lines_of_calls(text, len(calls))
    steps: dict[int, list[int]] = {}
    last: dict[str, int] = {}
    for index, step in enumerate(trace.steps):
        last[step.thread] = index
        number = lines.get(_outermost(step.position).line)
        if number is not None and _outermost(step.position).file == file:
            steps.setdefault(number, []).append(index)
    results = _results(program, trace)
    made = []
    for number, indices in sorted(steps.items()):
        thread = trace.steps[indices[0]].thread
        # What the client does with a result is not part of the call, unless there is nothing else.
        own = [i for i in indices if trace.steps[i].position.file != file] or indices
        end = own[-1] if indices[-1] < last[thread] else None
        made.append(Made(number, thread, calls[number], own[0], end, results.get(number)))
    return History(tuple(made))


def _outermost(position: Position) -> Position:
    return position.stack[0] if position.stack else position


def _results(program: ClientProgram, trace: Trace) -> dict[int, int]:
    """The results of the calls whose threads' codes are known, by the calls' numbers."""
    written = {cell: value for step in trace.steps for cell, value in step.writes}
    found = {}
    for i in range(len(program.digits)):
        code = written.get(f"{CODES}[{i}]")
        if code is not None:
            for number, result in program.decode(i, int(code, 0)).items():
                unexpected = f"{UNEXPECTED}[{number}]"
                found[number] = int(written[unexpected]) if result is None else result
    return found
