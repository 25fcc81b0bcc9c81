"""Pairs of accesses: what is proved, and for each rule a program on which it must not be.

NOTE(thread-modular)
"""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.modular.analysis import Solution, analyse
from abpress.modular.pairs import pairs
from abpress.modular.spots import Spot
from abpress.modular.standing import Detail
from abpress.modular.state import Known
from abpress.modular.values import may_both_hold
from abpress.verify.load import load

HEAD = """
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
int x, y, flag;
"""
MAIN = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, g, 0);
  return 0;
}
"""


TOLD_APART = Detail(occurrences=4)


def alarms(tmp_path: Path, text: str, detail: Detail = TOLD_APART) -> list[tuple[int, int]]:
    """The lines of the pairs of accesses that are not proved, the smaller one first; 0 is the line
    of `HEAD`'s end."""
    file = tmp_path / "program.c"
    file.write_text(HEAD + text)
    program = load(Config.of(file), every_access=True).program
    solution = analyse(program, detail)
    assert solution is not None
    found = []
    for pair in pairs(solution):
        if pair.alarm:
            lines = []
            for point in (pair.first, pair.second):
                at = solution.classes.template(point.cls).locations[point.location]
                lines.append(at.edges[point.edge].position.origin.line - HEAD.count("\n"))
            found.append((min(lines), max(lines)))
    return found


def threads(first: str, second: str, main: str = MAIN) -> str:
    return (
        f"void *f(void *p) {{ {first} return 0; }}\nvoid *g(void *p) {{ {second} return 0; }}{main}"
    )


def solution_of_locks(tmp_path: Path) -> Solution:
    file = tmp_path / "program.c"
    file.write_text(
        HEAD + threads(LOCKED + TRIED, SECTION + LOCKED.replace("x++", "flag = 2; x++") + TRIED)
    )
    solution = analyse(load(Config.of(file), every_access=True).program)
    assert solution is not None
    return solution


def differently_told(solution: Solution, first: int, a: Known, second: int, b: Known) -> list[Spot]:
    """The contested cells of which two threads tell different things, one by one."""
    return [
        spot
        for spot in solution.interference.contested
        if not may_both_hold(a.get(spot), b.get(spot), first, second)
    ]


def test_who_is_excluded_is_who_may_not_meet(tmp_path: Path) -> None:
    solution = solution_of_locks(tmp_path)
    exclusion, makers = solution.exclusion, solution.interference.makers
    states = [(cls, known) for (cls, _), of in solution.known.items() for known in of.values()]
    changes = [change for its in solution.globals.by_spot().values() for change in its]
    found = set()
    for cls, known in states:
        excluded = makers.excluded(cls, known)
        found.add(excluded)
        for other, its in (*states, *((change.cls, change.known) for change in changes)):
            reasons: list[Spot | int] = [cls]
            if cls != other or not solution.classes.unique(cls):
                reasons = [*differently_told(solution, cls, known, other, its)]
            reason = exclusion.reason(cls, known, other, its)
            assert reason in reasons if reasons else reason is None
        for other, its in states:
            telling = exclusion.telling(cls, known), exclusion.telling(other, its)
            reason = exclusion.reason(cls, known, other, its)
            assert exclusion.may_meet(cls, telling[0], other, telling[1]) is (reason is None)
        for change in changes:
            reason = exclusion.reason(cls, known, change.cls, change.known)
            assert bool(excluded & makers.bit(change.cls, change.known)) is (reason is not None)
    assert len(found) > 3


LOCKED = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
SECTION = "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();"
TRIED = "if (!pthread_mutex_trylock(&m)) { x++; pthread_mutex_unlock(&m); }"
WRITER = "pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);"
READER = "pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);"
SPUN = "pthread_spin_lock(&spin); x++; pthread_spin_unlock(&spin);"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (LOCKED, LOCKED),
        (LOCKED, TRIED),
        (SECTION, SECTION),
        (WRITER, READER),
        # A reader that is there before the writer, NOTE(bits-of-threads).
        (READER, WRITER),
        (WRITER, WRITER),
        (SPUN, SPUN),
        ("x++;", "y++;"),
        ("y = x;", "flag = x;"),
        ("int l = 1; int *q = &l; *q = 2; x = *q;", "int l = 1; int *q = &l; *q = 2; y = *q;"),
        (f"int t = pthread_mutex_trylock(&m); if (t) return 0; x++; y++; {LOCKED[27:]}", LOCKED),
        (f"pthread_mutex_lock(&k); {LOCKED} pthread_mutex_unlock(&k);", LOCKED),
    ],
)
def test_what_is_protected_is_proved(tmp_path: Path, first: str, second: str) -> None:
    assert alarms(tmp_path, threads(first, second)) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x++;", "x++;"),
        (LOCKED, "x++;"),
        (LOCKED, LOCKED.replace("&m", "&k")),
        (SECTION, LOCKED),
        (SECTION, "y = x;"),
        ("pthread_mutex_trylock(&m); x++; pthread_mutex_unlock(&m);", LOCKED),
        # Read locks do not exclude read locks.
        (READER.replace("y = x", "x++"), READER.replace("y = x", "x++")),
        (READER, WRITER.replace("wrlock", "rdlock")),
        # A wait releases the mutex; nothing holds it after the unlock.
        ("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++;", LOCKED),
        # Both held, but not by the access.
        ("if (__VERIFIER_nondet_int()) pthread_mutex_lock(&m); x++;", LOCKED),
        # The lock is chosen by a pointer that may be either.
        (
            "pthread_mutex_t *l = __VERIFIER_nondet_int() ? &m : &k;"
            "pthread_mutex_lock(l); x++; pthread_mutex_unlock(l);",
            LOCKED,
        ),
        # The mutex is initialised anew while it is held.
        (LOCKED, f"pthread_mutex_init(&m, 0); {LOCKED}"),
    ],
)
def test_what_is_not_protected_is_an_alarm(tmp_path: Path, first: str, second: str) -> None:
    assert alarms(tmp_path, threads(first, second)) != []


def created(body: str) -> str:
    return "void *f(void *p) { x++; return 0; }\nint main(void) { pthread_t a, b; " + body + " }"


@pytest.mark.parametrize(
    "body",
    [
        "x = 1; pthread_create(&a, 0, f, 0); return 0;",
        "pthread_create(&a, 0, f, 0); pthread_join(a, 0); x = 1; return 0;",
        "pthread_create(&a, 0, f, 0); pthread_join(a, 0); pthread_create(&b, 0, f, 0); return 0;",
        "pthread_t t[3]; for (int i = 0; i < 3; i++) { pthread_create(&t[i], 0, f, 0);"
        " pthread_join(t[i], 0); x = 2; } return 0;",
        "x = 1; if (x == 2) pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); return 0;",
    ],
)
def test_what_is_before_or_after_a_thread_is_proved(tmp_path: Path, body: str) -> None:
    assert alarms(tmp_path, created(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        "pthread_create(&a, 0, f, 0); x = 1; return 0;",
        "pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); return 0;",
        # A write before the second creation of a loop is beside the first thread.
        "for (int i = 0; i < 2; i++) { x = 1; pthread_create(&a, 0, f, 0); } return 0;",
        "while (__VERIFIER_nondet_int()) { x = 1; pthread_create(&a, 0, f, 0); } return 0;",
        "for (int i = 0; i < 2; i++) pthread_create(&a, 0, f, 0); return 0;",
        # Joined on some paths only, or another thread.
        "pthread_create(&a, 0, f, 0); if (y) pthread_join(a, 0); x = 1; return 0;".replace(
            "if (y)", "if (__VERIFIER_nondet_int())"
        ),
        "pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_join(b, 0); return 0;",
        # The handle of the first thread is lost.
        "pthread_create(&a, 0, f, 0); pthread_join(a, 0); pthread_create(&a, 0, f, 0);"
        " x = 1; return 0;",
        # One joined of many.
        "for (int i = 0; i < 100; i++) pthread_create(&a, 0, f, 0);"
        " pthread_join(a, 0); x = 1; return 0;",
    ],
)
def test_what_may_be_beside_a_thread_is_an_alarm(tmp_path: Path, body: str) -> None:
    assert alarms(tmp_path, created(body)) != []


def test_a_joined_thread_leaves_its_writes(tmp_path: Path) -> None:
    """Who forgets them thinks that the lock is the one that it was."""
    text = """
pthread_mutex_t *lock = &m;
void *f(void *p) { lock = &k; return 0; }
void *g(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_join(a, 0);
  pthread_create(&b, 0, g, 0);
  pthread_mutex_lock(lock); x++; pthread_mutex_unlock(lock);
  return 0;
}"""
    assert alarms(tmp_path, text) != []
    assert alarms(tmp_path, text.replace("lock = &k", "lock = &m")) == []


def test_what_a_thread_knew_when_it_ended_need_not_stay(tmp_path: Path) -> None:
    text = """
void *f(void *p) { __VERIFIER_atomic_begin(); x = 0; __VERIFIER_atomic_end(); return 0; }
void *g(void *p) {
  __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();
  y = 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&b, 0, g, 0);
  pthread_create(&a, 0, f, 0);
  pthread_join(a, 0);
  __VERIFIER_atomic_begin(); int seen = x; __VERIFIER_atomic_end();
  if (seen) y = 2;
  return 0;
}"""
    assert alarms(tmp_path, text) != []


LIST = """
struct node { int value; struct node *next; } *list;
void *f(void *unused) {
  struct node *n = malloc(sizeof *n), *other = n;
  n->value = 1;
  BEFORE
  pthread_mutex_lock(&m);
  n->next = list;
  list = n;
  pthread_mutex_unlock(&m);
  AFTER
  return 0;
}
void *g(void *unused) {
  pthread_mutex_lock(&m);
  if (list) list->value++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  while (__VERIFIER_nondet_int()) pthread_create(&a, 0, f, 0);
  while (__VERIFIER_nondet_int()) pthread_create(&a, 0, g, 0);
  return 0;
}
"""


def test_a_new_object_belongs_to_the_thread_that_has_made_it(tmp_path: Path) -> None:
    text = LIST.replace("AFTER", "")
    assert alarms(tmp_path, text.replace("BEFORE", "")) == []
    again = "n = malloc(sizeof *n); n->value = 2; other = n;"
    assert alarms(tmp_path, text.replace("BEFORE", again)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "n->value = 2;"),
        ("", "other->value = 2;"),
        ("list = other;", "other->value = 2;"),
        # The older object is not the new one.
        ("list = n; n = malloc(sizeof *n);", "other->value = 2;"),
        ("struct node **where = &list; *where = n; n->value = 3;", ""),
        ("long number = (long)n; list = (struct node *)number; n->value = 3;", ""),
        ("pthread_t t; pthread_create(&t, 0, g, 0); list = n; n->next = 0;", ""),
    ],
)
def test_a_new_object_that_others_can_reach_is_an_alarm(
    tmp_path: Path, before: str, after: str
) -> None:
    assert alarms(tmp_path, LIST.replace("BEFORE", before).replace("AFTER", after)) != []


# A pointer that walks has more values than are told apart one by one.
WALKING = """
int *seen;
void *f(void *p) {
  int own[50];
  BEFORE
  int *q = FROM;
  for (int i = 0; i < 50; i++) *q++ = i;
  while (1) {}
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, f, 0);
  return 0;
}
"""
SEEN = "pthread_mutex_lock(&m); int *its = seen; seen = own; pthread_mutex_unlock(&m);"
EITHER = "__VERIFIER_nondet_int() && its ? its : own"


@pytest.mark.parametrize(
    ("before", "begin", "proved"),
    [
        ("", "own", True),
        (SEEN, "own", True),
        (SEEN, "its ? its : own", False),
        (SEEN, EITHER, False),
        ("static int all[50];", "all", False),
    ],
)
def test_a_pointer_that_walks_keeps_its_object(
    tmp_path: Path, before: str, begin: str, proved: bool
) -> None:
    text = WALKING.replace("BEFORE", before).replace("FROM", begin)
    assert (alarms(tmp_path, text) == []) is proved


def test_a_new_object_that_is_given_to_a_thread_is_not_new(tmp_path: Path) -> None:
    text = """
void *f(void *p) { *(int *)p = 1; return 0; }
int main(void) {
  pthread_t a;
  while (__VERIFIER_nondet_int()) {
    int *p = malloc(sizeof *p);
    *p = 0;
    pthread_create(&a, 0, f, p);
    AFTER
  }
  return 0;
}
"""
    assert alarms(tmp_path, text.replace("AFTER", "*p = 2;")) != []


def test_the_handle_is_stored_plainly_before_the_thread_runs(tmp_path: Path) -> None:
    text = """
pthread_t a, b;
void *f(void *p) { return 0; }
void *g(void *p) { pthread_join(a, 0); return 0; }
int main(void) {
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, g, 0);
  return 0;
}"""
    assert alarms(tmp_path, text) == []
    swapped = text.replace("&a, 0, f", "&b, 0, X").replace("&b, 0, g", "&a, 0, f")
    assert alarms(tmp_path, swapped.replace("X", "g")) != []


def test_a_mutex_inside_a_section_does_not_hold_before_it(tmp_path: Path) -> None:
    """Both threads stand before their sections; what each would hold inside tells nothing."""
    section = """__VERIFIER_atomic_begin();
  if (flag == 0) { flag = 1; x = 1; flag = 0; }
  __VERIFIER_atomic_end();"""
    assert alarms(tmp_path, threads(section, "y = x;")) != []


@pytest.mark.parametrize(
    ("access", "doubtful"),
    [
        ("list->next->value = 1;", False),
        ("struct node *n = list; if (!n) n->value = 1;", False),
        ("struct node *n = list; n = n->next; n->value = 1;", False),
        ("*(int *)65536 = 1;", True),
        ("struct node *n = (struct node *)1048576; n->next = 0;", True),
    ],
)
def test_members_of_nothing_are_no_integers(tmp_path: Path, access: str, doubtful: bool) -> None:
    text = LIST.replace("BEFORE", access).replace("AFTER", "")
    file = tmp_path / "program.c"
    file.write_text(HEAD + text)
    solution = analyse(load(Config.of(file), every_access=True).program)
    assert solution is not None
    assert bool(solution.doubts) is doubtful
