"""Rules of the search for data races that are taken out, and the races that are missed then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from abpress.engines.explicit import explore_all
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.properties.data_race import NoDataRace
from abpress.reductions.choice import Visited
from abpress.reductions.static.none import NoReduction
from abpress.reductions.static.s_por import SPor
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, State

FIRST = """
program pointer 4 overflow end
object x {4: 0 i32} = 0
object y {4: 0 i32} = 0
template main entry L0
  register a: u32
  L0:
    a := spawn two 0ptr -> L1
  L1:
    *&x := 1 -> L2
  L2:
    finish 0ptr -> L2
template two entry L0
"""
"""t1: creates t2; x = 1."""

BEHIND = f"""{FIRST}  L0:
    *&y := 1 -> L1
  L1:
    *&x := 2 -> L2
  L2:
    finish 0ptr -> L2
template other entry L0
  register b: i32
  L0:
    b := *&y -> L1
  L1:
    finish 0ptr -> L1
"""
"""t1: x = 1; t2: y = 1, x = 2 (somebody else would read y)."""

UNFINISHED = f"""{FIRST}  register b: i32
  L0:
    -> L1
  L1 atomic:
    b := *&x -> L2
  L2 atomic:
    assume b == 7 -> L3
  L3 atomic:
    -> L4
  L4:
    finish 0ptr -> L4
"""
"""The second thread stands before an atomic block that it can never begin."""


def program(text: str) -> Program:
    return parse_program(text, "trap")


class NextStepsOnly(NoReduction[State]):
    """Lets a thread go alone whose next step conflicts with no other thread's next step."""

    def expand(self, state: State, visited: Visited[State]) -> Iterator[ConcreteStep]:
        system = self._system
        assert isinstance(system, Interpreter)
        threads = system.threads(state)
        its = {t: system.record(state, t) for t in threads}
        for t in threads:
            rest = [its[other] for other in threads if other != t]
            alone = not any(
                {*its[t].writes} & {*other.reads, *other.writes}
                or {*other.writes} & {*its[t].reads, *its[t].writes}
                for other in rest
            )
            if (
                alone
                and its[t].steps
                and not any(visited.on_stack(s.successor) for s in its[t].steps)
            ):
                return iter(its[t].steps)
        return iter([step for t in threads for step in its[t].steps])


def test_a_thread_that_goes_alone_too_early_passes_the_race_by() -> None:
    """NOTE(race-states)."""
    system = Interpreter(program(BEHIND))
    assert explore_all(system, "s-por", NoDataRace()).found
    trap = NextStepsOnly(system)
    outcome = explore(system, trap, NoDataRace())
    assert outcome.exhausted
    assert not outcome.found


@pytest.mark.parametrize("text", [BEHIND, UNFINISHED])
def test_races_are_found(text: str) -> None:
    for make in (SPor, NoReduction):
        system = Interpreter(program(text))
        assert explore(system, make(system), NoDataRace()).found


def test_accesses_of_blocks_that_cannot_be_finished_count() -> None:
    """Where only steps counted, the block that does not exist would access nothing."""
    system = Interpreter(program(UNFINISHED))
    (found,) = explore(system, SPor(system), NoDataRace()).found
    assert not any(step.thread == 2 for step in found.path)
