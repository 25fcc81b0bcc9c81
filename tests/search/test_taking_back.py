"""Taking events back leads to the state that executing the others leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.properties import PROPERTIES
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.reversal import Reversals, after
from abpress.reductions.table import STATELESS
from abpress.relations.happens_before import Event
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.verify.load import load

MOST_EVENTS = 1_000

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int x, y, a[2];
_Atomic int l;
pthread_mutex_t m;
"""

CREATES = """
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void *)(long)(i % 2));
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  x = y;
  return 0;
}
"""

BODIES = {
    "cells": "x = i; y = x; a[i] = y;",
    "lock": "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); y = i;",
    "waiting loop": "if (i) l = 1; else { while (!l) ; y = x; } x = 2;",
    "attempts": "int no = 0; while (!atomic_compare_exchange_weak(&l, &no, 1)) no = 0; l = 0;",
    "heap": "int *p = malloc(4); *p = x; x = *p + 1; free(p); y = 1;",
    "end": "x = i; if (y == 2) exit(0); y++;",
    "assumption": "x++; if (x == 1) { l = 1; } else while (!l) ; y = i;",
    "thread": "x = i; if (i) { pthread_t u; pthread_create(&u, 0, run, 0); y = 1; } x = 3;",
}

ALWAYS = {"cells", "lock", "waiting loop", "attempts", "end", "assumption"}
"""Here everything can be taken back."""


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
@pytest.mark.parametrize("body", BODIES)
def test_what_remains(
    body: str, algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "program.c"
    run = "void *run(void *p) { int i = (int)(long)p; %s return 0; }"
    file.write_text(HEAD + run % BODIES[body] + CREATES, encoding="utf-8")
    system = Interpreter(load(Config.of(file), every_access=True).program)
    known: list[bool] = []
    taken_back = Reversals._taken_back

    def compared(
        reversals: Reversals, events: list[Event], nodes: list[ExecutionNode], removed: int
    ) -> State | None:
        found = taken_back(reversals, events, nodes, removed)
        known.append(found is not None)
        if found is not None:
            first = (removed & -removed).bit_length() - 1
            state = nodes[first].state
            for j in range(first + 1, len(events)):
                if not removed >> j & 1:
                    state = after(reversals._system, state, events[j])
            assert found == state
        return found

    monkeypatch.setattr(Reversals, "_taken_back", compared)
    stop = Hooks(lambda s: StopReason("events", "") if s.events >= MOST_EVENTS else None)
    explore_executions(
        system, STATELESS[algorithm].make(), PROPERTIES["no-deadlock"], keep_going=True, hooks=stop
    )
    assert any(known)
    assert all(known) == (body in ALWAYS)
