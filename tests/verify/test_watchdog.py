"""The watchdog ends what does not look at the clock, and does no harm. NOTE(handlers)"""

from __future__ import annotations

import ctypes
import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import WeakSet

import pytest
import z3

from abpress.ir.expr import Binary, Compare, Const, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, conj, holds
from abpress.search.limits import Limits
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.verify import watchdog
from abpress.verify.watchdog import LimitReached, Watchdog


def spin(seconds: float) -> None:
    end = monotonic() + seconds
    while monotonic() < end:
        pass


def test_a_limit_is_kept() -> None:
    with pytest.raises(LimitReached, match="time limit"), Watchdog(Limits(time=0.2)):
        spin(10)


def test_a_limit_is_kept_without_a_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has none."""
    monkeypatch.setattr(watchdog, "_TIMED", False)
    test_a_limit_is_kept()


def test_one_within_another() -> None:
    with pytest.raises(LimitReached, match=r"limit of 0\.8 s"), Watchdog(Limits(time=0.8)):
        with pytest.raises(LimitReached, match=r"limit of 0\.2 s"), Watchdog(Limits(time=0.2)):
            spin(10)
        spin(10)


def test_nothing_is_left_by_signals_while_it_is_set_up_or_taken_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, change = signal.getsignal(signal.SIGALRM), signal.signal

    def with_signals(number: int, handler: Any) -> Any:
        if signal.getsignal(number) is not before:
            signal.raise_signal(number)
        found = change(number, handler)
        if handler is not before:
            signal.raise_signal(number)
        return found

    monkeypatch.setattr(signal, "signal", with_signals)
    with suppress(LimitReached), Watchdog(Limits(time=0.0)):
        pass
    monkeypatch.undo()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_finaliser_is_not_left() -> None:
    finished = []

    class Slow:
        def __del__(self) -> None:
            spin(0.5)
            finished.append(True)

    with pytest.raises(LimitReached), Watchdog(Limits(time=0.1)):
        slow = Slow()
        del slow
        assert finished
        spin(10)


def test_a_weak_set_is_not_left() -> None:
    """An exception in its callbacks would be printed and forgotten."""

    def slow() -> Iterator[type]:
        spin(0.5)
        yield Prover

    finished = []
    with pytest.raises(LimitReached), Watchdog(Limits(time=0.1)):
        finished += WeakSet(slow())
        spin(10)
    assert finished


class Observer:
    """Of the collector of cycles."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def sees(self, phase: str, _: dict[str, int]) -> None:
        spin(0.25)
        self.seen.append(phase)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_callback_of_the_collector_is_not_left(wrapped: bool) -> None:
    observer = Observer()
    callback = (lambda *given: observer.sees(*given)) if wrapped else observer.sees
    gc.callbacks.append(callback)
    try:
        with pytest.raises(LimitReached), Watchdog(Limits(time=0.1)):
            gc.collect(0)
            assert observer.seen == ["start", "stop"]
            spin(10)
    finally:
        gc.callbacks.remove(callback)


LATE = "import signal\nsignal.raise_signal(signal.SIGALRM)\nwhole = True\n"


def test_an_import_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "imported_late.py").write_text(LATE)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(LimitReached), Watchdog(Limits(time=0.0)):
        assert import_module("imported_late").whole
        spin(10)
    assert "imported_late" in sys.modules


def test_a_limit_is_kept_in_a_module_that_is_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"from {__name__} import *\ntest_a_limit_is_kept()\nkept = True\n"
    (tmp_path / "watches.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert import_module("watches").kept


def test_a_conversion_for_a_call_of_c_is_not_left() -> None:
    """z3 has such conversions; an exception in one comes out as an error of ctypes."""

    class Slow:
        @classmethod
        def from_param(cls, number: int) -> ctypes.c_int:
            spin(0.5)
            return ctypes.c_int(number)

    absolute = ctypes.CDLL(None)["abs"]
    absolute.argtypes = [Slow]
    with pytest.raises(LimitReached), Watchdog(Limits(time=0.1)):
        assert absolute(-3) == 3
        spin(10)


def test_no_file_is_opened_in_the_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(time=0.3, memory=10_000)
    with pytest.raises(LimitReached, match="time limit"), Watchdog(limits):
        monkeypatch.setattr("builtins.open", None)
        spin(10)


def test_a_question_to_z3_is_interrupted() -> None:
    number = IntType(64, signed=False)
    a, b, c = (Reg(name, number) for name in "abc")
    cubes = [Binary("*", Binary("*", x, x), x) for x in (a, b, c)]
    small = [conj([holds(Compare(">", x, Const(1, number))), below(x)]) for x in (a, b, c)]
    equal = holds(Compare("==", Binary("+", cubes[0], cubes[1]), cubes[2]))
    prover = Prover("bv", rlimit=2**32 - 1)
    begin = monotonic()
    with pytest.raises(LimitReached, match="time limit"), Watchdog(Limits(time=0.5)):
        prover.satisfiable([*small, equal])
    assert monotonic() - begin < 30
    assert prover.satisfiable([small[0]]) is Answer.YES


def below(x: Reg) -> Formula:
    return holds(Compare("<", x, Const(2_000_000, x.type)))


def test_what_z3_refuses_as_it_was_interrupted_is_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The question was over just then; where the handler may raise nothing, others follow."""
    monkeypatch.setattr(watchdog, "_delicate", lambda *_: True)
    number = IntType(32, signed=True)
    for seconds, expected in ((0.0, LimitReached), (100.0, z3.Z3Exception)):
        prover = Prover("int")
        prover._terms.context.interrupt()
        with pytest.raises(expected), Watchdog(Limits(time=seconds)):
            prover.satisfiable([holds(Compare(">", Reg("a", number), Const(1, number)))])
