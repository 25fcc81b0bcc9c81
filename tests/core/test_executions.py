"""Without stored states, too, the native core tells what the Python search tells,
NOTE(core-refuses)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given, settings

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.core.executions import ALGORITHMS
from abpress.core.library import NO_LIMIT, Algorithm, NativeCore
from abpress.core.lower import lower
from abpress.core.told import Ran
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from tests.core.comparison import (
    FOLLOWING,
    MOST_EVENTS,
    QUESTIONS,
    REMEMBERING,
    TOO_LONG,
    compare,
    compare_both,
    compare_executions,
    compare_executions_of_text,
    told,
)
from tests.reductions.test_trace_counts import ROWS, Row, of_row
from tests.sampling import examples, in_turn, sample
from tests.strategies.c_programs import random_program
from tests.strategies.ir_programs import Features, programs

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

FEATURES = Features(threads=3, statements=4, overflows=False)

FEW = [row for row in ROWS if row.optimal.executions <= 12]
OBSERVING = ("observers", "optimal-cs-observers")
REDUCING = tuple(name for name in ALGORITHMS if name not in ("none", "sleep"))


def compared(
    text: str, folder: Path, algorithms: Collection[str] = FOLLOWING, **options: object
) -> set[str]:
    """The answers of `compare` for a program of C, of each algorithm."""
    file = folder / "program.c"
    file.write_text(text)
    config = Config.of(file, engine="stateless", **options)
    program = load(config, every_access=True).program
    each = [compare_both(program, config.but(por=por), MOST_EVENTS) for por in algorithms]
    return set().union(*each)


@pytest.mark.parametrize("row", sample(FEW, every=4), ids=str)
def test_trace_counts(row: Row, tmp_path: Path) -> None:
    program = of_row(row, tmp_path)
    for por in REDUCING:
        config = Config.of(Path(), engine="stateless", property="no-deadlock", por=por)
        assert compare(program, config, MOST_EVENTS) in ("same", TOO_LONG)


THREADS = """#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, y, z, *p;
pthread_mutex_t *h;
void *first(void *given) { %s return 0; }
void *second(void *given) { %s return 0; }
void *third(void *given) { %s return 0; }
int main(void) {
    pthread_t a, b, d; %s
    pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);
    pthread_create(&d, 0, third, 0);
    pthread_join(b, 0); %s
    return 0;
}
"""

LOCKS = "pthread_mutex_lock(&%s); pthread_mutex_lock(&%s); x++;"
WAIT = "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); x++; pthread_mutex_unlock(&m);"
HEAP_LOCK = "h = malloc(sizeof *h); pthread_mutex_init(h, 0);"
LOCKED = "pthread_mutex_lock(h); x = 1;"
LOCKED_ONCE = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
UNLOCKS = "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"


@pytest.mark.parametrize(
    ("first", "second", "third", "before", "behind"),
    [
        ("x = 1;", "x = 2;", "y = x;", "", "assert(y != 1);"),
        ("x = 1; y = 1;", "z = y; assert(z || x != 1);", "x = 2;", "", ""),
        (LOCKS % ("m", "n") + UNLOCKS, LOCKS % ("n", "m") + UNLOCKS, "x = 3;", "", ""),
        ("exit(0);", "x = 1; y = x;", "assert(y == 0); y = 2;", "", ""),
        ("pthread_mutex_lock(&m); x++;", "pthread_mutex_lock(&m); x++;", "", "", "y = x;"),
        ("free(p);", "int *q = p; x = q == given;", "p = malloc(4);", "p = malloc(4);", ""),
        ("if (z == 0) y = x;", "x = 1;", "z = 1;", "", "assert(y == 0 || z == 0);"),
        ("x = 1;", "__VERIFIER_assume(x);", "y = 1;", "", "__VERIFIER_assume(x);"),
        ("while (!x) ;", "x = 1;", "while (!y) { if (x > 1) z = x; }", "", "assert(!z); y = 1;"),
        ("do { x = 1; } while (y); z = 1;", "while (!z || !x) ;", "y = z;", "", ""),
    ],
    ids=[
        "writes",
        "assertion",
        "deadlock",
        "exit",
        "held",
        "heap",
        "branch",
        "blocked",
        "loops",
        "rounds",
    ],
)
def test_rules_of_the_search(
    first: str, second: str, third: str, before: str, behind: str, tmp_path: Path
) -> None:
    """Each fails where the core leaves a rule out: of races, of the program's end, of waiting."""
    text = THREADS % (first, second, third, before, behind)
    answers = compared(text, tmp_path, properties=("unreach-call", "no-deadlock"))
    assert "same" in answers <= {"same", TOO_LONG}


@pytest.mark.parametrize(
    ("first", "second", "third", "before", "behind"),
    [
        ("free(p);", "*p = 1; x = 1;", "y = x; *p = 2;", "p = malloc(4);", ""),
        ("p = 0;", "if (x == 0) y = *p;", "x = 1;", "p = &z;", "y = 6 / x;"),
        ("int k = x; p = &k; while (!y) ;", "*p = 1; z = 1;", "y = 1; x = 2;", "p = &z;", ""),
        ("x = 1;", "z = 6 / x;", "if (__VERIFIER_nondet_bool()) y = x / z;", "", ""),
        ("p++;", "p[x] = 1; z = 1;", "x = 1;", "p = &z;", ""),
        ("pthread_mutex_lock(h); x = 1;", "free(h); x = 2;", "y = x;", HEAP_LOCK, ""),
        ("pthread_mutex_t k; h = &k; pthread_mutex_init(h, 0);", LOCKED, "x = 2;", HEAP_LOCK, ""),
        ("while (!*p) ;", "free(p); x = 1;", "*p = x;", "p = calloc(1, 4);", ""),
        ("x = 1; x = 2;", "__VERIFIER_assume(x == 1); y = 1;", "z = y;", "", ""),
        ("if (z == 0) y = x;", "__VERIFIER_assume(y); x = 1;", "z = 1;", "", ""),
    ],
    ids=[
        *("freed", "null", "scope", "division", "bounds", "lock", "held", "loop", "cut", "passed"),
    ],
)
def test_attempts_that_end_and_races(
    first: str, second: str, third: str, before: str, behind: str, tmp_path: Path
) -> None:
    """Each fails where the core leaves out what a failing attempt reads, or a state to which a race
    is taken back, NOTE(failed-accesses), NOTE(races-in-cuts)."""
    text = THREADS % (first, second, third, before, behind)
    questions = (
        ("valid-deref", "valid-free"),
        ("no-data-race", "no-misuse"),
        ("no-data-race", "no-partial-deadlock", "unreach-call"),
    )
    for number, properties in enumerate(questions):
        algorithms = sample(FOLLOWING, every=3, start=number)
        answers = compared(text, tmp_path, algorithms, properties=properties)
        assert "same" in answers <= {"same", TOO_LONG}


ATOMIC = "__VERIFIER_atomic_begin(); %s __VERIFIER_atomic_end();"
SUM_LOCKED = f"y++; pthread_mutex_lock(&m); {ATOMIC % 'z = 1; x = 2;'} pthread_mutex_unlock(&m);"
CHOICE = "if (__VERIFIER_nondet_bool()) %s else %s"


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        (ATOMIC % "x = __VERIFIER_nondet_bool() & y;", "y = x;", ""),
        (CHOICE % ("x = 1;", "y = 1;"), "z = x;", "y = 2; x = 2;"),
        (CHOICE % ("z = x;", "y = 1;"), "x = 1; z = y;", "z = 2;"),
        (CHOICE % ("x = 1;", "z = 1;"), CHOICE % ("y = x;", "z = 2;"), "y = z; x = 2;"),
        ("if (x) " + CHOICE % ("y = 1;", "z = 1;"), "x = 1; y = 2;", "z = y;"),
    ],
    ids=["equal", "writes", "reads", "both", "late"],
)
def test_choices(first: str, second: str, third: str, tmp_path: Path) -> None:
    """Equal outcomes are one step, and optimal notices choices, NOTE(branching-threads)."""
    assert (
        "same" in compared(THREADS % (first, second, third, "", ""), tmp_path) <= {"same", TOO_LONG}
    )


BEHIND_BOTH = (
    "__VERIFIER_atomic_begin(); if (y == 0) __VERIFIER_assume(x != 0); __VERIFIER_atomic_end();"
)
"""What the second thread has written stays, although the first one's write before it is not."""


@pytest.mark.parametrize(
    ("first", "second", "third", "before", "behind"),
    [
        ("x = 1;", "x = 2;", "x = 3;", "", "assert(x != 4);"),
        ("x = 1; x = 2;", "x = 3; y = x;", "z = x; z = x;", "", ""),
        ("x = 1; y = 1;", "x = 2; y = 2;", "if (x == 1) z = y;", "", "assert(z != 2);"),
        ("x = 1;", "x = 2;", "__VERIFIER_assume(x == 1); y = 1;", "", ""),
        ("x = 1; while (!y) ;", "x = 2; y = 1;", "y = 2; while (x != 1) ;", "", ""),
        ("x = 1;", "x = 2; exit(0);", "x = 3; y = x;", "", "y = x;"),
        ("x = 1;" + CHOICE % ("x = 2;", "z = 1;"), "x = 3;", "y = x;", "", ""),
        ("x = 1;", "x = 2; assert(y == 0);", "x = 3; y = x;", "", ""),
        ("*p = 1; free(p);", "x = 2;", "x = 3; z = x;", "p = malloc(4);", ""),
        (SUM_LOCKED, SUM_LOCKED, "y = y; z = 1;", "", ""),
        ("y = 1; x = 1;", "x = 2;", "", "", BEHIND_BOTH),
    ],
    ids=[
        *("nobody", "twice", "assertion", "assumed", "waits", "exit", "choice", "violated", "heap"),
        *("locked", "taken back"),
    ],
)
def test_observers(
    first: str, second: str, third: str, before: str, behind: str, tmp_path: Path
) -> None:
    """Each fails where the core leaves out a rule of writes that count only if they are observed,
    or does not begin again where a thread waits for such a cell, NOTE(waiting)."""
    text = THREADS % (first, second, third, before, behind)
    questions = (("unreach-call", "no-deadlock"), ("valid-deref", "valid-free"))
    for properties, algorithm in in_turn(questions, OBSERVING):
        answers = compared(text, tmp_path, (algorithm,), properties=properties)
        assert "same" in answers <= {"same", TOO_LONG}


def test_states_behind_what_an_observer_does_not_see(tmp_path: Path) -> None:
    """Where a race is reversed for an observer, some events follow that are taken back: a state
    there is told with all that leads to it."""
    text = THREADS % ("x = 2;", "x = z;", "x = z; z = x;", "", "")
    assert compared(text, tmp_path, OBSERVING, properties=("no-data-race",)) == {"same"}


@pytest.mark.parametrize(
    ("first", "second", "third", "before", "behind"),
    [
        ("x++;", "x++;", "x++;", "", "assert(x != 2);"),
        ("x = 1; y = 1;", "x = 1; y = 1;", "z = y;", "", ""),
        ("x = 1;", "__VERIFIER_assume(x); y++;", "y++; x = 1;", "", ""),
        (LOCKS % ("m", "n") + UNLOCKS, LOCKS % ("n", "m") + UNLOCKS, LOCKED_ONCE, "", ""),
        ("x++; assert(y);", "y++;", "x++;", "", ""),
        ("while (!x) ;", "y++;", "x = 1;", "", ""),
        ("x++;" + CHOICE % ("y = 1;", "y = 2;"), "x++;", "x++;", "", ""),
        ("x++;", "x++; exit(0);", "y = x; x++;", "", "z = x;"),
        ("x++;", "p = malloc(4);", "x++; free(p);", "", ""),
    ],
    ids=[
        *("sums", "equal", "waits", "deadlock", "violated", "rounds", "choice", "exit", "heap"),
    ],
)
def test_remembered_states(
    first: str, second: str, third: str, before: str, behind: str, tmp_path: Path
) -> None:
    """Each fails where the core leaves out a rule of what follows states that are met again,
    NOTE(asleep), NOTE(waiting-beyond)."""
    text = THREADS % (first, second, third, before, behind)
    for properties in (("unreach-call", "no-deadlock"), ("valid-deref", "valid-free")):
        answers = compared(text, tmp_path, REMEMBERING, properties=properties)
        assert "same" in answers <= {"same", TOO_LONG}


LIVES = """program pointer 8 overflow end
file "f.c"
object c {4: 0 i32} = 0  @ 1:1
object y {4: 0 i32} = 0  @ 1:1
object p {8: 0 ptr} = 0ptr  @ 1:1
template main entry L0  @ 1:1
  register $tid: u64
  register one: u64
  register other: u64
  register value: ptr
  register r: i32
  local k {4: 0 i32} = ?  @ 1:1
  L0:
    enter k -> L1  @ 1:1
  L1:
    *&p := &k -> L2  @ 1:1
  L2:
    one := spawn a 0ptr -> L3  @ 1:1
  L3:
    other := spawn b 0ptr -> L4  @ 1:1
  L4:
    value := join one -> L5  @ 1:1
  L5:
    value := join other -> L6  @ 1:1
  L6:
    one := spawn d 0ptr -> L7  @ 1:1
  L7:
    r := *&c -> L8  @ 1:1
  L8:
    when r == 0 -> L10  @ 1:1
    when r != 0 -> L9  @ 1:1
  L9:
    leave k -> L10  @ 1:1
  L10:
    value := join one -> L11  @ 1:1
  L11:
    *&y := 1 -> L12  @ 1:1
  L12:
    exit "return from main" -> L12  @ 1:1

template d entry L0  @ 1:1
  L0:
    *&c := 1 -> L1  @ 1:1
  L1:
    finish 0ptr -> L1  @ 1:1

template a entry L0  @ 1:1
  register q: ptr
  L0:
    q := *&p -> L1  @ 1:1
  L1:
    *q := 1 -> L2  @ 1:1
  L2:
    finish 0ptr -> L2  @ 1:1

template b entry L0  @ 1:1
  register q: ptr
  L0:
    q := *&p -> L1  @ 1:1
  L1:
    *q := 2 -> L2  @ 1:1
  L2:
    finish 0ptr -> L2  @ 1:1
"""


def test_objects_that_are_dead_are_no_others() -> None:
    """Where the object k is dead or alive, whatever is written to it, two states are not the same
    modulo observability. Programs of C do not come there: where they stand tells it."""
    program = parse_program(LIVES)
    config = Config.of(Path(), engine="stateless", por="optimal-cs-observers", keep_going=True)
    assert compare(program, config) == "same"
    more = told(program, config, True).statistics
    assert (more["remembered_states"], more["known_executions"]) == (35, 1)


def test_records_count_among_the_bytes() -> None:
    sizes = {}
    for algorithm in (Algorithm.OPTIMAL, Algorithm.OPTIMAL_CONTEXTS):
        system = Interpreter(parse_program(LIVES))
        core = NativeCore(lower(system).words, algorithm, lambda *_: 0)
        assert core.run(NO_LIMIT, NO_LIMIT) is Ran.EXHAUSTED
        sizes[algorithm] = core.counts.bytes - 100 * core.counts.remembered_states
        core.close()
    assert sizes[Algorithm.OPTIMAL_CONTEXTS] > sizes[Algorithm.OPTIMAL]


LOOPS = THREADS % (
    "for (int i = 0; i < 3; i++) { x = i; if (__VERIFIER_nondet_bool()) break; }",
    "while (x < 2) { x = 1; }",
    "",
    "",
    "assert(x < 2);",
)


@pytest.mark.parametrize("unroll", [0, 1])
def test_bounds(unroll: int, tmp_path: Path) -> None:
    """Threads do not go on where they come back too often, or have taken many steps."""
    given = {"properties": ("unreach-call", "no-deadlock"), "unroll": unroll}
    answers = compared(LOOPS, tmp_path, ALGORITHMS, **given)
    assert "same" in answers <= {"same", TOO_LONG}


def test_a_thread_of_many_steps_is_cut(tmp_path: Path) -> None:
    text = "int x; int main(void) { for (int i = 0; i < 11000; i++) x = i; return 0; }"
    file = tmp_path / "program.c"
    file.write_text(text)
    config = Config.of(file, engine="stateless", por="source")
    program = load(config, every_access=True).program
    assert told(program, config, False).soundness["reasons"]
    assert compare(program, config) == "same"


@given(program=programs(FEATURES))
@settings(max_examples=examples(3, whole=20), deadline=None)
def test_random_programs(program: Program) -> None:
    assert compare_executions(program, sample(QUESTIONS, every=3))


def test_random_program_with_locks(tmp_path: Path) -> None:
    questions = sample(QUESTIONS, every=3)
    assert "same" in compare_executions_of_text(random_program(1), tmp_path, questions)
