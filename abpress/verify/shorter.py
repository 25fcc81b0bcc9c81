"""A trace made shorter: its program is loaded again, and its schedule replayed and shortened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from abpress.config import Config
from abpress.engines.order import asked_options, visible
from abpress.errors import UnsupportedError
from abpress.properties import PROPERTIES
from abpress.properties.finding import Deadlock, Finding
from abpress.search.ledger import Schedule
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import FEW_THREADS, State, Violation
from abpress.semantics.protocols import S, TransitionSystem
from abpress.verify.load import load
from abpress.witness.build import build_trace
from abpress.witness.minimise import context_switches, cost, minimise
from abpress.witness.shortening import shorten
from abpress.witness.trace import Trace


@dataclass(frozen=True, slots=True)
class Shortened:
    """A trace of the same violation; of the given one and of this one, the context switches and
    steps of their schedules; and how many steps less each thread takes."""

    trace: Trace
    context_switches: tuple[int, int]
    steps: tuple[int, int]
    removed: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """What was removed, ready for JSON."""
        return {
            "context_switches": list(self.context_switches),
            "steps": list(self.steps),
            "removed": self.removed,
        }

    def __str__(self) -> str:
        (switches, fewer), (steps, less) = self.context_switches, self.steps
        threads = ", ".join(f"{n} of {name}" for name, n in self.removed.items())
        return (
            f"{switches} context switches became {fewer}, {steps} steps {less}"
            f" (removed: {threads or 'nothing'})"
        )


def shortened(config: Config, trace: Trace, expired: Callable[[], bool]) -> Shortened:
    """The trace, shortened, of the program of the configuration; `expired` says that there is no
    time left. Raises UnsupportedError if the schedule does not lead to the violation there, and
    what loading does."""
    for names in dict.fromkeys([(trace.property,), config.question.properties]):
        if trace.property not in names:
            continue
        its = replace(config, question=replace(config.question, properties=names))
        program = load(its).program
        options = asked_options(its, max(FEW_THREADS, len(trace.threads)))
        system = Interpreter(program, options, visible=visible(program, its))
        found = _replayed(system, trace)
        if found is None:
            continue
        given, finding = found
        best = shorten(system, given, finding, expired=expired)
        best = min(
            best,
            minimise(system, best, finding, expired=expired, extent=system.extent),
            key=cost,
        )
        made = build_trace(system, best, trace.property, finding)
        before, after = (Counter(name for name, _ in t.schedule) for t in (trace, made))
        removed = {name: n - after[name] for name, n in before.items() if n > after[name]}
        switches = context_switches(given), context_switches(best)
        return Shortened(made, switches, (len(given), len(best)), removed)
    raise UnsupportedError(
        "the trace is not one of this program as it is loaded for its property alone"
    )


def _replayed(system: Interpreter, trace: Trace) -> tuple[Schedule, Finding] | None:
    """The schedule of the trace in the system, and the violation that it leads to; None if it leads
    to none, or to one at other places."""
    state, schedule = system.initial(), list[tuple[int, tuple[int, ...]]]()
    violation: Violation | None = None
    for name, choices in trace.schedule:
        ids = {system.views.thread_name(t): t for t in system.threads(state)}
        step = system.take(state, ids[name], choices) if name in ids else None
        if step is None or violation is not None:
            return None
        schedule.append((ids[name], choices))
        state, violation = step.successor, step.violation
    finding = PROPERTIES[trace.property].of_execution(system, state, violation)
    if finding is None:
        return None
    if isinstance(finding, Deadlock):
        finding = _ThatDeadlock.of(system, state, finding.waits)
    replayed = build_trace(system, tuple(schedule), trace.property, finding)
    alike = _places(replayed) == _places(trace)
    return (tuple(schedule), finding) if alike else None


@dataclass(frozen=True, slots=True)
class _ThatDeadlock(Deadlock):
    """A deadlock in which the same threads stand at the same places: all others count as one with
    it where there is nothing to compare."""

    system: Interpreter
    where: frozenset[Standing]

    @staticmethod
    def of(system: Interpreter, state: State, waits: tuple[int, ...]) -> _ThatDeadlock:
        """The one of this state."""
        return _ThatDeadlock(waits, system, _standing(system, state, waits))

    def shown(self, system: TransitionSystem[S], state: S) -> Deadlock | None:
        """The deadlock of the state, if it is that one. `system` is that of the first state."""
        found = Deadlock.shown(self, system, state)
        if found is None or _standing(self.system, state, found.waits) != self.where:
            return None
        return found


Standing = tuple[str, str, int]
"""A thread, and where it stands: the template and location."""


def _standing(system: Interpreter, state: Any, threads: tuple[int, ...]) -> frozenset[Standing]:
    name = system.views.thread_name
    return frozenset((name(t), *system.location(state, t)) for t in threads)


def _places(trace: Trace) -> object:
    """Where the violation is, by thread."""
    standing = {(its.thread, its.position.origin) for its in (*trace.blocked, *trace.ready)}
    return standing or (trace.steps[-1].thread, trace.steps[-1].position.origin)
