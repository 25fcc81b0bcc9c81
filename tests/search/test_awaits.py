"""Loops that only wait, NOTE(useless-rounds): no state, violation or deadlock is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.ir.program import Program
from abpress.properties import PROPERTIES, Preserved
from abpress.properties.ends import End
from abpress.reductions.stateless.remembering import RememberingChoice
from abpress.reductions.table import STATELESS
from abpress.search.awaits import Awaiting
from abpress.search.bounds import ExecutionBounds
from abpress.search.limits import StopReason
from abpress.search.stateless import ExploredExecutions, Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.verify.load import load
from tests.reductions.test_stateless_random import stateful
from tests.sampling import examples
from tests.strategies.questions import ANY_ERROR

EXAMPLES = examples(10, whole=40)

MOST_EVENTS = 1_000
MOST_STEPS = 50

HEAD = """#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
_Atomic int l;
int a, b, c;
pthread_mutex_t m;
static int cas(int from, int to) { return atomic_compare_exchange_strong(&l, &from, to); }
static int busy(void) { return !(a && b); }
"""


def program(text: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(HEAD + text, encoding="utf-8")
    return load(Config.of(file), every_access=True).program


def threads(*bodies: str) -> str:
    """A program whose threads have these bodies; `main` only creates them."""
    functions = [f"void *f{k}(void *p) {{ {body} return 0; }}" for k, body in enumerate(bodies)]
    creations = [f"pthread_create(&t, 0, f{k}, 0);" for k in range(len(bodies))]
    main = f"int main(void) {{ pthread_t t; {' '.join(creations)} pthread_exit(0); }}"
    return "\n".join([*functions, main])


def explored(p: Program, algorithm: str = "optimal", awaits: bool = True) -> ExploredExecutions:
    return explore_executions(
        Interpreter(p),
        STATELESS[algorithm].make(),
        PROPERTIES["no-deadlock"],
        keep_going=True,
        bounds=ExecutionBounds(unroll=None if awaits else 3, awaits=awaits),
    )


WAITING = {
    "two variables": "while (!(a && b)) ;",
    "either variable": "while (!a && !b) ;",
    "a function and a yield": "while (busy()) sched_yield();",
    "a local variable": "int v; do { v = a; } while (v != 1);",
    "a local variable that is used": "int v, w = b; do { v = a; } while (v != 1); c = v + w;",
    "compare and swap": "while (!cas(1, 2)) ;",
    "test and compare and swap": "while (!cas(1, 2)) while (l != 1) ;",
    "trylock": "while (pthread_mutex_trylock(&m)) ; pthread_mutex_unlock(&m);",
    "breaks in the middle": "for (;;) { if (a) break; if (b) break; sched_yield(); }",
    "two loops at one place": "for (;;) { while (a == 0) ; if (b == 1) break; }",
}


@pytest.mark.parametrize("loop", WAITING.values(), ids=WAITING.keys())
@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_a_loop_that_waits_ends(loop: str, algorithm: str, tmp_path: Path) -> None:
    """Nobody helps (or helps for ever): the thread waits, and it is no deadlock."""
    for other, ended in (("", False), ("a = 1; b = 1; l = 1;", True)):
        p = program(threads(loop, other), tmp_path)
        found = explored(p, algorithm)
        assert (found.exhausted, found.found, found.statistics.cut) == (True, (), 0)
        if "trylock" not in loop:
            assert (found.statistics.complete > 0) == ended
            assert found.statistics.waiting_loops or ended
        without = explored(p, algorithm, awaits=False)
        assert without.statistics.waiting_loops == ()
        assert without.statistics.cut > 0 or "trylock" in loop


WORKING = {
    "it writes": "while (!a) b = b + 1;",
    "it counts": "for (int i = 0; i < 3 && !a; i++) ;",
    "it writes now and then": "while (!a) if (c) b = 1;",
}


@pytest.mark.parametrize("loop", WORKING.values(), ids=WORKING.keys())
def test_a_loop_that_works_goes_on(loop: str, tmp_path: Path) -> None:
    found = explore_executions(
        Interpreter(program(threads(loop, "c = 1; a = 1;"), tmp_path)),
        STATELESS["optimal"].make(),
        PROPERTIES["no-deadlock"],
        bounds=ExecutionBounds(unroll=6),
    )
    assert found.statistics.complete > 1


REMEMBERING = [n for n in STATELESS if isinstance(STATELESS[n].make().choice, RememberingChoice)]


@pytest.mark.parametrize("name", REMEMBERING)
def test_who_is_cut_off_is_not_said_by_the_state(name: str, tmp_path: Path) -> None:
    """States are met again with other numbers of steps until then."""
    bodies = (
        "while (!(c < c)) if (a == 0) a = 0; while (!(b != 0)) ;",
        "a = 2; c = 2; while (!(c != a)) if (c == 0) c = 0;",
        "a = c; { int v; do { v = c; } while (v != 2); b = v; } c = 0;",
    )
    found = explore_executions(
        Interpreter(program(threads(*bodies), tmp_path)),
        STATELESS[name].make(),
        ANY_ERROR,
        keep_going=True,
        bounds=ExecutionBounds(steps=MOST_STEPS),
        hooks=Hooks(lambda s: StopReason("events", "") if s.events > MOST_EVENTS else None),
    )
    assert found.statistics.cut > 0


def test_a_deadlock_beside_a_waiting_loop_is_none(tmp_path: Path) -> None:
    lock = "pthread_mutex_lock(&m);"
    p = program(threads(lock + lock, "while (busy()) ;"), tmp_path)
    found = explored(p)
    assert (found.found, found.statistics.deadlocked) == ((), 0)
    assert found.statistics.assume_blocked == 1


def test_the_program_ends_while_a_thread_remembers(tmp_path: Path) -> None:
    text = threads("while (!a && !b) ;", "a = 1; b = 1;")
    found = explored(program(text.replace("pthread_exit(0);", "return 0;"), tmp_path), "none")
    assert found.statistics.complete > 1
    assert found.statistics.complete == found.statistics.executions


def test_what_is_remembered_does_not_depend_on_the_order(tmp_path: Path) -> None:
    """Both orders of independent steps lead to equal states: reductions may compare them."""
    loop = "while (!(!a && b)) ;"
    system = Awaiting(Interpreter(program(threads(loop, loop, "a = 1; b = 1;"), tmp_path)))
    state = system.initial()
    while 1 in system.threads(state):  # main creates the others
        (step,) = system.steps(state, 1)
        state = step.successor
    first, second, _ = system.threads(state)

    def after(*order: int) -> State:
        s = state
        for thread in order:
            (step,) = system.steps(s, thread)
            s = step.successor
        return s

    both = after(first, second)
    assert both == after(second, first)
    assert not system.steps(both, first)  # b is 0: its round would have changed nothing
    assert system.record(both, first).reads
    assert both != state
    assert system.plain(both) == after(second, first)[0]


_CELL = st.sampled_from("abc")
_VALUE = st.integers(0, 2).map(str)
_CONDITION = st.one_of(
    st.tuples(_CELL, st.sampled_from(["==", "!=", "<"]), _VALUE).map(" ".join),
    st.tuples(_CELL, st.sampled_from(["&&", "||", "!=", "<"]), _CELL).map(" ".join),
)
_STATEMENT = st.one_of(
    st.tuples(_CELL, _VALUE).map(lambda t: f"{t[0]} = {t[1]};"),
    st.tuples(_CELL, _CELL).map(lambda t: f"{t[0]} = {t[1]};"),
    _CONDITION.map(lambda c: f"while (!({c})) ;"),
    _CONDITION.map(lambda c: f"while (!({c})) sched_yield();"),
    st.tuples(_CELL, _CELL, _VALUE).map(
        lambda t: f"{{ int v; do {{ v = {t[0]}; }} while (v != {t[2]}); {t[1]} = v; }}"
    ),
    st.tuples(_CONDITION, _CELL, _VALUE).map(
        lambda t: f"while (!({t[0]})) if ({t[1]} == {t[2]}) {t[1]} = 0;"
    ),
    st.tuples(_CELL, _CELL, _VALUE).map(
        lambda t: f"{{ int v = 0; while (v != {t[2]}) {{ v = {t[0]}; if (v == {t[1]}) break; }} }}"
    ),
    st.sampled_from(
        [
            "while (!cas(0, 1)) ;",
            "l = 0;",
            "while (pthread_mutex_trylock(&m)) ; c = 1; pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); a = 1; pthread_mutex_unlock(&m);",
        ]
    ),
    _CONDITION.map(lambda c: f"assert({c});"),
)
PROGRAMS = st.lists(
    st.lists(_STATEMENT, min_size=1, max_size=3).map(" ".join), min_size=2, max_size=3
).map(lambda bodies: threads(*bodies))


def agree(its: Program, text: str, events: int, steps: int) -> bool:
    """Compares all algorithms with the search that stores states, within so many events, and steps
    of an execution; False: too large for all.

    Where a thread has a choice, as of the order in which it reads two operands, optimal may have
    blocked executions, NOTE(branching-threads).
    """
    interpreter = Interpreter(its)
    errors, finals = stateful(interpreter)

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if statistics.events > events else None

    compared = False
    for name in STATELESS:
        met: set[tuple[State, End]] = set()
        choices: set[tuple[int, ...]] = set()
        hooks = Hooks(
            poll,
            lambda state, end, met=met: met.add((state, end)),  # type: ignore[misc]
            on_end=lambda _, steps, choices=choices: choices.update(c for _, c in steps if c),  # type: ignore[misc]
        )
        found = explore_executions(
            interpreter,
            STATELESS[name].make(),
            ANY_ERROR,
            keep_going=True,
            bounds=ExecutionBounds(steps=steps),
            hooks=hooks,
        )
        if not found.exhausted or found.statistics.cut:
            continue  # too large, or there is a loop that writes for ever
        compared = True
        seen = {f.finding.message for f in found.found}
        assert seen == errors, f"{name}\n{text}"
        if STATELESS[name].preserves.includes(Preserved.FINAL_STATES):
            assert met == finals, f"{name}\n{text}"
        if STATELESS[name].optimal and not choices:
            assert found.statistics.sleep_set_blocked == 0, f"{name}\n{text}"
    return compared


def check(text: str, folder: Path) -> bool:
    """Compares all algorithms on a text of `PROGRAMS`; False: too large for all."""
    return agree(program(text, folder), text, MOST_EVENTS, MOST_STEPS)


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(text=PROGRAMS)
def test_nothing_is_lost(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assume(check(text, tmp_path_factory.mktemp("programs")))
