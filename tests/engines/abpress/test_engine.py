"""The engine on programs whose verdict is known; the proviso of the reduction."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.art.labels.table import LABELS
from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.reductions.table import TREE
from abpress.reductions.tree import partial
from abpress.result import Verdict
from abpress.search.limits import Limits
from tests.engines.programs import INT, THREAD_ENDS, code, counter, lock, main, program, unlock

POR = pytest.mark.parametrize("por", sorted(TREE))
POLICIES = pytest.mark.parametrize("labels", LABELS)


def verdict(p: Program, por: str, labels: str = "predicates") -> Verdict:
    return prove(p, Config.of(Path(), por=por, labels=labels), Limits(time=20.0))[0].verdict


def ignored(error: bool) -> Program:
    """One thread spins on its own; the other one fails, or not (NOTE(ignoring))."""
    spins = code("spins", "i := 0", "i := 1 -> L0", i="i32")
    fails = code(
        "fails", "r := *&x", 'fail "unreach-call" "seen"' if error else THREAD_ENDS, r="i32"
    )
    return program(main("spins", "fails", join=False, end="-> L2"), spins, fails, x=INT)


@POLICIES
@POR
@pytest.mark.parametrize("error", [True, False])
def test_a_thread_is_not_ignored(por: str, labels: str, error: bool) -> None:
    assert verdict(ignored(error), por, labels) is (Verdict.FALSE if error else Verdict.TRUE)


@POLICIES
@pytest.mark.parametrize("por", ["s-por", "source", "source+summaries", "source+abstraction"])
def test_without_the_proviso_a_thread_is_ignored(
    por: str, labels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partial, "unproductive", lambda nodes: [])
    assert verdict(ignored(True), por, labels) is Verdict.TRUE


def critical(locked: bool) -> Program:
    """Two threads that enter a section again and again; `inside` counts who is there."""
    take, release = (lock("m"), unlock("m")) if locked else ((), ())
    n = len(take)
    worker = code(
        "worker",
        *take,
        "r := *&inside",
        f"when r != 0 -> L{n + 2}\n when r == 0 -> L{n + 3}",
        'fail "unreach-call" "two inside"',
        "*&inside := 1",
        "*&inside := 0",
        *release[:-1],
        f"{release[-1] if release else 'r := 0'} -> L0",
        **{"r": "i32", "o": "u32", "$tid": "u32"},
    )
    mutex = '{4: 0 u32 ".owner"} = 0u32'
    return program(main("worker", "worker", join=False, end="-> L2"), worker, inside=INT, m=mutex)


@POLICIES
@POR
@pytest.mark.parametrize("locked", [True, False])
def test_mutual_exclusion_without_a_bound(por: str, labels: str, locked: bool) -> None:
    assert verdict(critical(locked), por, labels) is (Verdict.TRUE if locked else Verdict.FALSE)


@POR
def test_the_reduction_saves_nodes(por: str) -> None:
    full, _ = prove(counter(2), Config.of(Path(), por="none"), Limits())
    reduced, _ = prove(counter(2), Config.of(Path(), por=por), Limits())
    assert full.verdict is reduced.verdict is Verdict.TRUE
    assert reduced.statistics["nodes"] <= full.statistics["nodes"]


def test_what_is_left_at_the_end_is_not_checked() -> None:
    with pytest.raises(UnsupportedError):
        prove(counter(1), Config.of(Path(), property="valid-memcleanup", por="none"), Limits())
