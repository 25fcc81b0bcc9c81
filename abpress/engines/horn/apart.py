"""Clauses are solved in a process of their own: z3 may ignore interrupts, and use much memory.

It ends by its processor time, so that on a busy machine it comes as far.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from time import monotonic
from typing import Any

from abpress.ir.expr import Variable
from abpress.logic.formula import Formula, format_formula, parse_formula
from abpress.parallel.crew import Crew, Gone, Line
from abpress.search.limits import bound_memory, resident_memory
from abpress.search.processor import processor_time_of
from abpress.smt.answer import NotExact
from abpress.smt.clauses import Clause, Derivation, Invariants, Solved, Unsolved
from abpress.smt.spacer import COMPLETING, solve

_LOOK = 0.2
"""Seconds between two looks at the limits."""

_STDERR = 2

_GRACE = 0.3
"""Seconds that z3 has to end by itself."""

_PATIENCE = 4.0
"""How much longer than its processor time it may take by the clock: it may hang, or wait."""

_SURE = "sure"


def solve_apart(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    seconds: float,
    memory: float | None,
    expired: Callable[[], bool],
    heads: Collection[int] = (),
    known: Sequence[tuple[Formula, ...]] = (),
) -> Solved:
    """As `smt.spacer.solve`, for so many seconds of processor time, within so many MiB, and until
    `expired`; where processes cannot be copied (Windows) in this one, as z3 sees to it.

    Raises NotExact.
    """
    if not hasattr(os, "fork"):
        return solve(relations, clauses, seconds, heads, known)

    def work(line: Line) -> None:
        with open(os.devnull, "wb") as nowhere:  # z3 complains there where an assertion of it fails
            os.dup2(nowhere.fileno(), _STDERR)
        if memory is not None:
            bound_memory(resident_memory() + memory)
        try:
            sure = partial(line.tell, (_SURE, 0))
            line.tell(_told(solve(relations, clauses, seconds, heads, known, sure, _PATIENCE)))
        except NotExact as error:
            line.tell(("not exact", str(error)))

    most, begun = seconds + _GRACE, monotonic()
    with Crew([work]) as crew:
        while not expired() and not _is_over(crew, begun, most):
            for _, message in crew.came(_LOOK):
                if isinstance(message, Gone):
                    return Unsolved(f"Spacer has no answer: {message}")
                if message[0] != _SURE:
                    return _heard(message)
                most += COMPLETING * seconds
    return Unsolved("Spacer's time is over")


def _is_over(crew: Crew, begun: float, most: float) -> bool:
    """Whether the worker, which began then by the clock, has used so many seconds."""
    passed = monotonic() - begun
    used = next((processor_time_of(pid) for pid in crew.processes.values()), None)
    if used is None:
        return passed > most
    return used > most or passed > _PATIENCE * most


def _told(solved: Solved) -> tuple[str, Any]:
    """An answer as plain values: formulas are unique in each process."""
    match solved:
        case Invariants(labels):
            return "solution", [format_formula(f) for f in labels]
        case Derivation(clauses):
            return "derivation", list(clauses)
        case Unsolved(reason):
            return "unsolved", reason


def _heard(message: tuple[str, Any]) -> Solved:
    kind, its = message
    match kind:
        case "solution":
            return Invariants(tuple(map(parse_formula, its)))
        case "derivation":
            return Derivation(tuple(its))
        case "not exact":
            raise NotExact(its)
        case _:
            return Unsolved(its)
