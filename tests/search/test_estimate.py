"""How much of the tree of executions is thought to be explored."""

from __future__ import annotations

import pytest

from abpress.cli.terminal import in_words
from abpress.properties import PROPERTIES
from abpress.reductions.stateless.algorithm import StatelessAlgorithm
from abpress.reductions.table import STATELESS
from abpress.relations.happens_before import Event
from abpress.search.estimate import share_explored
from abpress.search.stateless import Hooks, explore_executions
from abpress.semantics.interpreter import Interpreter
from experiments.settings import program_of

WRITERS = """
#include <pthread.h>
int x;
void *set(void *p) { x = (int)(long)p; return 0; }
int main(void) {
    pthread_t t;
    for (long i = 1; i <= 3; i++) pthread_create(&t, 0, set, (void *)i);
    pthread_exit(0);
}
"""


def shares(algorithm: str, text: str = WRITERS) -> list[float]:
    """What is thought to be explored at the end of each execution."""
    program = program_of(text, every_access=True)
    made = STATELESS[algorithm].make()
    seen: list[float] = []
    path = []
    begin = made.choice.begin

    class Watched:
        def __getattr__(self, name: str) -> object:
            return getattr(made.choice, name)

        def begin(self, its: object) -> None:
            path.append(its)
            begin(its)  # type: ignore[arg-type]

    choice = Watched()

    def look(execution: list[Event]) -> None:
        seen.append(share_explored(path[-1], choice))  # type: ignore[arg-type]

    explore_executions(
        Interpreter(program),
        StatelessAlgorithm(choice, made.races),  # type: ignore[arg-type]
        PROPERTIES["unreach-call"],
        hooks=Hooks(on_execution=look),
    )
    return seen


@pytest.mark.parametrize("algorithm", ["none", "sleep"])
def test_a_tree_that_is_known_is_estimated_exactly(algorithm: str) -> None:
    """Without races that add threads, the share grows with each execution, by what it is."""
    its = shares(algorithm)
    assert its[0] == 0
    assert its == sorted(its)
    assert len(set(its)) == len(its)
    assert its[-1] < 1


@pytest.mark.parametrize("algorithm", ["persistent", "source", "optimal"])
def test_shares_are_shares(algorithm: str) -> None:
    its = shares(algorithm)
    assert its[0] == 0
    assert all(0 <= share < 1 for share in its)
    assert its[-1] > 0.5


def test_choices_count_as_branches() -> None:
    text = """
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int n = 0;
    for (int i = 0; i < 2; i++) n = 2 * n + __VERIFIER_nondet_bool();
    return n;
}
"""
    its = shares("optimal", text)
    assert its == [0, 0.25, 0.5, 0.75]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (119, "119 s"), (121, "2 min"), (9000, "2 h"), (1e6, "12 days")],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
