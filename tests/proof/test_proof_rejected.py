"""Damaged and forged certificates are rejected, with a reason that says what is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.proof.certificate import (
    Accepted,
    Certificate,
    CertifiedNode,
    CertifiedPlace,
    Rejected,
    format_certificate,
    parsed,
    place_digest,
    program_digest,
    read_tree,
)
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.symbolic.system import SymbolicSystem
from tests.proof.proofs import benchmark, expansion, proved, verdict, with_node
from tests.sampling import sample

TASK = "atomics/gcc_message_passing_safe"
"""Small, but with loops, covers and labels."""


@pytest.fixture(scope="module")
def program() -> Program:
    return benchmark(TASK)


@pytest.fixture(scope="module", params=["s-por", "source+summaries"])
def c(request: pytest.FixtureRequest) -> Certificate:
    return proved(TASK, request.param)


def rejected(program: Program, c: Certificate, *reasons: str) -> str:
    """Asserts that the certificate is rejected for one of the reasons; returns what was said."""
    answer = verdict(program, c)
    assert isinstance(answer, str), "accepted"
    assert not reasons or any(reason in answer for reason in reasons), answer
    return answer


def test_the_certificate_is_accepted_undamaged(program: Program, c: Certificate) -> None:
    assert isinstance(verdict(program, c), Accepted)
    assert any(node.label for node in c.nodes)
    assert any(node.covered_by is not None for node in c.nodes)


# -- tree -----------------------------------------------------------------------------------------


def test_dropped_edge(program: Program, c: Certificate) -> None:
    for n, node in enumerate(c.nodes):
        for thread, children in expansion(node).items():
            for k in range(len(children)):
                fewer = {**expansion(node), thread: (*children[:k], *children[k + 1 :])}
                rejected(program, with_node(c, n, replace(node, expanded=fewer)), "has no child")


def test_edge_to_another_node(program: Program, c: Certificate) -> None:
    for n, node in enumerate(c.nodes):
        for thread, children in expansion(node).items():
            for k, (path, child) in enumerate(children):
                other = 0 if child else 1
                if c.nodes[other].place == c.nodes[child].place:
                    continue
                wrong = (*children[:k], (path, other), *children[k + 1 :])
                expanded = {**expansion(node), thread: wrong}
                damaged = with_node(c, n, replace(node, expanded=expanded))
                rejected(program, damaged, "has no child", "no cycle")


def test_weakened_labels(program: Program, c: Certificate) -> None:
    weak = replace(c, nodes=tuple(replace(node, label=()) for node in c.nodes))
    rejected(program, weak, "is not excluded: violates unreach-call", "has no child")


def test_some_label_matters(program: Program, c: Certificate) -> None:
    without = [with_node(c, n, replace(x, label=())) for n, x in enumerate(c.nodes) if x.label]
    reasons = [answer for d in without if isinstance(answer := verdict(program, d), str)]
    assert len(reasons) > len(without) // 4
    for reason in reasons:
        assert "not imply" in reason or "not excluded" in reason or "has no child" in reason


def test_strengthened_labels(program: Program, c: Certificate) -> None:
    false = replace(c, formulas=(*c.formulas, "false"))
    for n, node in enumerate(c.nodes):
        strong = with_node(false, n, replace(node, label=(*node.label, len(c.formulas))))
        rejected(program, strong, "does not imply", "does not hold initially")


def test_wrong_cover(program: Program, c: Certificate) -> None:
    for n, node in enumerate(c.nodes):
        if node.covered_by is None:
            continue
        rejected(program, with_node(c, n, replace(node, covered_by=n)), "of the cycle")
        other = next(m for m, x in enumerate(c.nodes) if x.place != node.place)
        wrong = with_node(c, n, replace(node, covered_by=other))
        rejected(program, wrong, "which has another place")
        gone = with_node(c, n, replace(node, covered_by=len(c.nodes)))
        rejected(program, gone, "there is no node")


def test_cover_by_a_node_that_knows_more(program: Program) -> None:
    c = proved(TASK, "s-por")
    reasons = []
    for n, node in enumerate(c.nodes):
        for m, other in enumerate(c.nodes):
            more = other.place == node.place and not set(other.label) <= set(node.label)
            if node.covered_by is not None and more:
                reasons.append(rejected(program, with_node(c, n, replace(node, covered_by=m))))
    assert all("does not imply what covers it" in reason for reason in reasons)
    assert reasons


def test_shrunk_expansion(program: Program) -> None:
    c = proved(TASK, "none")
    for n, node in enumerate(c.nodes):
        for thread in expansion(node):
            fewer = {t: x for t, x in expansion(node).items() if t != thread}
            damaged = with_node(c, n, replace(node, expanded=fewer))
            rejected(program, damaged, f"node {n} is not expanded in {thread}")


def test_shrunk_expansion_of_a_reduced_tree() -> None:
    """Whatever a node is not expanded in is justified: no node can do with less."""
    task = "pthread-sync/once_safe"
    program, c = benchmark(task), proved(task, "s-por")
    assert len(c.nodes) < len(proved(task, "none").nodes)
    rejected(program, replace(c, reduction="none"), "is not expanded in")
    chosen = [(n, node) for n, node in enumerate(c.nodes) if len(expansion(node)) > 1]
    for n, node in sample(chosen, 18):
        for thread in expansion(node):
            rest = {t: x for t, x in expansion(node).items() if t == thread}
            damaged = with_node(c, n, replace(node, expanded=rest))
            rejected(program, damaged, f"node {n} is not expanded in", "of the cycle")


def test_a_node_that_is_neither_covered_nor_expanded(program: Program, c: Certificate) -> None:
    rejected(
        program, with_node(c, 0, replace(c.nodes[0], expanded=None)), "is not expanded in main"
    )


# -- what it is for -------------------------------------------------------------------------------


def test_other_program(c: Certificate) -> None:
    other = benchmark("atomics/gcc_message_passing_unsafe")
    rejected(other, c, "for another program")


@pytest.mark.parametrize(
    "task", ["atomics/gcc_message_passing", "atomics/c11_cas_loop", "pthread/bigshot_s"]
)
def test_forged_for_a_program_with_an_error(task: str) -> None:
    other = benchmark(f"{task}_unsafe")
    forged = replace(proved(f"{task}_safe", "s-por"), program=program_digest(other))
    rejected(other, forged, "node", "the root")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("property", "no-luck", "the property no-luck is not known"),
        ("reduction", "magic", "the reduction magic is not known"),
        ("encoding", "floats", "the encoding floats is not known"),
        ("threads", (), "the first thread is not main"),
        ("threads", ("main", "other"), "no thread can be called other"),
        ("max_threads", 1, "is not excluded"),
        ("nodes", (), "there is no node 0"),
        ("places", (), "there is no place"),
        ("formulas", (), "there is no formula"),
    ],
)
def test_wrong_heads(
    program: Program, c: Certificate, field: str, value: object, reason: str
) -> None:
    rejected(program, replace(c, **{field: value}), reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "formula",
    ["1 +", "x:i32 == y:i64", "`main?0`:i32 == 1", "`data@0`:i64 == 1", "`flag@0`:u8 == 1u8"],
)
def test_formulas_that_mean_nothing(program: Program, c: Certificate, formula: str) -> None:
    c = replace(c, formulas=(*c.formulas, formula))
    c = with_node(c, 0, replace(c.nodes[0], label=(*c.nodes[0].label, len(c.formulas) - 1)))
    rejected(program, c, "formula", "variable")


# -- text -----------------------------------------------------------------------------------------


def test_truncated_files(c: Certificate) -> None:
    text = format_certificate(c)
    for end in range(0, len(text) - 2, 97):
        with pytest.raises(Rejected, match="damaged"):
            read_tree(parsed(text[:end]))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"abpress certificate"', '"another"', "not a certificate"),
        ('"version": 1', '"version": 2', "version 2"),
        ('"place": 0', '"place": -1', "natural number"),
        ('"place": 0', '"place": "0"', "int is expected"),
        ('"path": [[', '"path": [[0], [', "list of pairs"),
        ('"nodes"', '"knots"', "there is no 'nodes'"),
        ('"threads": ["main"', '"threads": [1', "str is expected"),
    ],
)
def test_wrong_texts(c: Certificate, old: str, new: str, reason: str) -> None:
    text = format_certificate(c)
    assert old in text
    with pytest.raises(Rejected, match=reason):
        read_tree(parsed(text.replace(old, new, 1)))


# -- NOTE(ignoring) -------------------------------------------------------------------------------


def ignoring(program: Program) -> Certificate:
    """Explores only main once it has created a thread; labels say nothing."""
    interpreter = Interpreter(program, Options())
    system = SymbolicSystem(program, Options(), interpreter)
    root, _ = system.initial()
    numbers = {root: 0}
    nodes: list[CertifiedNode] = []
    queue = [root]
    for d in queue:
        expanded = {}
        for t in system.threads(d)[:1]:
            children = []
            for step in system.steps(d, t):
                if step.successor not in numbers:
                    numbers[step.successor] = len(queue)
                    queue.append(step.successor)
                children.append((step.edges, numbers[step.successor]))
            expanded[system.name(t)] = tuple(children)
        nodes.append(CertifiedNode(len(nodes), (), expanded=expanded))
    names = tuple(system.name(t) for t in range(1, interpreter.views.threads_met() + 1))
    places = tuple(CertifiedPlace(place_digest(d), {}) for d in queue)
    digest = program_digest(program)
    return Certificate(
        digest, "unreach-call", 256, 64, "s-por", "int", names, (), places, tuple(nodes)
    )


IGNORED = """\
program pointer 4 overflow end
template main entry L0
  register t: u32
  register a: i32
  L0:
    t := spawn worker 0ptr -> L1
  L1:
    {step} -> L1
template worker entry L0
  L0:
    fail "unreach-call" "reached" -> L0
"""


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("a := 1", "is expanded in all threads"),  # goes round forever
        ("assume 0", "is not expanded in main.1"),  # never goes on
        ('exit "abort"', "is not expanded in"),  # ends the program
    ],
)
def test_a_thread_is_ignored(step: str, reason: str) -> None:
    program = parse_program(IGNORED.format(step=step))
    rejected(program, ignoring(program), reason)
