"""Histories: when the calls of an execution begin and end, and what they return."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from abpress.clients.client import Call
from abpress.clients.concurrent import CODES, UNEXPECTED, ClientProgram, lines_of_calls
from abpress.clients.sequential import Results
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


_LAST = sys.maxsize
"""The line of the end of a thread, which has the position of its function."""


def history(program: ClientProgram, text: str, file: str, trace: Trace) -> History:
    """The history of an execution of the program, whose text was in `file`.

    In real time a call begins and ends where the client says so; otherwise with what the operation
    does. A call that does nothing that others see is shown where its thread passes it.
    """
    lines: dict[int, list[int]] = {}
    for line, number in lines_of_calls(text, len(program.client.calls)).items():
        lines.setdefault(number, []).append(line)
    paths: dict[str, list[tuple[int, int]]] = {}
    for index, step in enumerate(trace.steps):
        outermost = step.position.stack[0] if step.position.stack else step.position
        if outermost.file == file:
            line = _LAST if step.note == "ends" else outermost.line
            paths.setdefault(outermost.function, []).append((index, line))
    results = _results(program, trace)
    made = []
    for number, its in sorted(lines.items()):
        path = paths.get(program.function(number), [])
        before = [index for index, line in path if line < its[0]]
        within = [index for index, line in path if its[0] <= line <= its[-1]]
        after = [index for index, line in path if line > its[-1]]
        if not program.real_time:
            own = [index for index in within if trace.steps[index].position.file != file]
            within = own or within
        if not within and not after:
            continue
        begin, end = (within or before[-1:] or after)[0], (within or before or after[:1])[-1]
        thread = trace.steps[begin].thread
        call = program.client.calls[number]
        result = results.get(number)
        made.append(Made(number, thread, call, begin, end if after else None, result))
    return History(tuple(made))


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
