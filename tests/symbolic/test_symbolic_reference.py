"""Random programs: symbolic steps lead to the ends that the reference interpreter reaches."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings

from abpress.ir.expr import Addr, Const, FuncAddr
from abpress.ir.program import Program
from abpress.semantics.reference import Configuration, ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified
from abpress.symbolic.discrete import Discrete, Known
from abpress.symbolic.system import SymbolicSystem
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs
from tests.symbolic.symbolic_states import Valuation, initial_values, taken, untyped

MOST_STATES = 400

SMALL = Features(threads=2, statements=6, exits=False, unbounded_loops=False)

Memory = frozenset[tuple[str, object]]
"""Cells, as `object@offset`, with their contents."""


def content(known: Known) -> object:
    """A known content in the words of the reference."""
    match known:
        case Const(value, _):
            return value
        case Addr(name, offset, _):
            return name, offset
        case FuncAddr(name, _):
            return f"{name}()", 0
        case _:
            return None


def symbolic_ends(system: SymbolicSystem) -> tuple[set[str], set[Memory]] | None:
    """Violations, and what is in memory when all threads have finished (cells that are never
    written are left out); None if there are too many states."""
    d, facts = system.initial()
    first: tuple[Discrete, Valuation] = d, initial_values(facts)
    queue, seen = [first], {(d, frozenset(first[1].items()))}
    violations, finals = set(), set()
    for d, values in queue:  # grows while the loop runs
        threads = system.threads(d)
        if not threads and system.ended(d) is None:
            known = {name: content(value) for name, value in d.known}
            cells = {untyped(k): v for k, v in {**known, **values}.items() if "@" in k}
            finals.add(frozenset(cells.items()))
        for t in threads:
            for x in taken(system.steps(d, t), values):
                if x.step.fault is None and (v := x.step.violation) is not None:
                    violations.add(f"violates {v.property}: {v.message}")
                elif x.step.fault is None:
                    key = (x.step.successor, frozenset(x.values.items()))
                    if key not in seen:
                        seen.add(key)
                        queue.append((x.step.successor, x.values))
        if len(seen) > MOST_STATES:
            return None
    return violations, finals


def running(configuration: Configuration) -> bool:
    """Whether a thread has not finished."""
    return any(thread.location is not None for thread in configuration.threads.values())


def reference_ends(reference: ReferenceInterpreter) -> tuple[set[str], set[Memory]] | None:
    """The same by the reference interpreter, with all cells."""
    first = reference.initial()
    queue: list[Configuration] = [first]
    seen = {first.key()}
    violations, finals = set(), set()
    for configuration in queue:  # grows while the loop runs
        if configuration.status.startswith("violates"):
            violations.add(configuration.status)
        elif configuration.status == "running" and not running(configuration):
            finals.add(
                frozenset(
                    (f"{name}@{offset}", value)
                    for name, cells in configuration.memory.items()
                    for offset, value in cells.items()
                )
            )
        for _, after in reference.steps(configuration):
            if after.key() not in seen:
                seen.add(after.key())
                queue.append(after)
        if len(seen) > 3 * MOST_STATES:
            return None
    return violations, finals


@settings(
    max_examples=examples(16, whole=40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(programs(SMALL))
def test_same_ends_as_the_reference(program: Program) -> None:
    reference = ReferenceInterpreter(program)
    try:
        wanted = reference_ends(reference)
    except Unspecified:
        assume(False)
    found = symbolic_ends(SymbolicSystem(program))
    assume(wanted is not None and found is not None)
    assert wanted is not None
    assert found is not None
    assert found[0] <= wanted[0]
    assert reference.lost or found[0] == wanted[0]
    assert {final for final in wanted[1] if not any(f <= final for f in found[1])} == set()
    assert {f for f in found[1] if not any(f <= final for final in wanted[1])} == set()
