"""Executions as data: rows, values, what is marked, and what orders."""

from __future__ import annotations

from typing import Any

from tests.verify.page.programs import execution_of


def values(execution: dict[str, Any], what: str) -> list[tuple[str, int, str, str]]:
    """Who gives what a value at which line."""
    return [
        (execution["threads"][row["thread"]]["name"], row["line"], name, value)
        for row in execution["rows"]
        for name, value in row.get(what, ())
    ]


def test_rows_have_values_of_memory_and_of_local_variables() -> None:
    execution = execution_of("lost_update_by_copies", "unreach-call")
    assert execution["initial"] == [["balance", "10"]]
    assert values(execution, "writes") == [
        ("main.2", 17, "balance", "3"),
        ("main.1", 12, "balance", "15"),
    ]
    assert values(execution, "reads")[0] == ("main.1", 10, "balance", "10")
    assert values(execution, "locals") == [
        ("main.1", 10, "copy", "10"),
        ("main.1", 12, "copy", "15"),
    ]
    names = [(its["name"], its["function"]) for its in execution["threads"]]
    assert names == [("main", ""), ("main.1", "deposits"), ("main.2", "corrects")]
    assert [row.get("violation") for row in execution["rows"]] == [None] * 7 + [True]


def test_rows_that_the_cause_tells_of_are_marked() -> None:
    execution = execution_of("lost_update_by_copies", "unreach-call")
    assert execution["cause"]["name"] == "lost update"
    marked = [(row["thread"], row["line"]) for row in execution["rows"] if row.get("marked")]
    assert marked == [(1, 10), (2, 17), (1, 12)]


def test_the_accesses_of_a_lost_update_are_not_ordered() -> None:
    execution = execution_of("lost_update_by_copies", "unreach-call")
    rows = execution["rows"]
    pairs = [
        (race["cell"], *(rows[row]["line"] for row in race["rows"])) for race in execution["races"]
    ]
    assert pairs == [("balance", 10, 17), ("balance", 17, 12)]
    assert [rows[k]["after"] for k in (2, 3)] == [[[0, "main.1"]], [[1, "main.2"]]]


def test_locks_order_what_they_keep_apart() -> None:
    execution = execution_of("lost_update_lock_released", "unreach-call")
    assert execution["races"] == []
    by = {by for row in execution["rows"] for _, by in row.get("after", ())}
    assert by == {"main.1", "main.2", "m"}
    held = [row.get("locks", []) for row in execution["rows"]]
    assert ["m"] in held


def test_a_race_ends_with_two_threads_that_are_ready() -> None:
    execution = execution_of("race_no_lock", "no-data-race")
    standing = [(s["thread"], s["kind"], s["line"], s["text"]) for s in execution["standing"]]
    assert standing == [(1, "ready", 10, "writes x"), (2, "ready", 15, "writes x")]


def test_a_deadlock_ends_with_threads_that_wait() -> None:
    execution = execution_of("philosophers", "no-deadlock")
    waits = {s["thread"]: s["object"] for s in execution["standing"]}
    assert waits == {0: "main.1", 1: "fork[1]", 2: "fork[2]", 3: "fork[0]"}
    assert {name for _, _, name, _ in values(execution, "locals")} == {"i", "me"}


def test_the_row_that_frees_an_object_says_so() -> None:
    execution = execution_of("use_after_free", "valid-deref")
    says = {row["line"]: row["says"] for row in execution["rows"]}
    assert "frees int@22" in says[16]
    assert "allocates int@22" in says[22]
    freed = next(event for event in execution["history"] if event["what"] == "freed")
    assert execution["rows"][freed["row"]]["line"] == 16
