"""What orders the steps of a trace, on traces that are written by hand."""

from __future__ import annotations

from abpress.errors import Position
from abpress.ir.program import AccessKind
from abpress.witness.order import OrderEdge, order_of
from abpress.witness.trace import Trace, TraceStep


def at(line: int, model: str = "") -> Position:
    return Position(model or "p.c", line, 1, "f", (Position("p.c", line, 1, "f"),) if model else ())


def step(thread: str, line: int, **its: object) -> TraceStep:
    return TraceStep(thread, at(line), **its)  # type: ignore[arg-type]


def reads(cell: str, **its: object) -> dict[str, object]:
    return {"reads": ((cell, "0"),), **its}


def writes(cell: str, **its: object) -> dict[str, object]:
    return {"writes": ((cell, "1"),), **its}


def locked(thread: str, line: int, owner: str, said: str) -> TraceStep:
    """Locks, unlocks or tries the mutex m."""
    written = () if "held" in said else (("m.owner", owner),)
    return TraceStep(
        thread, at(line, "<mutex.c>"), (("m.owner", "0"),), written, said=(said,),
        access=AccessKind.LIBRARY,
    )  # fmt: skip


BOTH = (step("main", 1, note="creates main.1"), step("main", 2, note="creates main.2"))


def trace(*steps: TraceStep) -> Trace:
    return Trace("unreach-call", "", steps, ("main", "main.1", "main.2"), 0, ())


def races(*steps: TraceStep) -> list[tuple[str, int, int]]:
    return [(pair.cell, pair.first, pair.second) for pair in order_of(trace(*steps)).races]


def test_creation_and_join_order() -> None:
    order = order_of(
        trace(
            step("main", 1, **writes("x")),
            step("main", 2, note="creates main.1"),
            step("main.1", 5, **writes("x")),
            step("main.1", 6, note="ends"),
            step("main", 3, note="joins main.1"),
            step("main", 4, **writes("x")),
        )
    )
    assert order.edges == (OrderEdge(1, 2, "main.1"), OrderEdge(3, 4, "main.1"))
    assert order.races == ()


def test_nothing_orders_two_threads() -> None:
    assert races(*BOTH, step("main.1", 5, **writes("x")), step("main.2", 6, **reads("x"))) == [
        ("x", 2, 3)
    ]
    assert races(*BOTH, step("main.1", 5, **reads("x")), step("main.2", 6, **reads("x"))) == []
    assert races(*BOTH, step("main.1", 5, **writes("x")), step("main.2", 6, **writes("y"))) == []


def test_the_creator_goes_on_beside_its_thread() -> None:
    steps = (step("main", 1, note="creates main.1"), step("main", 2, **writes("x")))
    assert races(*steps, step("main.1", 5, **writes("x"))) == [("x", 1, 2)]


def test_a_lock_orders() -> None:
    first = (
        locked("main.1", 4, "2", "locks m"),
        step("main.1", 5, **writes("x")),
        locked("main.1", 6, "0", "unlocks m"),
    )
    taken = locked("main.2", 7, "3", "locks m")
    tried = locked("main.2", 7, "3", "m is held by main.1")
    last = step("main.2", 8, **writes("x"))
    assert races(*BOTH, *first, taken, last) == []
    assert OrderEdge(4, 5, "m") in order_of(trace(*BOTH, *first, taken, last)).edges
    assert races(*BOTH, *first, tried, last) == [("x", 3, 6)]
    assert races(*BOTH, *first[:2], last, first[2]) == [("x", 3, 4)]


def test_atomic_operations_order_what_they_read() -> None:
    atomic = {"access": AccessKind.ATOMIC}
    first = (step("main.1", 5, **writes("x")), step("main.1", 6, **writes("flag", **atomic)))
    seen = step("main.2", 7, **reads("flag", **atomic))
    overwritten = step("main.2", 7, **writes("flag", **atomic))
    last = step("main.2", 8, **reads("x"))
    assert races(*BOTH, *first, seen, last) == []
    assert races(*BOTH, *first, overwritten, last) == [("x", 2, 5)]
    assert races(*BOTH, first[1], step("main.2", 7, **reads("flag"))) == [("flag", 2, 3)]


def test_accesses_that_exclude_one_another_do_not_race() -> None:
    section = {"access": AccessKind.SECTION}
    library = {"access": AccessKind.LIBRARY}
    one = step("main.1", 5, **writes("x", **section))
    assert races(*BOTH, one, step("main.2", 6, **writes("x", **section))) == []
    assert races(*BOTH, one, step("main.2", 6, **writes("x"))) == [("x", 2, 3)]
    one = step("main.1", 5, **writes("x", **library))
    assert races(*BOTH, one, step("main.2", 6, **writes("x"))) == []


def test_two_places_race_once() -> None:
    many = [step(f"main.{1 + k % 2}", 5, **writes("x")) for k in range(6)]
    assert races(*BOTH, *many) == [("x", 2, 3)]
