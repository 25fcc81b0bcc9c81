"""Hybrid POR and its relatives: what goes wrong without a rule, and how they compare."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings

from abpress.engines.stored import explore_all
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import PROPERTIES, Preserved
from abpress.reductions.stateful.dynamic import DynamicReduction
from abpress.reductions.stateful.hybrid import HybridPor
from abpress.reductions.stateful.stateful_dpor import StatefulDpor
from abpress.reductions.table import STATEFUL, STATIC
from abpress.search.limits import StopReason
from abpress.search.stateful import explore
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from tests.engines.programs import INT, THREAD_ENDS, code, main, program
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs

UNREACH = PROPERTIES["unreach-call"]

TRACED = pytest.mark.parametrize(
    ("algorithm", "rule"),
    [(HybridPor, "_look_behind"), (StatefulDpor, "_apply_again")],
    ids=["hybrid", "stateful-dpor"],
)

UNKNOWN_PATH = program(
    main("w", "v", join=False, end=THREAD_ENDS),
    code("w", "*&x := 1", "*&y := 0", "r := *&z", THREAD_ENDS, r="i32"),
    code(
        "v",
        "r := *&y",
        "*&z := 1",
        "r := *&x",
        "when r == 0 -> L4\n when r != 0 -> L5",
        'fail "unreach-call" "x is 0" -> L4',
        THREAD_ENDS,
        r="i32",
    ),
    x=INT,
    y=INT,
    z=INT,
)
"""First `y := 0` is explored before v reads y, so `x := 1` happens before v reads x. In the other
order it does not, but that leads to the same state, behind which x has been read."""


@TRACED
def test_paths_through_visited_states(
    algorithm: Any, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NOTE(unknown-paths), NOTE(hybrid-match): [Hybrid16] does not look behind visited states."""

    def found() -> bool:
        system = Interpreter(UNKNOWN_PATH)
        return bool(explore(system, DynamicReduction(system, algorithm(system)), UNREACH).found)

    assert found()
    monkeypatch.setattr(algorithm, rule, lambda *_: None)
    assert not found()


EXIT_BEFORE_PUBLICATION = program(
    main("w", "v", join=False, end='exit ""'),
    code("w", 'p := alloc 1 {4: 0 i32} zeroed ""', "*p := 1", "*&g := p", THREAD_ENDS, p="ptr"),
    code(
        "v",
        "p := *&g",
        "when p != 0ptr -> L2\n when p == 0ptr -> L3",
        "*p := 2",
        THREAD_ENDS,
        p="ptr",
    ),
    g="{4: 0 ptr} = 0ptr",
)
"""Nobody but w can reach what it allocates until it says where, but the program may end first."""


def test_the_end_of_the_program_comes_before_what_nobody_sees() -> None:
    """NOTE(stopped-threads): memory is lost that `s-por` meets, and no more is promised."""

    def left(por: str) -> set[str]:
        system, met = Interpreter(EXIT_BEFORE_PUBLICATION), set()
        explore_all(
            system,
            por,
            UNREACH,
            on_final=lambda s, _: met.add(str(system.views.describe(s)["memory"])),
        )
        return met

    unwritten = {"{'g': 0, 'heap main.1#1': 0}"}
    for por in ("heap-reach", "heap-reach+fields", "hybrid"):
        assert left("s-por") - left(por) == unwritten
    for info in STATIC["heap-reach"], STATIC["heap-reach+fields"], STATEFUL["hybrid"]:
        assert not info.preserves.includes(Preserved.FINAL_STATES)


LINE = ("s-por", "heap-reach", "heap-reach+fields", "hybrid")
"""NOTE(look-ahead): each lets a thread go on alone wherever the one before it does so."""

MOST_STATES = 5_000


def run(program: Program, por: str) -> Statistics | None:
    """None: the program has too many states."""

    def poll(statistics: Statistics) -> StopReason | None:
        return StopReason("states", "") if statistics.states > MOST_STATES else None

    outcome = explore_all(Interpreter(program), por, UNREACH, poll=poll, keep_going=True)
    return outcome.statistics if outcome.exhausted else None


@settings(max_examples=examples(60, whole=150), derandomize=True, deadline=None, database=None)
@given(program=programs(Features(unbounded_loops=False, threads=3, statements=6)))
def test_no_more_choices_and_states_than_the_one_before(program: Program) -> None:
    seen = [run(program, por) for por in LINE]
    assume(all(seen))
    choices = [statistics.thread_choices for statistics in seen if statistics is not None]
    states = [statistics.states for statistics in seen if statistics is not None]
    assert choices == sorted(choices, reverse=True), format_program(program)
    assert states == sorted(states, reverse=True), format_program(program)
