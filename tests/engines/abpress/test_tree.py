"""The operations of the tree one by one: what they need, and what they leave behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.art.labels.policy import Labelling
from abpress.art.node import Node
from abpress.art.tree import Tree
from abpress.config import Config
from abpress.engines.abpress.attempt import prepare
from abpress.engines.abpress.precision import Precision
from abpress.ir.expr import Compare, Const, Reg
from abpress.ir.program import Program
from abpress.ir.types import IntType
from abpress.logic.formula import holds
from tests.engines.programs import INT, THREAD_ENDS, code, main, program


def two_writers() -> Program:
    """Two threads write the same: both orders lead to one place. A third one may fail."""
    writer = code("writer", "*&x := 1", THREAD_ENDS)
    fails = code(
        "fails",
        "r := *&x",
        "when r == 2 -> L2\n when r != 2 -> L3",
        'fail "unreach-call" "two"',
        THREAD_ENDS,
        r="i32",
    )
    return program(
        main("writer", "writer", "fails", join=False, end=THREAD_ENDS), writer, fails, x=INT
    )


def expanded(labels: str = "impact") -> Tree:
    """The tree of all interleavings; errors are left out. The labels of all nodes are empty."""
    text = two_writers()
    config = Config.of(Path(), por="none", labels=labels)
    _, tree = prepare(Facts(text), config, "int", Precision(text)).tree()
    while (node := tree.pop()) is not None:
        if not tree.close(node):
            tree.expand(node, node.place.threads)
    return tree


@pytest.fixture
def tree() -> Tree:
    return expanded()


def covered(tree: Tree) -> Node:
    return next(node for node in tree.nodes if node.coverer is not None)


def test_what_is_expanded_is_open_and_not_expanded_yet(tree: Tree) -> None:
    node = covered(tree)
    with pytest.raises(AssertionError):
        tree.expand(node, node.place.threads)
    root = tree.nodes[0]
    with pytest.raises(AssertionError):
        tree.expand(root, root.place.threads[:1])


def test_what_covers_is_another_open_node_of_the_place(tree: Tree) -> None:
    node = covered(tree)
    coverer = node.coverer
    assert coverer is not None
    for bad in (coverer, tree.nodes[0], node):
        with pytest.raises(AssertionError):
            tree.cover(coverer, bad)


def test_only_what_is_covered_is_uncovered(tree: Tree) -> None:
    with pytest.raises(AssertionError):
        tree.uncover(tree.nodes[0])


def test_the_root_is_not_cut(tree: Tree) -> None:
    with pytest.raises(AssertionError):
        tree.cut(tree.nodes[0])


def test_forced_covers_are_of_open_nodes(tree: Tree) -> None:
    node = covered(tree)
    assert node.coverer is not None
    with pytest.raises(AssertionError):
        tree.force_cover(node, node.coverer, Labelling())


def test_changes_are_told_once(tree: Tree) -> None:
    changes = tree.take_changes()
    assert changes.grown == {node.number for node in tree.nodes} and not changes.shrunk
    changes = tree.take_changes()
    assert not changes.grown and not changes.shrunk
    node = covered(tree)
    tree.uncover(node)
    assert node.coverer is not None  # again, for the labels still say so
    changes = tree.take_changes()
    assert changes.grown == {node.number} and changes.shrunk


def test_what_is_cut_is_not_live_and_what_it_covered_is_open(tree: Tree) -> None:
    coverer = covered(tree).coverer
    assert coverer is not None and coverer.parent is not None
    others = tuple(coverer.covers)
    below = [coverer, *coverer.descendants()]
    tree.cut(coverer)
    assert not any(node.live or node.open for node in below)
    assert all(node.live and node.coverer is not coverer for node in others)
    assert any(node.open for node in others)
    assert tree.take_changes().shrunk
    assert all(child is not coverer for c in coverer.parent.expanded.values() for _, child in c)


def test_a_stronger_label_loses_its_covers(tree: Tree) -> None:
    node = covered(tree)
    coverer = node.coverer
    assert coverer is not None
    before = tree.uncovered
    seven = Compare("==", Reg("x@0", IntType(32, True)), Const(7, IntType(32, True)))
    label = 1 << tree._labels.pool.number(holds(seven))
    tree.strengthen(Labelling(((coverer, label),)))
    assert coverer.label == label and node.coverer is not coverer
    assert tree.uncovered > before


def errors(tree: Tree) -> list[Node]:
    return [e.node for n in tree.nodes if n.open for e in tree.errors(n, n.place.threads)]


def test_errors_end_when_the_node_is_not_open_any_more(tree: Tree) -> None:
    node = errors(tree)[0]
    found = tree.errors(node, node.place.threads)
    error = next(found)
    assert error.moves[:-1] == node.path() and error.move.fails
    tree.cut(node)
    assert list(found) == []
    with pytest.raises(AssertionError):
        next(tree.errors(node, node.place.threads))
