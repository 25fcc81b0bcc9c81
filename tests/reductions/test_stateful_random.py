"""Random systems and programs: every dynamic reduction against plain enumeration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings

from abpress.config import Config
from abpress.engines.order import InOrder
from abpress.engines.stored import explore_all
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import Preserved
from abpress.reductions.entry import ReductionEntry
from abpress.reductions.table import STATEFUL, STATIC
from abpress.result import Soundness
from abpress.search.limits import StopReason
from abpress.search.stateful import explore
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from tests.engines.test_random_programs import final
from tests.reductions.toy import Toy, busy_toys, enumerate_all, outcomes, toys
from tests.sampling import examples
from tests.strategies.ir_programs import Features, permuted_threads, programs
from tests.strategies.questions import ANY_ERROR

MOST_STATES = 5_000
"""Larger programs are not compared."""

ORDERS = ("sequential", "main.3,main.2,main.1", "random")
EVERY = pytest.mark.parametrize("info", STATEFUL.values(), ids=STATEFUL.keys())


def check(info: ReductionEntry, toy: Toy) -> None:
    """The reduction finds what the dumb search finds, in no more states."""
    truth, ends = enumerate_all(toy), set()
    outcome = explore(
        toy,
        info.make(toy),
        ANY_ERROR,
        keep_going=True,
        on_final=lambda state, end: ends.add((state, end)),
    )
    assert outcome.exhausted
    assert {f.finding.key for f in outcome.found if f.finding.of_step} == truth.errors
    assert outcomes(ends) == outcomes(truth.ends)
    if info.preserves.includes(Preserved.FINAL_STATES):
        assert ends == truth.ends
    assert outcome.statistics.states <= len(truth.states)


@EVERY
@settings(max_examples=examples(20, whole=100), derandomize=True, deadline=None, database=None)
@given(toy=toys())
def test_systems_with_cycles(info: ReductionEntry, toy: Toy) -> None:
    check(info, toy)


@EVERY
@settings(max_examples=examples(20, whole=100), derandomize=True, deadline=None, database=None)
@given(toy=busy_toys())
def test_busy_systems(info: ReductionEntry, toy: Toy) -> None:
    check(info, toy)


@dataclass(frozen=True)
class Seen:
    """What a search meets."""

    errors: frozenset[str]
    finals: frozenset[str | None]
    states: int


def run(program: Program, por: str, order: str, most: int | None = None) -> Seen | None:
    """None: the program has too many states."""
    system: Interpreter = InOrder(program, Config.of(Path(), order=order, seed=1), Soundness())
    finals: set[str | None] = set()

    def poll(statistics: Statistics) -> StopReason | None:
        return StopReason("states", "") if most and statistics.states > most else None

    def on_final(state: Any, end: Any) -> None:
        finals.add(final(system, state, end))

    outcome = explore_all(system, por, ANY_ERROR, poll=poll, keep_going=True, on_final=on_final)
    if not outcome.exhausted:
        return None
    errors = {f.finding.message for f in outcome.found}
    return Seen(frozenset(errors), frozenset(finals - {None}), outcome.statistics.states)


def compare(program: Program) -> bool:
    """All reductions agree with plain enumeration, whatever the order of the threads."""
    truth = run(program, "none", "sequential", MOST_STATES)
    if truth is None:
        return False
    turned = permuted_threads(program)
    for por in (*STATIC, *STATEFUL):
        text = f"{por}\n{format_program(program)}"
        for order in ORDERS:
            seen = run(program, por, order)
            assert seen is not None
            assert (seen.errors, seen.finals) == (truth.errors, truth.finals), f"{order} {text}"
            assert seen.states <= truth.states, text
        seen = run(turned, por, "sequential")
        assert seen is not None
        assert seen.errors == truth.errors, f"permuted {text}"
    return True


@settings(max_examples=examples(10, whole=60), derandomize=True, deadline=None, database=None)
@given(program=programs(Features(threads=3, statements=5)))
def test_programs(program: Program) -> None:
    assume(compare(program))
