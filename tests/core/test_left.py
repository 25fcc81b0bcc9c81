"""How much of the tree of executions the native core thinks to be left."""

from __future__ import annotations

import pytest

from abpress.core import reference
from abpress.core.build import find_compiler
from abpress.core.executions import ALGORITHMS, explore
from abpress.parallel.messages import Counted
from abpress.properties import PROPERTIES
from abpress.search.statistics import ExecutionStatistics, Left
from abpress.semantics.interpreter import Interpreter
from experiments.settings import program_of
from tests.parallel.dealing import Dealing
from tests.reductions.trace_count_programs import lastzero
from tests.search.test_estimate import CHOICES, WRITERS

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

UNREACHED = PROPERTIES["unreach-call"]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "SLICE", 1)


def estimates(algorithm: str, text: str = WRITERS) -> list[tuple[int, Left]]:
    """How many executions have ended, and what is thought to be left, every now and then."""
    seen: list[tuple[int, Left]] = []

    def poll(statistics: ExecutionStatistics) -> None:
        assert statistics.left is not None
        seen.append((statistics.executions, statistics.left))

    system = Interpreter(program_of(text, every_access=True))
    found = explore(system, algorithm, UNREACHED, poll=poll)
    assert found.exhausted and found.statistics.left is None
    assert len(seen) > 2
    return seen


@pytest.mark.parametrize("algorithm", sorted({*ALGORITHMS} - {"sleep"}))
def test_ranges_are_ranges(algorithm: str) -> None:
    its = estimates(algorithm, WRITERS if algorithm == "none" else lastzero(5))
    assert all(0 <= left.least <= left.likely <= left.most for _, left in its)
    assert its[-1][1].least < 0.2 * its[-1][0]
    if algorithm == "none":
        assert any(left.least >= 2 for _, left in its)  # what is planned


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_the_truth_is_mostly_in_the_range(algorithm: str) -> None:
    its = estimates(algorithm, lastzero(7))
    total = 1 + its[-1][0]
    late = [
        done + left.least <= total <= done + left.most for done, left in its if 4 * done > total
    ]
    assert sum(late) > 0.9 * len(late)


def test_a_tree_that_is_alike_everywhere_is_estimated_exactly() -> None:
    """The steps of choices are counted: of so many executions the others are left."""
    its = estimates("source", CHOICES.replace("i < 3", "i < 7"))
    assert all(round(left.likely, 6) == 128 - done for done, left in its if done)


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
def test_workers_tell_it(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what they have; what is counted for good has nothing left."""
    told: list[ExecutionStatistics] = []
    init = Counted.__init__

    def telling(self: Counted, statistics: ExecutionStatistics) -> None:
        told.append(statistics)
        init(self, statistics)

    monkeypatch.setattr(Counted, "__init__", telling)
    monkeypatch.setattr("abpress.parallel.forked_worker._PROGRESS", 0.0)
    program = program_of(lastzero(5), every_access=True)
    run = Dealing(program, algorithm, 2, 1, PROPERTIES["no-deadlock"]).run()
    assert run.done.left is None
    assert any(its.left is not None and its.left.likely >= 1 for its in told)
