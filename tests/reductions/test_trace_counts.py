"""Numbers of executions of known programs, NOTE(complete-executions).

`trace_counts.tsv` holds what other tools explore: by family and parameters the executions of
optimal DPOR, with observers, and one per function from reads to writes; `complete+blocked` where
assumptions block some, deadlocks counted as complete. Of the latter there may be fewer here: who
has read what an assumption forbids could also have waited, and here it does. A trylock that fails
is a read: 21 executions for three threads, not the 24 of a write. Rounds that only wait count as
all others here: without those of NOTE(useless-rounds) `bakery` has 50 executions, not 194.

ABPRESS_TRACE_COUNTS: rows with more executions than this are left out; those take seconds.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search.bounds import ExecutionBounds
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from tests.reading import program_of
from tests.reductions import trace_count_classics, trace_count_programs
from tests.reductions.trace_count_classics import bakery
from tests.reductions.trace_count_programs import independent, lastzero, philosophers, sigma
from tests.sampling import examples, in_turn
from tests.strategies.ir_programs import permuted_threads

MOST = int(os.environ.get("ABPRESS_TRACE_COUNTS", "300"))


@dataclass(frozen=True, slots=True, order=True)
class Ends:
    complete: int
    blocked: int = 0

    @property
    def executions(self) -> int:
        return self.complete + self.blocked


@dataclass(frozen=True, slots=True)
class Row:
    family: str
    parameters: tuple[int, ...]
    optimal: Ends
    observers: Ends | None
    reads_from: Ends | None

    def __str__(self) -> str:
        return "-".join((self.family, *map(str, self.parameters)))


def parsed(text: str) -> Ends | None:
    return None if text == "-" else Ends(*map(int, text.split("+")))


def rows() -> list[Row]:
    table = Path(__file__).with_name("trace_counts.tsv")
    found = []
    with table.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            parameters = () if line["parameters"] == "-" else line["parameters"].split(",")
            optimal = parsed(line["optimal"])
            assert optimal is not None
            if optimal.executions <= MOST:
                others = parsed(line["observers"]), parsed(line["reads_from"])
                found.append(Row(line["family"], tuple(map(int, parameters)), optimal, *others))
    return found


FEW = 60
"""Rows with more executions are not explored with contexts."""

ROWS = rows()


def smallest(rows: list[Row], most: int) -> list[Row]:
    """So many rows of each family."""
    families: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.optimal.executions):
        families.setdefault(row.family, []).append(row)
    return [row for its in families.values() for row in its[:most]]


FEWER = smallest(ROWS, examples(2, whole=len(ROWS)))
EACH = pytest.mark.parametrize("row", FEWER, ids=str)


def program(family: Callable[..., str], parameters: tuple[int, ...], folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(family(*parameters), encoding="utf-8")
    config = Config.of(file, property="no-deadlock", spurious_wakeups="off")
    return program_of(config, every_access=True)


def of_row(row: Row, folder: Path) -> Program:
    families = {**vars(trace_count_programs), **vars(trace_count_classics)}
    return program(families[row.family], row.parameters, folder)


def explored(program: Program, algorithm: str) -> ExecutionStatistics:
    interpreter = Interpreter(program)
    outcome = explore_executions(
        interpreter,
        STATELESS[algorithm].make(),
        PROPERTIES["no-deadlock"],
        keep_going=True,
        bounds=ExecutionBounds(awaits=False),
    )
    assert outcome.exhausted
    assert interpreter.soundness.complete
    return outcome.statistics


def not_redundant(statistics: ExecutionStatistics) -> Ends:
    """Without what is blocked by sleep sets."""
    assert statistics.violating == statistics.cut == 0
    return Ends(statistics.complete + statistics.deadlocked, statistics.assume_blocked)


@EACH
def test_optimal_explores_every_class_once(row: Row, tmp_path: Path) -> None:
    p = of_row(row, tmp_path)
    for its in (p, permuted_threads(p)):
        statistics = explored(its, "optimal")
        ends = not_redundant(statistics)
        assert statistics.sleep_set_blocked == 0
        assert ends.complete == row.optimal.complete
        assert ends.blocked <= row.optimal.blocked


@pytest.mark.parametrize(("row", "algorithm"), in_turn(FEWER, ["persistent", "source"]), ids=str)
def test_others_complete_as_many(algorithm: str, row: Row, tmp_path: Path) -> None:
    p = of_row(row, tmp_path)
    its, optimal = (not_redundant(explored(p, a)) for a in (algorithm, "optimal"))
    assert its == optimal


@EACH
def test_observers_explore_no_more_than_known(row: Row, tmp_path: Path) -> None:
    """Fewer than one per function from reads to writes would leave something out.

    More may be complete where others are blocked, but not more in all: who waits for a cell here
    has not read it, but observes all orders in which it is written.
    """
    if row.observers is None or row.reads_from is None:
        pytest.skip("not known")
    ends = not_redundant(explored(of_row(row, tmp_path), "observers"))
    assert row.reads_from.complete <= ends.complete
    assert ends.blocked <= row.observers.blocked
    assert ends.executions <= row.observers.executions


WITHOUT_CONTEXTS = {
    "context-sensitive": "source",
    "optimal-context-sensitive": "optimal",
    "optimal-cs-observers": "observers",
}


@pytest.mark.parametrize(("row", "algorithm"), in_turn(FEWER, [*WITHOUT_CONTEXTS]), ids=str)
def test_with_contexts_no_more_are_complete(row: Row, algorithm: str, tmp_path: Path) -> None:
    if row.optimal.executions > FEW:
        pytest.skip("large")
    p = of_row(row, tmp_path)
    fewer, most = (explored(p, a) for a in (algorithm, WITHOUT_CONTEXTS[algorithm]))
    assert 0 < fewer.complete + fewer.deadlocked <= most.complete + most.deadlocked
    assert (fewer.complete > 0, fewer.deadlocked > 0) == (most.complete > 0, most.deadlocked > 0)


THESIS = {3: 1, 4: 7, 5: 33, 6: 131}
"""Executions of lastzero that source sets leave blocked in the thesis behind [ODPOR14], by size."""


@pytest.mark.parametrize("n", THESIS)
def test_source_sets_are_blocked_less_often_than_in_the_thesis(n: int, tmp_path: Path) -> None:
    """Since the thread that is added is the one of the race's later event, if that can be."""
    p = program(lastzero, (n,), tmp_path)
    assert explored(p, "source").sleep_set_blocked < THESIS[n] / 4 + 1


@pytest.mark.parametrize("n", [3, 4])
def test_who_creates_threads_goes_first(n: int, tmp_path: Path) -> None:
    """Where others go on before that, most executions are blocked: 2, 36, 590, 10,270 of them."""
    assert explored(program(sigma, (n,), tmp_path), "source").sleep_set_blocked == 0


def test_a_poll_that_fails_need_not_be_made(tmp_path: Path) -> None:
    """A thread that asks up to five times, and goes on alike when it is answered, asks once."""
    interpreter = Interpreter(program(bakery, (), tmp_path))
    ends: list[set[State]] = []
    executions = []
    for awaits in (True, False):
        met: set[State] = set()
        found = explore_executions(
            interpreter,
            STATELESS["optimal"].make(),
            PROPERTIES["no-deadlock"],
            keep_going=True,
            bounds=ExecutionBounds(awaits=awaits),
            hooks=Hooks(on_final=lambda state, _, met=met: met.add(state)),  # type: ignore[misc]
        )
        ends.append(met)
        executions.append(found.statistics.complete)
    assert executions == [50, 194]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_philosophers_deadlock_once(n: int, tmp_path: Path) -> None:
    p = program(philosophers, (n,), tmp_path)
    assert [explored(p, a).deadlocked for a in ("persistent", "source", "optimal")] == [1, 1, 1]


def test_without_reduction_orders_of_independent_threads_count(tmp_path: Path) -> None:
    p = program(independent, (2,), tmp_path)
    assert explored(p, "none").complete > 1
    assert explored(p, "sleep").complete == 1
