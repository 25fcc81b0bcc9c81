"""Rules of the search for data races that are taken out, and the races that are missed then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.engines import stateless
from abpress.engines.stored import explore_all
from abpress.engines.table import ENGINES
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.properties.data_race import NoDataRace
from abpress.reductions.choice import Visited
from abpress.reductions.stateless.algorithm import SearchPath, StatelessAlgorithm, ThreadChoice
from abpress.reductions.stateless.optimal import OptimalDpor
from abpress.reductions.stateless.races import HappensBeforeRaces
from abpress.reductions.static.none import NoReduction
from abpress.reductions.static.s_por import SPor
from abpress.reductions.table import STATELESS
from abpress.result import Verdict
from abpress.search.limits import Limits
from abpress.search.stateful import explore
from abpress.search.stateless import explore_executions
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


EXCLUDED = """
program pointer 4 overflow end
object x {4: 0 i32} = 0
object flag {4: 0 i32} = 0
template main entry L0
  register a: u32
  L0:
    a := spawn two 0ptr -> L1
  L1:
    *&flag := 1 -> L2 atomic_access
  L2:
    *&x := 2 -> L3
  L3:
    finish 0ptr -> L3
template two entry L0
  register b: i32
  L0:
    b := *&flag -> L1 atomic_access
  L1:
    await b == 1 -> L2
  L2:
    b := *&x -> L3
  L3:
    assume b == 7 -> L4
  L4:
    finish 0ptr -> L4
"""
"""The step in which the second thread reads x is impossible, whoever goes first."""

JOINING = """
program pointer 4 overflow end
object x {4: 0 i32} = 0
object flag {4: 0 i32} = 0
object id {4: 0 u32} = 0
template main entry L0
  register a: u32
  L0:
    a := spawn two 0ptr -> L1
  L1:
    *&id := a -> L2
  L2:
    a := spawn three 0ptr -> L3
  L3:
    finish 0ptr -> L3
template two entry L0
  L0:
    *&flag := 1 -> L1 atomic_access
  L1:
    *&x := 2 -> L2
  L2:
    finish 0ptr -> L2
template three entry L0
  register a: u32
  register b: i32
  register j: ptr
  L0:
    a := *&id -> L1
  L1:
    b := *&flag -> L2 atomic_access
  L2:
    await b == 1 -> L3
  L3:
    -> L4
  L4 atomic:
    b := *&x -> L5
  L5 atomic:
    j := join a -> L6
  L6:
    finish 0ptr -> L6
"""
"""The block in which one thread reads x joins the other one; that has no other order."""

BLIND = """
program pointer 4 overflow end
object x {4: 0 i32} = 0
object flag {4: 0 i32} = 0
template main entry L0
  register a: u32
  L0:
    a := spawn two 0ptr -> L1
  L1:
    *&flag := 1 -> L2 atomic_access
  L2:
    *&x := 2 -> L3
  L3:
    finish 0ptr -> L3
template two entry L0
  register b: i32
  L0:
    b := *&flag -> L1 atomic_access
  L1:
    await b == 1 -> L2
  L2:
    *&x := 1 -> L3
  L3:
    finish 0ptr -> L3
"""
"""Nobody reads what is written to x."""


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


class WithoutCuts(HappensBeforeRaces):
    """Tells nobody the states to which races are taken back."""

    def begin(self, path: SearchPath, choice: ThreadChoice) -> None:
        path.on_cut = None
        super().begin(path, choice)


def test_steps_that_are_impossible_race_too() -> None:
    """NOTE(races-in-cuts): the state in which both threads stand ready is on no execution that is
    explored."""
    for races, finds in ((HappensBeforeRaces(), True), (WithoutCuts(), False)):
        system = Interpreter(program(EXCLUDED))
        algorithm = StatelessAlgorithm(OptimalDpor(), races)
        outcome = explore_executions(system, algorithm, NoDataRace())
        assert bool(outcome.found) == finds


def test_the_execution_that_is_shown_ends_where_both_stand_ready() -> None:
    system = Interpreter(program(EXCLUDED))
    outcome = explore_executions(system, STATELESS["optimal"].make(), NoDataRace())
    (found,) = outcome.found
    state = system.initial()
    for step in found.path:
        taken = system.take(state, step.thread, step.choices)
        assert taken is not None
        state = taken.successor
    assert found.finding.is_shown_by(system, state)


def test_blocks_that_join_are_not_taken_back() -> None:
    """NOTE(races-in-cuts)."""
    joining = program(JOINING)
    system = Interpreter(joining)
    assert explore(system, SPor(system), NoDataRace()).found
    outcome = explore_executions(system, STATELESS["optimal"].make(), NoDataRace())
    assert outcome.exhausted
    assert not outcome.found
    config = Config.of(Path(), property="no-data-race", engine="stateless")
    for por, verdict in (("optimal", Verdict.UNKNOWN), ("sleep", Verdict.FALSE)):
        assert stateless.search(joining, config.but(por=por), Limits()).verdict is verdict


def test_accesses_that_depend_on_others_of_their_block_are_not_taken_back() -> None:
    exposed = JOINING.replace("j := join a -> L6", "*&x := 1 -> L6 exposed_access")
    assert list(Facts.of(program(exposed)).racing.entangled())
    first = exposed.replace("b := *&x -> L5", "b := 1 -> L5")
    assert not list(Facts.of(program(first)).racing.entangled())


def test_observers_pass_races_by() -> None:
    system = Interpreter(program(BLIND))
    assert explore_executions(system, STATELESS["optimal"].make(), NoDataRace()).found
    outcome = explore_executions(system, STATELESS["observers"].make(), NoDataRace())
    assert outcome.exhausted
    assert not outcome.found
    assert not ENGINES["stateless"].answers("no-data-race", "observers")
