"""Which orders engine `horn` tries, by the graphs that they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines.horn import engine
from abpress.engines.horn.attempts import OrderAttempt
from abpress.engines.horn.graph import Building, Graph, TooLarge
from abpress.engines.horn.orders import ORDERS, Arrangement
from abpress.result import Verdict
from abpress.search import limits
from abpress.search.processor import processor_time
from abpress.semantics.outcome import Options
from abpress.smt.clauses import Unsolved
from abpress.symbolic.system import SymbolicSystem
from abpress.verify.load import load
from abpress.verify.run import verify

TEXT = """
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x, y, n;
void *f(void *p) { BODY return 0; }
void *g(void *p) { if (n > 1) y = n; return 0; }
int main(void) {
  pthread_t s, t;
  n = __VERIFIER_nondet_int();
  pthread_create(&s, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x <= y || n <= 1);
}
"""
APART = "if (n > 1) x = n;"
READS = "x = y; if (n > 1) x = n; if (n > 2) x = y;"
COUNTS = "for (int i = 0; i < n; i++) x++;"


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Graph]:
    """Order -> its graph, in the order of their first turns, none of which has a proof."""
    found: dict[str, Graph] = {}

    def solved(self: object, attempt: OrderAttempt, part: object, seconds: float) -> object:
        assert attempt.graph is not None
        found[attempt.order.name] = attempt.graph
        return None, None, Unsolved("not asked")

    monkeypatch.setattr(engine._Run, "_solved", solved)
    monkeypatch.setattr(engine, "_GROWTH", 100.0)
    return found


Ask = Callable[[str], None]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(body: str) -> None:
        file = tmp_path / "program.c"
        file.write_text(TEXT.replace("BODY", body))
        report = verify(Config.of(file, engine="horn", property="unreach-call"))
        assert report.result.verdict is Verdict.UNKNOWN

    return asked


def test_orders_that_are_one_are_tried_once(tried: Mapping[str, Graph], ask: Ask) -> None:
    ask(APART)
    signatures = [its.signature for its in tried.values()]
    assert signatures == [*dict.fromkeys(signatures)]
    assert "sequential" in tried
    assert not any(its.has_cycles() for its in tried.values())


@pytest.mark.parametrize("large", [0, 300])
def test_the_smallest_graph_without_cycles_is_first(
    large: int, tried: Mapping[str, Graph], ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all of them, or behind the first one if that is small."""
    monkeypatch.setattr(engine, "_LARGE", large)
    ask(READS)
    sizes = [len(its.nodes) for its in tried.values()]
    behind = sizes if large == 0 else sizes[1:]
    assert not any(its.has_cycles() for its in tried.values())
    assert len(set(sizes)) > 1
    assert behind == sorted(behind)


def test_loops_keep_the_order_of_the_table(tried: Mapping[str, Graph], ask: Ask) -> None:
    ask(COUNTS)
    assert all(its.has_cycles() for its in tried.values())
    assert [*tried][:2] == ["rounds", "sequential"]
    assert tried["rounds"].signature != tried["sequential"].signature


def test_much_larger_graphs_are_tried_later() -> None:
    sizes = {"rounds": 422, "sequential": 294, "consumers first": 120, "steps": 230}

    def attempt(name: str) -> SimpleNamespace:
        graph = SimpleNamespace(signature=name, has_cycles=lambda: True)
        return SimpleNamespace(order=ORDERS[name], graph=graph, size=sizes[name], ended=False)

    its: Any = [attempt(name) for name in sizes]
    no_run: Any = None
    left = engine._Run._surveyed(no_run, (), its, 1.0)
    assert [a.order.name for a in left] == ["consumers first", "steps", "sequential", "rounds"]


@pytest.mark.parametrize("large", [0, 300])
def test_the_first_order_has_more_time_where_graphs_are_large(
    large: int, tried: Mapping[str, Graph], ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_LARGE", large)
    monkeypatch.setattr(engine, "_MANY_ORDERS", 1)
    given: list[float] = []
    plain = engine._Run._try

    def tries(self: engine._Run, attempt: OrderAttempt, end: float) -> Any:
        given.append(end - processor_time())
        return plain(self, attempt, end)

    monkeypatch.setattr(engine._Run, "_try", tries)
    ask(COUNTS)
    more = engine._MORE if large else engine._MORE_IF_LARGE
    assert given[0] == pytest.approx(more * given[1], rel=0.2)


def test_a_busy_machine_sees_the_same_graphs(
    tried: Mapping[str, Graph], ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(READS)
    quiet = dict(tried)
    jumps = count(0.0, 1_000.0)
    monkeypatch.setattr(limits, "monotonic", jumps.__next__)
    monkeypatch.setattr(engine._Run, "_is_large", lambda *_: True)
    ask(READS)
    assert tried.keys() == quiet.keys()
    assert all(its is not quiet[name] for name, its in tried.items())


def test_a_graph_that_was_not_complete_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT.replace("BODY", COUNTS))
    p = load(Config.of(file, property="unreach-call")).program
    system = SymbolicSystem(p, Options())

    def building() -> Building:
        arrangement = Arrangement(ORDERS["rounds"], p)
        return Building(system, arrangement, lambda step: True, None)

    whole = building().complete(lambda _: False)
    its, sizes = building(), [0]
    graph = None
    while graph is None:
        most = sizes[-1] + 5
        try:
            graph = its.complete(lambda nodes, most=most: nodes > most)
        except TooLarge:
            sizes.append(its.size)
    assert (graph.nodes, graph.moves) == (whole.nodes, whole.moves)
    assert sizes == sorted(sizes)
    assert len(sizes) > 2


def test_a_graph_that_is_too_large_is_not_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    plain = engine._Run._build

    def build(self: engine._Run, attempt: OrderAttempt, *rest: Any) -> Graph | None:
        built.append(attempt.order.name)
        return plain(self, attempt, *rest)

    monkeypatch.setattr(engine._Run, "_build", build)
    monkeypatch.setattr(engine._Run, "_expired", lambda _: False)
    monkeypatch.setattr("abpress.engines.horn.graph.MOST_NODES", 2)
    file = tmp_path / "program.c"
    file.write_text(TEXT.replace("BODY", COUNTS))
    result = verify(Config.of(file, engine="horn", property="unreach-call")).result
    assert result.verdict is Verdict.UNKNOWN
    assert "rounds: too many places" in result.reason
    assert built == [*dict.fromkeys(built)]
    assert len(built) > 1
