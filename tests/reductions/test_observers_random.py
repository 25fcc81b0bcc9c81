"""Random programs: one execution per class of what is observed, the classes by their definition."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import PROPERTIES
from abpress.properties.ends import End
from abpress.reductions.table import STATELESS
from abpress.relations.happens_before import Event
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.recording import Recorded
from tests.sampling import examples
from tests.strategies.ir_writers import writing_programs

MOST_EVENTS = 1_500
"""Programs with more in all interleavings are not compared."""

EXAMPLES = examples(40, whole=100)

Class = frozenset[tuple[tuple[int, int], frozenset[tuple[int, int]]]]


class Waiting(Interpreter):
    """Notes which keys threads have waited for. `turned`: threads are tried last to first."""

    def __init__(self, program: Program, turned: bool = False) -> None:
        super().__init__(program)
        self.turned = turned
        self.keys: set[int] = set()

    def threads(self, s: State) -> tuple[int, ...]:
        return super().threads(s)[:: -1 if self.turned else 1]

    def record(self, s: State, t: int) -> Recorded:
        recorded = super().record(s, t)
        if not recorded.steps:
            self.keys.update(recorded.reads)
        return recorded


def class_of(events: list[Event], waited: set[int]) -> Class:
    """The partial order of the execution, from the definition.

    An earlier event comes before a later one of the same thread, of one that it creates or joins,
    and of one that reads a cell that it writes, or writes one that it reads; and if both write a
    cell, where some event reads what the later one has written. Whoever might wait for a cell has
    read it when it is written.
    """
    n = len(events)
    writes = [{k for k in event.access.writes if k >= 0} for event in events]
    lives = [{k for k in event.access.writes if k < 0} for event in events]
    reads = [{*event.access.reads, *(w & waited)} for event, w in zip(events, writes, strict=True)]
    names = [
        (e.thread, sum(f.thread == e.thread for f in events[:i])) for i, e in enumerate(events)
    ]

    def observed(j: int, key: int) -> bool:
        for m in range(j + 1, n):
            if key in reads[m]:
                return True
            if key in writes[m]:
                return False
        return False

    past: list[set[int]] = []
    for j, b in enumerate(events):
        past.append(set())
        seen = {key for key in writes[j] if observed(j, key)}
        for i, a in enumerate(events[:j]):
            if (
                a.thread == b.thread
                or a.access.ends
                or b.access.ends
                or lives[i] & {*reads[j], -b.thread}
                or writes[i] & reads[j]
                or reads[i] & writes[j]
                or writes[i] & seen
            ):
                past[j] |= {i, *past[i]}
    return frozenset((names[j], frozenset(names[i] for i in past[j])) for j in range(n))


class TooLarge(Exception):
    """All interleavings are too many."""


def explored(
    interpreter: Interpreter, name: str, most: int | None = None
) -> tuple[list[list[Event]], set[str], set[tuple[State, End]]]:
    """Executions, violations, and how executions end, with what threads have got to."""
    executions: list[list[Event]] = []
    ends: set[tuple[State, End]] = set()
    outcome = explore_executions(
        interpreter,
        STATELESS[name].make(),
        PROPERTIES["unreach-call"],
        keep_going=True,
        hooks=Hooks(
            lambda s: StopReason("events", "") if most and s.events > most else None,
            lambda state, end: ends.add((state, end)),
            lambda events: executions.append(list(events)),
            on_restart=executions.clear,
        ),
    )
    if not outcome.exhausted:
        raise TooLarge
    assert outcome.statistics.sleep_set_blocked == 0 or not STATELESS[name].optimal
    return executions, {f.finding.message for f in outcome.found if f.finding.of_step}, ends


def check(program: Program, _: object = None) -> bool:
    """One execution per class, whichever thread is tried first; the same violations and ends, also
    where what follows known states is not explored. Returns whether the program is small enough."""
    try:
        all_, *truth = explored(Interpreter(program), "none", MOST_EVENTS)
    except TooLarge:
        return False
    writers: dict[int, set[int]] = {}
    for event in (event for events in all_ for event in events):
        for key in event.access.writes:
            writers.setdefault(key, set()).add(event.thread)
    contested = {key for key, threads in writers.items() if len(threads) > 1}

    def observable(seen: set[tuple[State, End]]) -> set[tuple[State, tuple[object, ...], End]]:
        ends = set()
        for state, end in seen:
            rest, contents = system.cells.split(state)
            kept = (
                v
                for k, v in zip(system.cells.addresses, contents, strict=True)
                if k not in contested
            )
            ends.add((rest, tuple(kept), end))
        return ends

    for turned in (False, True):
        system = Waiting(program, turned)
        found, errors, ends = explored(system, "observers")
        classes = {class_of(events, system.keys) for events in all_}
        assert errors == truth[0], format_program(program)
        assert observable(ends) == observable(truth[1]), format_program(program)
        assert {class_of(events, system.keys) for events in found} == classes
        assert len(found) == len(classes), format_program(program)
        fewer, errors, ends = explored(system, "optimal-cs-observers")
        assert errors == truth[0], format_program(program)
        assert observable(ends) == observable(truth[1]), format_program(program)
        assert len(fewer) <= len(found), format_program(program)
    return True


PROGRAMS = st.one_of(
    writing_programs(2, 3, True), writing_programs(2, 3, False), writing_programs(3, 1, False)
)


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(program=PROGRAMS)
def test_one_execution_per_class_of_observations(program: Program) -> None:
    check(program)
