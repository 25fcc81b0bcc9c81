"""Rounds that fail, NOTE(useless-rounds): dropped where nothing is lost, and only there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.result import Verdict
from abpress.search.bounds import ExecutionBounds
from abpress.search.stateless import explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.core.comparison import TOO_LONG, compare
from tests.sampling import examples
from tests.search.test_awaits import agree, threads
from tests.strategies.ir_programs import permuted_threads

EXAMPLES = examples(8, whole=100)

MOST_EVENTS = 3_000
MOST_STEPS = 60

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *_Atomic top, *_Atomic other;
_Atomic int x, y;
int a, b, c;
#define CAS atomic_compare_exchange_strong
#define WEAK atomic_compare_exchange_weak
"""

NEW = "struct node *n = malloc(sizeof *n), *old; n->value = 1;"

PUSHES = {
    "read in the loop": f"{NEW} do {{ old = top; n->next = old; }} while (!CAS(&top, &old, n));",
    "read before": f"{NEW} old = top; do n->next = old; while (!CAS(&top, &old, n));",
    "read into the node": f"{NEW} do n->next = top; while (!WEAK(&top, &n->next, n));",
    "in the condition": f"{NEW} old = top; while (n->next = old, !WEAK(&top, &old, n)) ;",
}


def program(text: str, folder: Path, every_access: bool = True) -> Program:
    file = folder / "program.c"
    file.write_text(HEAD + text, encoding="utf-8")
    return load(Config.of(file), every_access=every_access).program


def explored(its: Program, algorithm: str = "optimal", awaits: bool = True) -> ExecutionStatistics:
    found = explore_executions(
        Interpreter(its),
        STATELESS[algorithm].make(),
        PROPERTIES["no-deadlock"],
        keep_going=True,
        bounds=ExecutionBounds(unroll=None if awaits else 6, awaits=awaits),
    )
    assert found.exhausted
    return found.statistics


_CELL = st.sampled_from("abc")
_VALUE = st.integers(0, 2).map(str)
_STATEMENT = st.one_of(
    st.sampled_from([f"{{ {push} }}" for push in PUSHES.values()]),
    st.sampled_from(
        [
            "{ struct node *old = top; while (old && !CAS(&top, &old, old->next)) ;"
            " if (old) a = old->value; }",
            "for (;;) { struct node *old = top; if (!old) break; struct node *its = old->next;"
            " if (WEAK(&top, &old, its)) { b = old->value; free(old); break; } }",
            f"{{ {NEW} n->next = 0; other = n; old = top; do n->next = old;"
            " while (!CAS(&top, &old, n)); }",
            "{ struct node *its = other; if (its) { a = its->next == 0; its->value = 2; } }",
            f"{{ {NEW} old = top; for (int k = 0; k < 2; k++) {{ n->next = old;"
            " if (CAS(&top, &old, n)) break; if (k) c = n->next == other; } }",
            f"{{ {NEW} do {{ old = top; n->next = old; n->value++; }}"
            " while (n->value < 3 && !CAS(&top, &old, n)); }",
            "{ int old = x; while (!CAS(&x, &old, (old + 1) & 3)) ; }",
            "{ int old = 0; while (!WEAK(&x, &old, old ^ 1)) ; }",
            "{ int old = y; while (!CAS(&x, &old, 1)) ; }",
            "{ int old = x, new = y; while (!CAS(&x, &old, new)) new = y; }",
            "{ int old = x, tries = 0; while (!CAS(&x, &old, old | 1)) tries++; a = tries; }",
            "{ int old = x, seen = 0; while (!CAS(&x, &old, old | 2)) seen |= old; b = seen; }",
            "{ int old = x; while (!CAS(&x, &old, 1 - old)) assert(old != 2); }",
            "{ int old = x; while (!CAS(&x, &old, 1)) if (y == old) break; c = old; }",
            "{ int old; do old = x; while (old == y || !CAS(&x, &old, y)); }",
            "for (int k = 0; k < 2; k++) { int old = x; while (!CAS(&x, &old, old ^ 1)) ; }",
            "for (int k = 0; k < 2; k++) { int old = x, new = y; if (old == new) a = k; }",
            "for (int k = 0; !WEAK(&x, &k, 3); ) { int new = y; if (new == k) break; }",
            "{ int old = atomic_exchange(&x, 2); while (!CAS(&x, &old, old + 1 & 3)) ; }",
        ]
    ),
    st.tuples(st.sampled_from("xy"), _VALUE).map(lambda t: f"{t[0]} = {t[1]};"),
    st.tuples(_CELL, st.sampled_from("xy")).map(lambda t: f"{t[0]} = {t[1]};"),
    st.tuples(_CELL, _VALUE).map(lambda t: f"assert({t[0]} != {t[1]});"),
)
PROGRAMS = st.lists(
    st.lists(_STATEMENT, min_size=1, max_size=2).map(" ".join), min_size=2, max_size=3
).map(lambda bodies: threads(*bodies))


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(text=PROGRAMS)
def test_no_failed_round_is_missed(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    its = program(text, tmp_path_factory.mktemp("programs"))
    assume(agree(its, text, MOST_EVENTS, MOST_STEPS))


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(text=PROGRAMS)
def test_native_code_drops_the_same_rounds(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    its = program(text, tmp_path_factory.mktemp("programs"))
    answers = {
        compare(its, Config.of(Path(), engine="stateless", por=por, keep_going=True), MOST_EVENTS)
        for por in ("none", "sleep", "persistent", "source", "optimal")
    }
    assert answers <= {"same", TOO_LONG}
    assume("same" in answers)


def pushes(number: int, push: str) -> str:
    """Threads that push a node each; and one that looks at what the first node holds."""
    looks = "struct node *its = top; if (its) { a = its->value; b = its->next != 0; }"
    return threads(*[f"{{ {push} }}" for _ in range(number)], looks)


@pytest.mark.parametrize("push", PUSHES.values(), ids=PUSHES)
@pytest.mark.parametrize("algorithm", ["persistent", "source", "optimal"])
def test_a_push_succeeds_in_one_round(push: str, algorithm: str, tmp_path: Path) -> None:
    """Two pushes come one after the other, and who looks comes anywhere: six executions."""
    its = program(pushes(2, push), tmp_path)
    for order in (its, permuted_threads(its)):
        found = explored(order, algorithm)
        assert found.waiting_loops
        assert (found.complete, found.cut, found.deadlocked) == (6, 0, 0)


def test_fewer_executions_end_alike(tmp_path: Path) -> None:
    """A failed round is an execution of its own without the rule."""
    push = PUSHES["read before"]
    its = program(pushes(2, push.replace("WEAK", "CAS")), tmp_path)
    fewer, more = explored(its), explored(its, awaits=False)
    assert fewer.complete < more.complete
    assert more.assume_blocked == more.cut == 0


STACK = """
#define PUSH { struct node *n = malloc(sizeof *n), *old; n->value = i; \\
  do { old = top; n->next = old; } while (!CAS(&top, &old, n)); }
#define POP for (;;) { struct node *old = top, *its; if (!old) break; its = old->next; \\
  if (CAS(&top, &old, its)) { own[i] = old->value; break; } }
int own[4];
void *both(void *p) { int i = (int)(long)p; PUSH POP return 0; }
void *push(void *p) { int i = (int)(long)p; PUSH return 0; }
int main(void) {
  pthread_t t;
  for (long i = 0; i < 2; i++) pthread_create(&t, 0, both, (void *)i);
  pthread_create(&t, 0, push, (void *)2L);
  pthread_exit(0);
}
"""


def test_a_stack_of_three_threads(tmp_path: Path) -> None:
    """[Treiber86]: two threads push and pop, one pushes."""
    its = program(STACK, tmp_path, every_access=False)
    for order in (its, permuted_threads(its)):
        found = explored(order)
        assert (found.complete, found.sleep_set_blocked) == (68, 0)


COUNTER = """
void *count(void *p) {
  for (int k = 0; k < 2; k++) { int old = x; while (!WEAK(&x, &old, old + 1)) ; }
  return p;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, count, 0);
  pthread_exit(0);
}
"""


def test_increments_come_one_after_the_other(tmp_path: Path) -> None:
    """Six of them, two of each thread: 90 orders, and no round that fails, in whatever loop."""
    its = program(COUNTER, tmp_path)
    for order in (its, permuted_threads(its)):
        for algorithm in ("source", "optimal"):
            assert explored(order, algorithm).complete == 90


LITMUS = Path(__file__).resolve().parent.parent / "programs" / "litmus"


def any_round(self: Any, step: Any, after: Any, there: Any) -> bool:
    return True


def whatever_is_read(self: Any, passed: Any, step: Any, there: Any) -> bool:
    again = self._system.repeat(
        self._system.undo.with_local(self._state, self._thread, passed), self._thread
    )
    return again is not None and again.steps[0].successor == step.successor


TRAPS: dict[str, tuple[str, Callable[..., Any]]] = {
    "failed_round_counts": ("search.awaits._Round._is_useless", any_round),
    "failed_round_of_another_read": ("search.awaits._Round._is_useless", any_round),
    "failed_round_of_another_cell": ("search.awaits._Round._leads", whatever_is_read),
    "failed_round_of_a_known_node": (
        "analysis.fresh_objects._given",
        lambda effect: frozenset[str](),
    ),
    "failed_round_is_read_again": (
        "analysis.fresh_objects.FreshObjects.dead",
        lambda self, cell: frozenset(range(1000)),
    ),
}
"""A litmus program for each rule, and what lets it be missed."""


@pytest.mark.parametrize("name", TRAPS)
def test_each_rule_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config.of(LITMUS / f"{name}.c", engine="stateless", por="optimal", core="python")
    assert verify(config).result.verdict is Verdict.FALSE
    place, instead = TRAPS[name]
    monkeypatch.setattr(f"abpress.{place}", instead)
    assert verify(config).result.verdict is not Verdict.FALSE
