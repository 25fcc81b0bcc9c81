"""The rest of a search goes on in another process, in which names have other numbers."""

from __future__ import annotations

import functools
import pickle
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.stateless.remembering import RememberingChoice
from abpress.reductions.table import STATELESS
from abpress.relations.happens_before import Event
from abpress.search import stateless
from abpress.search.handover import HandoverError, NameOrdered, Prefix, canonical, capture, resume
from abpress.search.limits import StopReason
from abpress.search.rest import StaleRestError
from abpress.search.stateless import (
    ExploredExecutions,
    Hooks,
    explore_executions,
)
from abpress.search.statistics import ExecutionStatistics, Outcome
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from tests.sampling import in_turn

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int x, y, *p;
_Atomic int flag;
pthread_mutex_t m;
"""

TWO_PARENTS = """
void *child(void *cell) { *(int *)cell = 1; y = x; return 0; }
void *parent(void *k) {
  pthread_t t;
  int *cell = malloc(sizeof(int)), local = 0;
  *cell = 0;
  pthread_create(&t, 0, child, k ? cell : &x);
  x = 2;
  pthread_join(t, 0);
  local = *cell;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, parent, 0);
  pthread_create(&b, 0, parent, (void *)1);
  pthread_join(b, 0);
  pthread_join(a, 0);
  return 0;
}
"""

WRITERS = """
void *write(void *k) { x = (int)(long)k; return 0; }
void *read(void *k) { int seen = x; y = seen; return 0; }
void *grandchild(void *k) {
  pthread_t t;
  pthread_create(&t, 0, k ? read : write, k);
  x = 4;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, grandchild, 0);
  pthread_create(&t, 0, grandchild, (void *)1);
  pthread_create(&t, 0, write, (void *)3);
  pthread_exit(0);
}
"""

LOCKS = """
void *run(void *k) {
  pthread_t t;
  pthread_mutex_lock(&m);
  x++;
  if (!k) pthread_create(&t, 0, run, (void *)1);
  pthread_mutex_unlock(&m);
  flag = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_create(&t, 0, run, (void *)1);
  while (!flag) ;
  y = x;
  pthread_exit(0);
}
"""

WAITS_LATE = """
void *write(void *k) { x = (int)(long)k; return 0; }
void *wait(void *k) { while (x != 2) ; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write, (void *)1);
  pthread_create(&t, 0, write, (void *)2);
  pthread_create(&t, 0, wait, 0);
  pthread_exit(0);
}
"""
"""The first execution writes x blindly, a later one waits for it."""

BLOCKED = """
int a[4];
void *last(void *k) { int i = 3; while (a[i] != 0) i--; return 0; }
void *add(void *k) { int j = (int)(long)k; a[j] = a[j - 1] + 1; return 0; }
void *first(void *k) {
  pthread_t t;
  pthread_create(&t, 0, add, (void *)1);
  return 0;
}
void *second(void *k) {
  pthread_t t;
  pthread_create(&t, 0, add, (void *)2);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_create(&t, 0, add, (void *)3);
  pthread_create(&t, 0, last, 0);
  pthread_exit(0);
}
"""
"""Source sets are not enough here to avoid executions that sleep sets block."""

SIGNAL = """
pthread_cond_t c;
void *wait(void *k) {
  pthread_mutex_lock(&m);
  x++;
  pthread_cond_wait(&c, &m);
  y = y * 2 + (k ? 1 : 0);
  pthread_mutex_unlock(&m);
  return 0;
}
void *starter(void *k) {
  pthread_t t;
  pthread_create(&t, 0, wait, k);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, starter, 0);
  pthread_create(&t, 0, starter, (void *)1);
  pthread_mutex_lock(&m);
  if (x == 2) pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_exit(0);
}
"""
"""Who is woken is a choice among numbers of threads."""

PROGRAMS = {
    "two parents": TWO_PARENTS,
    "writers": WRITERS,
    "locks": LOCKS,
    "blocked": BLOCKED,
    "signal": SIGNAL,
}

STALE = "waits late"

REMEMBERING = [n for n in STATELESS if isinstance(STATELESS[n].make().choice, RememberingChoice)]
CUTS = 3
"""Of each longer search, in the test that goes on in the same process."""

SHORT = 110
"""Events of a search that is cut at every fifth event."""

PROPERTY = PROPERTIES["no-deadlock"]

ELSEWHERE = """
import pickle, sys
from pathlib import Path
from tests.search.test_handover import elsewhere
sys.stdout.buffer.write(pickle.dumps(elsewhere(*pickle.loads(sys.stdin.buffer.read()))))
"""

Class = frozenset[tuple[str, int, tuple[int, ...], frozenset[tuple[str, int]]]]


@dataclass(frozen=True)
class Part:
    """What a part of a search has explored. `classes`: of the executions that are not blocked by
    their sleep sets, in names. `numbers` are those of the threads."""

    counts: dict[str, int]
    classes: tuple[Class, ...]
    numbers: dict[str, int]


def counts(statistics: ExecutionStatistics) -> dict[str, int]:
    found = {outcome.value: getattr(statistics, outcome.value) for outcome in Outcome}
    return found | {"events": statistics.events, "races": statistics.races}


def class_of(system: Interpreter, events: list[Event]) -> Class:
    """The execution as a partial order, in names."""
    names: list[tuple[str, int]] = []
    count: dict[int, int] = {}
    for event in events:
        n = count[event.thread] = count.get(event.thread, 0) + 1
        names.append((system.views.thread_name(event.thread), n))
    return frozenset(
        (*names[i], e.choices, frozenset(names[j] for j in range(i) if e.past >> j & 1))
        for i, e in enumerate(events)
    )


@functools.cache
def program_of(text: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(text, encoding="utf-8")
        return load(Config.of(file, property="no-deadlock"), every_access=True).program


def system_of(name: str, by_name: bool = True) -> Interpreter:
    program = program_of(HEAD + (PROGRAMS | {STALE: WAITS_LATE})[name])
    return NameOrdered(program) if by_name else Interpreter(program)


def part(system: Interpreter, explored: ExploredExecutions, classes: list[Class]) -> Part:
    met = range(1, system.views.threads_met() + 1)
    numbers = {system.views.thread_name(t): t for t in met}
    return Part(counts(explored.statistics), tuple(classes), numbers)


def here(
    system: Interpreter, algorithm: str, most: int | None = None
) -> tuple[Part, Prefix | None]:
    """Explores at most so many events; also returns the rest. Without a limit: everything."""
    classes: list[Class] = []
    rests: list[Prefix] = []

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if most and statistics.events > most else None

    explored = explore_executions(
        system,
        STATELESS[algorithm].make(),
        PROPERTY,
        keep_going=True,
        hooks=Hooks(
            poll,
            on_execution=lambda events: classes.append(class_of(system, events)),
            on_restart=classes.clear,
            on_stop=lambda *stop: rests.append(capture(system, algorithm, *stop)),
        ),
    )
    return part(system, explored, classes), rests[0] if rests else None


def backwards(system: Interpreter) -> None:
    """Executes the program in another order: who is created last moves first."""
    state = system.initial()
    while True:
        for thread in reversed(system.threads(state)):
            steps = [s for s in system.steps(state, thread) if s.violation is None]
            if steps:
                state = steps[-1].successor
                break
        else:
            return


def elsewhere(program: str, prefix: Prefix, by_name: bool) -> Part:
    """The rest of a search, in a process that has met everything in another order."""
    system = system_of(program, by_name)
    backwards(system)
    classes: list[Class] = []
    hooks = Hooks(on_execution=lambda events: classes.append(class_of(system, events)))
    explored = resume(system, prefix, PROPERTY, keep_going=True, hooks=hooks)
    assert explored.exhausted
    return part(system, explored, classes)


def in_another_process(program: str, prefix: Prefix, by_name: bool = True) -> Part:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps((program, prefix, by_name)),
        stdout=subprocess.PIPE,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    found = pickle.loads(done.stdout)
    return Part(found.counts, found.classes, found.numbers)


def added(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: number + other[name] for name, number in one.items()}


ALGORITHMS = ["source", "optimal", "observers"]


@pytest.mark.parametrize(("program", "algorithm"), in_turn([*PROGRAMS], ALGORITHMS))
def test_a_fresh_process_goes_on(
    program: str, algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stateless, "POLL_EVENTS", 1)
    whole, rest = here(system_of(program), algorithm)
    assert rest is None
    first, rest = here(system_of(program), algorithm, most=whole.counts["events"] // 3)
    assert rest is not None
    second = in_another_process(program, rest)
    assert any(second.numbers[name] != n for name, n in whole.numbers.items())
    assert added(first.counts, second.counts) == whole.counts
    assert Counter(whole.classes) == Counter(first.classes + second.classes)


@pytest.mark.parametrize(
    ("program", "its"), in_turn([*PROGRAMS], [*product(ALGORITHMS, (True, False))]), ids=str
)
def test_a_search_can_be_cut_anywhere(
    program: str, its: tuple[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, by an interpreter that has met everything in another order; and with the
    order of threads that this gives."""
    monkeypatch.setattr(stateless, "POLL_EVENTS", 1)
    algorithm, by_name = its
    whole, _ = here(system_of(program, by_name), algorithm)
    events = whole.counts["events"]
    for most in range(1, events, 5 if events < SHORT else events // CUTS):
        first, rest = here(system_of(program, by_name), algorithm, most)
        assert rest is not None
        second = elsewhere(program, pickle.loads(pickle.dumps(rest)), by_name)
        classes = first.classes + second.classes
        if by_name:
            assert added(first.counts, second.counts) == whole.counts
        if by_name or algorithm != "observers":
            assert Counter(classes) == Counter(whole.classes)
        else:  # other orders of writes that nobody observes
            assert len(classes) == len(whole.classes)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_same_state_has_the_same_name(program: str) -> None:
    one, other = system_of(program), system_of(program)
    backwards(other)
    ahead, state, same = [one.initial(), other.initial()], one.initial(), other.initial()
    differ = False
    for _ in range(60):
        assert canonical(one, state) == canonical(other, same)
        assert pickle.loads(pickle.dumps(canonical(one, state))) == canonical(other, same)
        differ |= state != same
        for thread in one.threads(state):
            steps = one.steps(state, thread)
            if steps and steps[0].violation is None:
                name = one.views.thread_name(thread)
                twin = next(t for t in other.threads(same) if other.views.thread_name(t) == name)
                state, same = steps[0].successor, other.steps(same, twin)[0].successor
                break
        else:
            break
    assert differ
    assert canonical(one, state) != canonical(one, ahead[0])


def test_other_programs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stateless, "POLL_EVENTS", 1)
    _, rest = here(system_of("writers"), "source", most=20)
    assert rest is not None
    with pytest.raises(HandoverError, match="another program"):
        resume(system_of("locks"), rest, PROPERTY)


@pytest.mark.parametrize("algorithm", REMEMBERING)
def test_remembered_states_stay(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stateless, "POLL_EVENTS", 1)
    with pytest.raises(HandoverError, match="remembers states"):
        here(system_of("writers"), algorithm, most=20)


@pytest.mark.parametrize(("most", "stale"), [(5, True), (12, False)])
def test_a_rest_in_which_a_thread_waits_first_is_stale(
    most: int, stale: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell for which a thread waits counts as written blindly until that is seen."""
    monkeypatch.setattr(stateless, "POLL_EVENTS", 1)
    whole, _ = here(system_of(STALE), "observers")
    first, rest = here(system_of(STALE), "observers", most)
    assert rest is not None
    if stale:
        with pytest.raises(StaleRestError, match="a thread waits"):
            elsewhere(STALE, rest, by_name=True)
    else:
        assert added(first.counts, elsewhere(STALE, rest, by_name=True).counts) == whole.counts
