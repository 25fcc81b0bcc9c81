"""The policy impact: covers are given up and found again, and forced; nodes are cut off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.art.labels import impact
from abpress.art.node import Node
from abpress.art.tree import Changes, Tree
from abpress.art.view import view
from abpress.config import Config
from abpress.engines.abpress.algorithm import AbPress, Ended
from abpress.engines.abpress.engine import prove
from abpress.ir.program import Program
from abpress.reductions.tree.partial import TreeSourceSets
from abpress.reductions.tree.source_sets import SummaryRaces
from abpress.reductions.tree.summaries import Summaries
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from tests.engines.programs import INT, MAIN_RETURNS, THREAD_ENDS, code, program
from tests.proof.proofs import benchmark


def run(p: Program, por: str = "none") -> Result:
    return prove(p, Config.of(Path(), por=por, labels="impact"), Limits(time=20.0))[0]


def race(wrong: int) -> Program:
    """Two threads write 1 and 2; when both have finished, it is an error if the last was `wrong`.

    Both orders lead to the same place. What is known on the way with one order excludes its error.
    """
    writers = [code(f"w{n}", f"*&x := {n}", THREAD_ENDS) for n in (1, 2)]
    checks = code(
        "main",
        "t := spawn w1 0ptr4",
        "u := spawn w2 0ptr4",
        "r := join t",
        "r := join u",
        "v := *&x",
        f"when v == {wrong} -> L6\n when v != {wrong} -> L7",
        'fail "unreach-call" "seen"',
        MAIN_RETURNS,
        t="u32",
        u="u32",
        r="ptr4",
        v="i32",
    )
    return program(checks, *writers, x=INT)


@pytest.mark.parametrize("wrong", [1, 2, 3])
def test_orders_that_meet(wrong: int) -> None:
    assert run(race(wrong)).verdict is (Verdict.TRUE if wrong == 3 else Verdict.FALSE)


def test_a_cover_that_does_not_hold_any_more_has_to_be_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """NOTE(lost-covers)."""
    uncover = Tree.uncover

    def only_if_the_coverer_is_gone(tree: Tree, node: Node) -> None:
        if node.coverer is None or not node.coverer.live:
            uncover(tree, node)

    monkeypatch.setattr(Tree, "uncover", only_if_the_coverer_is_gone)
    assert run(race(1)).verdict is Verdict.TRUE


def test_what_is_not_covered_any_more_has_to_be_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(lost-covers)."""
    reopen = Tree._reopen

    def without_expansion(tree: Tree, node: Node) -> None:
        before = len(tree._queue)
        reopen(tree, node)
        while len(tree._queue) > before:
            tree._queue.pop()

    monkeypatch.setattr(Tree, "_reopen", without_expansion)
    assert run(race(1)).verdict is Verdict.TRUE


def test_forced_covers_save_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    task = benchmark("atomics/c11_flag_lock_safe")
    forced = run(task, "source+summaries").statistics
    monkeypatch.setattr(impact, "MOST_CANDIDATES", 0)
    plain = run(task, "source+summaries").statistics
    assert int(forced["forced_covers"]) > 0 and plain["forced_covers"] == 0
    assert 5 * int(forced["nodes_of_all_trees"]) < int(plain["nodes_of_all_trees"])


def finished(monkeypatch: pytest.MonkeyPatch) -> AbPress:
    """A tree in which nodes were covered, uncovered, and cut off with others below them."""
    algorithms = []
    below = []

    def main(algorithm: AbPress, main: Any = AbPress.main) -> Ended:
        algorithms.append(algorithm)
        ended: Ended = main(algorithm)
        return ended

    def cut(tree: Tree, node: Node, cut: Any = Tree.cut) -> None:
        below.append(len(node.descendants()))
        cut(tree, node)

    monkeypatch.setattr(AbPress, "main", main)
    monkeypatch.setattr(Tree, "cut", cut)
    result = run(benchmark("atomics/c11_flag_lock_safe"), "source+summaries")
    assert result.verdict is Verdict.TRUE and int(result.statistics["uncovered"]) > 0
    assert max(below) > 1
    return algorithms[-1]


def test_live_nodes_are_those_of_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    algorithm = finished(monkeypatch)
    tree = algorithm.tree
    reached = {tree.nodes[0]}
    todo = [tree.nodes[0]]
    while todo:
        node = todo.pop()
        if node.coverer is None:
            for children in node.expanded.values():
                found = [child for _, child in children if child is not None]
                reached.update(found)
                todo += found
    assert reached == {node for node in tree.nodes if node.live}
    for node in tree.nodes:
        assert (node in node.place.open) == (node.live and node.coverer is None)
        assert all(covered.coverer is node and covered in reached for covered in node.covers)
        if node.coverer is not None:
            assert node in reached and node.coverer in reached and node in node.coverer.covers
            assert algorithm.labels.covers(node.coverer, node)
    system = algorithm.attempt.problem.system
    seen = view(tree, algorithm.labels, system, "source+summaries", "int", ())
    assert len(seen.nodes) == tree.live == len(reached) < len(tree.nodes)


def test_summaries_are_those_of_the_tree_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    algorithm = finished(monkeypatch)
    reduction, nodes = algorithm.reduction, algorithm.tree.nodes
    assert isinstance(reduction, TreeSourceSets) and isinstance(reduction._races, SummaryRaces)
    found = reduction._races._summaries
    expected = Summaries(reduction._footprints)
    expected.update(nodes, Changes(shrunk=True), lambda: False)
    assert all(found.of(node) == expected.of(node) for node in nodes if node.live)
