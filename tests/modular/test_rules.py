"""Each rule of the thread-modular analysis is needed: without it a program with a race is proved.

NOTE(thread-modular), NOTE(closed-states)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from abpress.modular import memory
from abpress.modular.classes import ThreadClasses
from abpress.modular.interference import Closed, Globals, Interference
from abpress.modular.spots import Spots
from abpress.modular.standing import Detail
from abpress.modular.telling import Makers
from tests.modular.test_pairs import LIST, alarms, threads


@dataclass(frozen=True)
class Rule:
    """What is put in the place of a function, and a program with a race that is proved then."""

    name: str
    where: Any
    function: str
    instead: Callable[..., Any]
    program: str


AT = "__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();"
LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"
POINTER = "int *at = &y;\nint *all[100];\n"
READ = "int *q; " + AT.format("q = at;") + " *q = 1;"
MANY = (
    "\nint main(void) { pthread_t a; for (int i = 0; i < 100; i++) pthread_create(&a, 0, f, 0); }"
)
TWO_LOCKS = """
pthread_mutex_t *locks[2];
void *f(void *p) { pthread_mutex_lock(locks[0]); x++; pthread_mutex_unlock(locks[0]); return 0; }
void *g(void *p) { pthread_mutex_lock(locks[1]); x++; pthread_mutex_unlock(locks[1]); return 0; }
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++) {
    locks[i] = malloc(sizeof *locks[i]);
    pthread_mutex_init(locks[i], 0);
  }
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, g, 0);
  return 0;
}"""

RULES = (
    Rule(
        "what a thread knows is changed by the writes of others",
        Interference,
        "closing",
        lambda _, __, known, ___=None: Closed(known, 0),
        POINTER + threads(AT.format("at = &x;") + "x = 2;", READ),
    ),
    Rule(
        "who has released a lock is told what others may change then",
        Makers,
        "changed",
        lambda _, __: iter(()),
        POINTER
        + threads(
            LOCKED.format(AT.format("at = &x;")) + "x = 2;",
            LOCKED.format(AT.format("at = &y;")) + READ,
        ),
    ),
    Rule(
        "threads of a class that has many do not exclude each other",
        ThreadClasses,
        "unique",
        lambda _, __: True,
        "void *f(void *p) { x++; return 0; }" + MANY,
    ),
    Rule(
        "locks of one origin that has many objects are not one lock",
        Spots,
        "singular",
        lambda _, __: True,
        TWO_LOCKS,
    ),
    Rule(
        "an object is not fresh any more when its address is stored",
        memory,
        "_aged",
        lambda known, _: known,
        LIST.replace("BEFORE", "").replace("AFTER", "n->value = 2;"),
    ),
    Rule(
        "cells that nobody follows hold all that was ever written",
        Globals,
        "summarise",
        lambda self, spot, value: bool(self.summaries.setdefault(spot, value)) and False,
        POINTER
        + threads(
            AT.format("all[__VERIFIER_nondet_int() & 63] = &x;") + "x = 2;",
            "int *q; " + AT.format("q = all[__VERIFIER_nondet_int() & 63];") + " if (q) *q = 1;",
        ),
    ),
    Rule(
        "a pointer of which nothing is known may lead to all that it may",
        Spots,
        "anywhere",
        lambda _, __, ___: [],
        POINTER
        + threads(
            "int **w = (int **)((long)&at ^ flag);" + AT.format("*w = &x;") + "x = 2;",
            READ,
        ),
    ),
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_without_a_rule_a_race_is_proved_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: Rule
) -> None:
    assert alarms(tmp_path, rule.program, Detail()) != []
    monkeypatch.setattr(rule.where, rule.function, rule.instead)
    assert alarms(tmp_path, rule.program, Detail()) == []
