"""The watchdog ends what does not look at the clock, and does no harm."""

from __future__ import annotations

import ctypes
from time import monotonic

import pytest

from abpress.ir.expr import Binary, Compare, Const, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, conj, holds
from abpress.search.limits import Limits
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.verify.watchdog import LimitReached, watchdog


def spin(seconds: float) -> None:
    end = monotonic() + seconds
    while monotonic() < end:
        pass


def test_a_limit_is_kept() -> None:
    with pytest.raises(LimitReached, match="time limit"), watchdog(Limits(time=0.2)):
        spin(10)


def test_one_within_another() -> None:
    with pytest.raises(LimitReached, match=r"limit of 0\.8 s"), watchdog(Limits(time=0.8)):
        with pytest.raises(LimitReached, match=r"limit of 0\.2 s"), watchdog(Limits(time=0.2)):
            spin(10)
        spin(10)


def test_a_finaliser_is_not_left() -> None:
    finished = []

    class Slow:
        def __del__(self) -> None:
            spin(0.5)
            finished.append(True)

    with pytest.raises(LimitReached), watchdog(Limits(time=0.1)):
        slow = Slow()
        del slow
        assert finished
        spin(10)


def test_a_conversion_for_a_call_of_c_is_not_left() -> None:
    """z3 has such conversions; an exception in one comes out as an error of ctypes."""

    class Slow:
        @classmethod
        def from_param(cls, number: int) -> ctypes.c_int:
            spin(0.5)
            return ctypes.c_int(number)

    absolute = ctypes.CDLL(None)["abs"]
    absolute.argtypes = [Slow]
    with pytest.raises(LimitReached), watchdog(Limits(time=0.1)):
        assert absolute(-3) == 3
        spin(10)


def test_no_file_is_opened_in_the_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(time=0.3, memory=10_000)
    with pytest.raises(LimitReached, match="time limit"), watchdog(limits):
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
    with pytest.raises(LimitReached, match="time limit"), watchdog(Limits(time=0.5)):
        prover.satisfiable([*small, equal])
    assert monotonic() - begin < 10
    assert prover.satisfiable([small[0]]) is Answer.YES


def below(x: Reg) -> Formula:
    return holds(Compare("<", x, Const(2_000_000, x.type)))
