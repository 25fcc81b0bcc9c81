"""Races of random programs, by the searches that keep them and by the definition: an enumeration in
which every edge is a step of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abpress.analysis.racing import counted
from abpress.config import Config
from abpress.engines.order import InOrder
from abpress.engines.stored import explore_all
from abpress.engines.table import ENGINES
from abpress.ir.passes.pipeline import simplify
from abpress.ir.passes.rewrite import map_edges
from abpress.ir.program import AccessKind, Copy, Edge, Load, Program, Store
from abpress.ir.reader import parse_program
from abpress.ir.text import format_program
from abpress.properties.data_race import NoDataRace, races
from abpress.reductions.table import STATEFUL, STATELESS, STATIC
from abpress.result import Soundness
from abpress.search.bounds import ExecutionBounds
from abpress.search.hunt.hunt import Hunt
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.standing import Pending
from tests.sampling import examples
from tests.strategies.ir_programs import Features, permuted_threads, programs
from tests.strategies.ir_racing import racing_program

KEEPING = tuple(
    por
    for por in ENGINES["explicit"].reductions
    if ENGINES["explicit"].answers(NoDataRace.name, por) and por in STATIC
)
DYNAMIC = tuple(por for por in STATEFUL if ENGINES["explicit"].answers(NoDataRace.name, por))
WITHOUT_STATES = tuple(
    por
    for por in ENGINES["stateless"].reductions
    if ENGINES["stateless"].answers(NoDataRace.name, por)
)
MOST_STATES = 3_000
MOST_EVENTS = 3_000

Place = tuple[str, int, int, bool]
"""An access: template, location, edge, whether it writes."""


class Collecting(NoDataRace):
    """Notes the races of all states, and goes on."""

    def __init__(self) -> None:
        self.found: set[frozenset[Place]] = set()

    def of_state(self, system: Any, state: Any) -> None:
        for one, other in system.standing.races(state):
            self.found.add(frozenset((self._place(system, one), self._place(system, other))))
        shown = list(races(system, state))
        for race in shown:
            first = next(other for other in shown if other.key == race.key)
            assert race.shown(system, state) == first

    def _place(self, system: Interpreter, access: Pending) -> Place:
        code, location = system.context.locate(access.pc)
        return code.template.name, location, access.edge, access.writes


def found(program: Program, por: str, order: str = "sequential") -> set[frozenset[Place]]:
    system = InOrder(program, Config.of(Path(), order=order, seed=1), Soundness())
    collecting = Collecting()
    outcome = explore_all(system, por, collecting, keep_going=True)
    assert outcome.exhausted
    return collecting.found


def found_without_states(
    program: Program, por: str, order: str = "sequential"
) -> set[frozenset[Place]] | None:
    """All races that a search of the executions finds; None if there are too many executions."""
    system = InOrder(program, Config.of(Path(), order=order, seed=1), Soundness())
    collecting = Collecting()
    hooks = Hooks(lambda s: StopReason("events", "") if s.events > MOST_EVENTS else None)
    outcome = explore_executions(
        system,
        STATELESS[por].make(),
        collecting,
        keep_going=True,
        bounds=ExecutionBounds(awaits=True),
        hooks=hooks,
    )
    return collecting.found if outcome.exhausted else None


def plainly(program: Program) -> set[frozenset[Place]] | None:
    """All races, by their definition; None if there are too many states."""
    everything = {
        name: frozenset((i, k) for i, at in enumerate(t.locations) for k in range(len(at.edges)))
        for name, t in program.templates.items()
    }
    system = Interpreter(program, visible=everything)
    initial = system.initial()
    seen, todo = {initial}, [initial]
    races: set[frozenset[Place]] = set()
    while todo:
        if len(seen) > 4 * MOST_STATES:
            return None
        state = todo.pop()
        before = [list(_before(system, state, t)) for t in system.threads(state)]
        for k, one in enumerate(before):
            for other in before[k + 1 :]:
                races |= {frozenset((a[0], b[0])) for a in one for b in other if _conflict(a, b)}
        for thread in system.threads(state):
            for step in system.steps(state, thread):
                if step.violation is None and step.successor not in seen:
                    seen.add(step.successor)
                    todo.append(step.successor)
    return races


Access = tuple[Place, str, AccessKind]
"""An access, of which cell, and how it counts."""


def _before(system: Interpreter, state: Any, thread: int) -> Iterator[Access]:
    alternatives = [step.choices for step in system.steps(state, thread)] or [()]
    for choices in alternatives:
        for event in system.views.trace(state, thread, choices):
            template = system.program.templates[event.template]
            edge = template.locations[event.location].edges[event.edge]
            kind = counted(template, event.location, edge)
            for cells, writes in ((event.reads, False), (event.writes, True)):
                for cell, _ in cells:
                    yield (event.template, event.location, event.edge, writes), cell, kind


def _conflict(one: Access, other: Access) -> bool:
    (a, cell, kind), (b, its, beside) = one, other
    if cell != its or not (a[3] or b[3]) or AccessKind.LIBRARY in (kind, beside):
        return False
    return AccessKind.PLAIN in (kind, beside)


@st.composite
def marked(draw: st.DrawFn) -> Program:
    """Programs with accesses of all kinds."""
    features = Features(inputs=False, overflows=False, statements=4)
    program = draw(programs(features))
    seed = draw(st.randoms(use_true_random=False))

    def mark(edge: Edge) -> Edge:
        accesses = any(isinstance(effect, Load | Store | Copy) for effect in edge.effects)
        kind = seed.choice([AccessKind.PLAIN] * 4 + list(AccessKind))
        return replace(edge, access=kind) if accesses else edge

    return replace(
        program, templates={name: map_edges(t, mark) for name, t in program.templates.items()}
    )


@settings(max_examples=examples(35, whole=200), derandomize=True, deadline=None, database=None)
@given(program=marked())
def test_every_reduction_finds_all_races(program: Program) -> None:
    truth = plainly(program)
    assume(truth is not None)
    text = format_program(program)
    for por in KEEPING:
        for order in ("sequential", "random"):
            assert found(program, por, order) == truth, f"{por}\n{text}"


@settings(max_examples=examples(12, whole=60), derandomize=True, deadline=None, database=None)
@given(program=marked())
def test_searches_of_the_executions_find_all_races(program: Program) -> None:
    truth = plainly(program)
    assume(truth is not None)
    for por in WITHOUT_STATES:
        its = found_without_states(program, por)
        assert its is None or its == truth, f"{por}\n{format_program(program)}"


SEEDS = examples(16, whole=80)


@cache
def _racing(seed: int) -> tuple[Program, str, set[frozenset[Place]] | None]:
    text = racing_program(seed)
    program = parse_program(text, "program")
    return program, text, plainly(program)


@settings(max_examples=examples(12, whole=60), derandomize=True, deadline=None, database=None)
@given(program=marked())
def test_dynamic_reductions_find_all_races(program: Program) -> None:
    truth = plainly(program)
    assume(truth is not None)
    for por in DYNAMIC:
        assert found(program, por) == truth, f"{por}\n{format_program(program)}"


@pytest.mark.parametrize("por", DYNAMIC)
def test_dynamic_reductions_find_races_of_steps_that_may_be_impossible(por: str) -> None:
    for seed in range(SEEDS):
        program, text, truth = _racing(seed)
        for order in ("sequential", "random") if truth is not None else ():
            assert found(program, por, order) == truth, f"{por}, {order}, seed {seed}\n{text}"


@pytest.mark.parametrize("por", WITHOUT_STATES)
def test_races_of_steps_that_may_be_impossible(por: str) -> None:
    compared, racy = 0, 0
    for seed in range(SEEDS):
        program, text, truth = _racing(seed)
        if truth is None:
            continue
        for order in ("sequential", "random"):
            its = found_without_states(program, por, order)
            if its is not None:
                assert its == truth, f"{por}, {order}, seed {seed}\n{text}"
                compared += 1
                racy += bool(truth)
        turned = found_without_states(permuted_threads(program), por)
        if turned is not None:
            assert bool(turned) == bool(truth), f"{por}, permuted, seed {seed}\n{text}"
    assert compared > 1.5 * SEEDS
    assert racy > 0.375 * SEEDS


@settings(max_examples=examples(40, whole=100), derandomize=True, deadline=None, database=None)
@given(program=marked())
def test_the_order_of_threads_does_not_matter(program: Program) -> None:
    assume(plainly(program) is not None)
    turned = permuted_threads(program)
    assert bool(found(program, "s-por")) == bool(found(turned, "s-por"))


@settings(max_examples=examples(30, whole=150), derandomize=True, deadline=None, database=None)
@given(program=marked())
def test_simplified_programs_have_the_same_races(program: Program) -> None:
    truth = plainly(program)
    assume(truth is not None)
    simplified = found(simplify(program, every_access=True), "none")
    assert bool(simplified) == bool(truth), format_program(program)


@settings(max_examples=examples(40, whole=100), derandomize=True, deadline=None, database=None)
@given(program=marked())
def test_hunts_find_races(program: Program) -> None:
    truth = plainly(program)
    assume(truth is not None)
    hunt = Hunt(Interpreter(program), NoDataRace(), seed=1)
    hunted = hunt.search(30_000, lambda _: None)
    assert (hunted.found is not None) == bool(truth), format_program(program)
