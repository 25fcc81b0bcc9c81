"""The engine with each method of interpolation alone, and with methods that do not help."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.abpress import refinement
from abpress.engines.abpress.engine import prove
from abpress.ir.program import Program
from abpress.itp import path as paths
from abpress.itp.methods import METHODS, Method, refinements
from abpress.logic.formula import FALSE, TRUE, Formula
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from abpress.smt.prover import Prover
from tests.engines.programs import INT, THREAD_ENDS, code, main, program


def once() -> Program:
    """One thread counts up once; another one fails where the counter is more than 1."""
    adds = code("adds", "r := *&x", "*&x := r + 1", THREAD_ENDS, r="i32")
    checks = code(
        "checks",
        "r := *&x",
        "when r > 1 -> L2\n when r <= 1 -> L3",
        'fail "unreach-call" "more than one"',
        THREAD_ENDS,
        r="i32",
    )
    return program(main("adds", "checks", join=False, end="-> L2"), adds, checks, x=INT)


def result(monkeypatch: pytest.MonkeyPatch, methods: Mapping[str, Method]) -> Result:
    monkeypatch.setattr(refinement, "refinements", partial(refinements, methods=methods))
    config = Config.of(Path(), por="s-por", paranoid=True)
    return prove(once(), config, Limits(time=20.0))[0]


def useless(prover: Prover, path: paths.Path, core: paths.Core) -> tuple[Formula, ...]:
    """Nothing that is new: of the interpolants, only those without variables."""
    return (*[TRUE] * len(path.steps), FALSE)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - {"meeting"}))  # that is for arrays only
def test_a_method_alone_proves(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    found = result(monkeypatch, {name: METHODS[name]})
    assert found.verdict is Verdict.TRUE
    assert str(found.statistics["refined_by"]).startswith(f"{name}: ")


def test_a_method_that_brings_nothing_new_is_followed_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    methods = {"none": lambda *_: None, "wp": METHODS["wp"]}
    assert result(monkeypatch, methods).verdict is Verdict.TRUE


def test_without_new_formulas_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    found = result(monkeypatch, {"none": lambda *_: None})
    assert found.verdict is Verdict.UNKNOWN
    assert "no interpolants" in found.reason
    monkeypatch.setattr("abpress.itp.methods.check_sequence", lambda *_: [])
    assert result(monkeypatch, {"useless": useless}).verdict is Verdict.UNKNOWN


def test_new_formulas_come_after_useless_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abpress.itp.methods.check_sequence", lambda *_: [])
    found = result(monkeypatch, {"useless": useless, "wp": METHODS["wp"]})
    assert found.verdict is Verdict.TRUE
    assert str(found.statistics["refined_by"]).startswith("wp: ")


def test_wrong_interpolants_are_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="internal error: interpolants by useless"):
        result(monkeypatch, {"useless": useless})
