"""NOTE(branching-threads): where threads have choices, executions are blocked, and what reverses
their races is not all that would have followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from abpress.config import Config
from abpress.properties import PROPERTIES
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.optimal import OptimalDpor
from abpress.reductions.stateless.sequences import Items
from abpress.reductions.table import STATELESS
from abpress.search.handover import NameOrdered
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.verify.load import load
from tests.parallel.schedule import Class, class_of
from tests.strategies.c_choices import choosing_programs

LOOKS = """
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int a[4];
void *one(void *p) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c) a[2] = 1;
    int i = 3;
    while (a[i] != 0) i--;
    return 0;
}
void *many(void *p) { int j = (int)(long)p; a[j] = a[j - 1] + 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    for (long i = 1; i <= 3; i++) pthread_create(&t, 0, many, (void *)i);
    pthread_exit(0);
}
"""


MOST_EVENTS = 10_000
"""Programs with more events, with sleep sets, are not compared."""


def classes(
    algorithm: str, folder: Path, text: str = LOOKS, most: int | None = None
) -> set[Class] | None:
    """The happens-before classes that an algorithm explores; None if it has more than `most`
    events."""
    file = folder / "program.c"
    file.write_text(text)
    system = NameOrdered(load(Config.of(file)).program)
    found: set[Class] = set()

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if most and statistics.events > most else None

    hooks = Hooks(
        poll,
        on_execution=lambda events: found.add(class_of(system, algorithm, events)),
        on_restart=found.clear,
    )
    made = STATELESS[algorithm].make()
    explored = explore_executions(system, made, PROPERTIES["no-deadlock"], hooks=hooks)
    return found if explored.exhausted else None


@pytest.mark.parametrize("algorithm", ["source", "persistent", "optimal"])
def test_nothing_is_lost(algorithm: str, tmp_path: Path) -> None:
    wanted = classes("sleep", tmp_path)
    assert wanted is not None and len(wanted) == 50
    assert classes(algorithm, tmp_path) == wanted


def test_who_is_not_in_what_is_too_short_is_no_weak_initial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reverse(self: OptimalDpor, node: ExecutionNode, v: Items) -> None:
        """As if nothing were blocked."""
        if not node.redundant(v):
            self.insert(node, v)

    monkeypatch.setattr(OptimalDpor, "reverse", reverse)
    some, wanted = classes("optimal", tmp_path), classes("sleep", tmp_path)
    assert some is not None and wanted is not None and some < wanted


def compare(text: str, folder: Path) -> bool:
    """Algorithms that explore every class explore those that sleep sets do; False if the program is
    too large."""
    wanted = classes("sleep", folder, text, MOST_EVENTS)
    if wanted is None:
        return False
    for name in ("persistent", "source", "optimal"):
        assert classes(name, folder, text) == wanted, f"{name}\n{text}"
    return True


@settings(max_examples=10, deadline=None)
@given(choosing_programs())
def test_random_programs(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    compare(text, tmp_path_factory.mktemp("choices"))
