"""Histories drawn for people."""

from __future__ import annotations

from abpress.clients.client import Call
from abpress.clients.history import History, Made
from abpress.clients.timeline import comparison, timeline

ADD, SIZE = Call("add", (1,), False), Call("size", (), True)

HISTORY = History(
    (
        Made(0, "main.1", ADD, 2, 9, None),
        Made(1, "main.1", SIZE, 11, 12, 1),
        Made(2, "main.2", SIZE, 4, 10, 0),
        Made(3, "main.2", ADD, 13, None, None),
    )
)


def test_bars_overlap_as_the_calls_do() -> None:
    assert timeline(HISTORY, 100) == [
        "main.1  ├ add(1) ┤       ├ size() = 1 ┤",
        "main.2    ├ size() = 0 ┤                ├ add(1) ╌",
    ]


def test_a_narrow_terminal() -> None:
    assert timeline(HISTORY, 30) == [
        "main.1  add(1) begins",
        "main.2  size() begins",
        "main.1  add(1) ends",
        "main.2  size() = 0 ends",
        "main.1  size() begins",
        "main.1  size() = 1 ends",
        "main.2  add(1) begins",
    ]


def test_nothing_happened() -> None:
    assert timeline(History(()), 80) == []


def test_the_most_similar_combinations_come_first() -> None:
    allowed = {(None, 1, 1, None): (), (None, 2, 0, None): (), (None, 12, 7, None): ()}
    assert comparison(HISTORY, allowed) == [
        "thread  call    seen  allowed (3 combinations)",
        "main.1  size()  1      1   2  12",
        "main.2  size()  0      1   0   7",
    ]
