"""The tables of the experiment stateful-table, from runs that are made up."""

from __future__ import annotations

from abpress.bench.record import Category, Run
from abpress.engines.table import algorithms
from experiments import stateful_table


def run(task: str, config: str, verdict: str, cpu_s: float, states: int = 0) -> Run:
    return Run(
        task,
        "unreach-call",
        config,
        (),
        None,
        verdict,
        "",
        0,
        Category.UNJUDGED,
        0,
        cpu_s,
        cpu_s,
        50.0,
        "explicit",
        config,
        {"states": states},
    )


def test_sums_are_over_what_all_have_solved() -> None:
    runs = [
        run("list/0", "s-por", "true", 4.0, 100),
        run("list/0", "dl-s-por", "true", 1.0, 10),
        run("list/1", "s-por", "true", 2.0, 50),
        run("list/1", "dl-s-por", "true", 2.0, 40),
        run("list/2", "s-por", "true", 9.0, 900),
        run("list/2", "dl-s-por", "unknown", 60.0, 5),
    ]
    head, *rows = stateful_table.table_all(runs)
    assert head[-1] == "s-por/time"
    assert rows[:2] == [
        ["list", "s-por", "3/3", "150", "6.0", "50", "1.00"],
        ["list", "dl-s-por", "2/3", "50", "3.0", "50", "2.50"],
    ]
    assert [row[0] for row in rows[2:]] == ["together", "together"]


def test_first_errors_are_of_clients_that_all_find() -> None:
    runs = [
        run("list-BUG-all/0", "s-por+123", "false", 1.0),
        run("list-BUG-all/0", "s-por+213", "false", 3.0),
        run("list-BUG-all/0", "s-por+random0", "false", 4.0),
        run("list-BUG-all/1", "s-por+123", "false", 9.0),
        run("list-BUG-all/1", "s-por+213", "unknown", 60.0),
        run("list-BUG-all/1", "s-por+random0", "false", 9.0),
        run("list-BUG-one/0", "s-por+123", "true", 9.0),
    ]
    _, *rows = stateful_table.table_first(runs)
    assert rows == [
        ["all", "s-por", "sequential", "1", "2.00", "1.00", "1.73"],
        ["all", "s-por", "random", "1", "4.00", "4.00", "4.00"],
    ]


def test_the_algorithms_are_those_of_the_table() -> None:
    assert {*stateful_table.ALGORITHMS, *stateful_table.FIRST} <= set(algorithms())
    assert {library for library, _ in stateful_table.BUGS} <= {
        file.stem for file in stateful_table.LIBRARIES.glob("*.c")
    }
