"""Trees that are expanded in some threads only: when the checker accepts them, and when not.

The programs of most tests have an error; the certificates leave out the executions that lead to it.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abpress.ir.passes.rewrite import map_edges
from abpress.ir.program import AccessKind, Edge, Program
from abpress.ir.text import format_program
from abpress.proof.certificate import Accepted, Certificate, CertifiedNode
from abpress.proof.conditions import CONDITIONS, WITH_FORMULAS, WITHOUT_RACES
from abpress.semantics.context import DONE
from tests.engines.programs import INT, MUTEX, THREAD_ENDS, code, lock, main, program, unlock
from tests.proof.builder import (
    Choice,
    State,
    TooLarge,
    build,
    everything,
    expanded_until_accepted,
    only,
)
from tests.proof.proofs import benchmark, expansion, proved, verdict, with_node
from tests.sampling import examples, sample
from tests.strategies.ir_marks import of_all_kinds
from tests.strategies.ir_programs import Features, programs

SOURCE = ("source", "source+summaries", "source+abstraction")
REDUCED = sorted(set(CONDITIONS) - {"none"})
OF_CLAUSES = ("preference-order", "preference-order+commuting")
LOCKING = {"o": "u32", "$tid": "u32"}
FAILS = 'fail "unreach-call" "reached"'


def forged(
    p: Program,
    choose: Choice,
    por: str,
    forget: Collection[str] = (),
    property: str = "unreach-call",
) -> Certificate:
    """A certificate in which no error is possible, for a program in which one is."""
    assert build(p, everything, "none", property=property).error
    built = build(p, choose, por, forget, property=property)
    assert not built.error
    return built.certificate


def first_thread(state: State, threads: tuple[str, ...]) -> Collection[str]:
    """Only the first."""
    return threads[:1]


def rejected(p: Program, c: Certificate, *reasons: str) -> None:
    answer = verdict(p, c)
    assert isinstance(answer, str), "accepted"
    for reason in reasons:
        assert reason in answer


# -- random programs ------------------------------------------------------------------------------

CLOSED = Features(threads=2, statements=4, inputs=False, locals=False, overflows=False)


@pytest.mark.parametrize("por", REDUCED)
@settings(max_examples=examples(3, whole=12), derandomize=True, deadline=None, database=None)
@given(p=programs(CLOSED), seed=st.integers(0, 99))
def test_no_tree_without_an_error_is_accepted_if_there_is_one(
    por: str, p: Program, seed: int
) -> None:
    """Trees begin with threads chosen at random, and get more where the checker wants it."""
    rng = random.Random(seed)
    memory: dict[State, Collection[str]] = {}

    def some(state: State, threads: tuple[str, ...]) -> Collection[str]:
        if state not in memory:
            several = [t for t in threads if rng.random() < 0.5]
            memory[state] = several if por == "peephole" else threads and [rng.choice(threads)]
        return memory[state]

    try:
        erroneous = build(p, everything, por, most=40).error
        built = expanded_until_accepted(p, some, por, most=80)
    except TooLarge:
        assume(False)
    assert (built is None) == erroneous, format_program(p)


@pytest.mark.parametrize("por", [por for por in REDUCED if por not in ("peephole", *OF_CLAUSES)])
@settings(max_examples=examples(3, whole=12), derandomize=True, deadline=None, database=None)
@given(p=programs(CLOSED), seed=st.integers(0, 99))
def test_no_tree_without_a_deadlock_is_accepted_if_there_is_one(
    por: str, p: Program, seed: int
) -> None:
    """The same for states in which all threads wait."""
    rng = random.Random(seed)
    memory: dict[State, Collection[str]] = {}

    def some(state: State, threads: tuple[str, ...]) -> Collection[str]:
        return memory.setdefault(state, threads and [rng.choice(threads)])

    try:
        erroneous = build(p, everything, por, most=25, property="no-deadlock").error
        built = expanded_until_accepted(p, some, por, most=50, property="no-deadlock")
    except TooLarge:
        assume(False)
    assert (built is None) == erroneous, format_program(p)


RACES_KEPT = [por for por in REDUCED if por not in WITHOUT_RACES | WITH_FORMULAS]


@pytest.mark.parametrize("por", RACES_KEPT)
@settings(max_examples=examples(3, whole=12), derandomize=True, deadline=None, database=None)
@given(p=programs(replace(CLOSED, pointers=False)), seed=st.integers(0, 99))
def test_no_tree_without_a_race_is_accepted_if_there_is_one(
    por: str, p: Program, seed: int
) -> None:
    """The same for states in which two threads stand before accesses that race."""
    rng = random.Random(seed)
    p = of_all_kinds(p, rng)
    memory: dict[State, Collection[str]] = {}

    def some(state: State, threads: tuple[str, ...]) -> Collection[str]:
        if state not in memory:
            several = [t for t in threads if rng.random() < 0.5]
            memory[state] = several if por == "peephole" else threads and [rng.choice(threads)]
        return memory[state]

    try:
        erroneous = build(p, everything, por, most=30, property="no-data-race").error
        built = expanded_until_accepted(p, some, por, most=60, property="no-data-race")
    except TooLarge:
        assume(False)
    assert (built is None) == erroneous, format_program(p)


# -- the notes of docs/theory.md ------------------------------------------------------------------

READER = code(
    "v",
    "*&y := 1",
    "r := *&x",
    "when r == 0 -> L3\n when r != 0 -> L4",
    FAILS,
    THREAD_ENDS,
    r="i32",
)
WRITER = code("w", "*&x := 1", THREAD_ENDS)
RACE = program(main("w", "v"), WRITER, READER, x=INT, y=INT)
"""An error if v reads before w writes."""


@pytest.mark.parametrize("por", SOURCE)
def test_shrunk_source_set(por: str) -> None:
    rejected(
        RACE,
        forged(RACE, only("w", w=0, v=0), por),
        "is not expanded in main, main.2",
        "the read of x@0 by main.2 behind",
    )


@pytest.mark.parametrize("por", SOURCE)
def test_a_cycle_ignores_a_thread(por: str) -> None:
    """NOTE(ignoring)."""
    spinning = program(
        main("w", "v"),
        code("w", "*&y := 1", "*&y := 0 -> L0"),
        code("v", "*&x := 1", FAILS),
        x=INT,
        y=INT,
    )
    rejected(spinning, forged(spinning, only("w", v=0), por), "of the cycle")


@pytest.mark.parametrize("por", SOURCE)
def test_a_race_behind_a_cover(por: str) -> None:
    """NOTE(summaries-grow)."""
    c = forged(RACE, only("w", w=0, v=0), por)
    n = next(n for n, node in enumerate(c.nodes) if len(expansion(node)) == 1 and n > 1)
    child = expansion(c.nodes[n])["main.1"][0][1]
    covered = next(m for m, node in enumerate(c.nodes) if node.covered_by == child)
    c = with_node(c, covered, replace(c.nodes[child], label=c.nodes[covered].label))
    c = with_node(c, child, CertifiedNode(c.nodes[child].place, c.nodes[child].label, covered))
    rejected(RACE, c, f"node {n} is not", f"the read of x@0 by main.2 behind node {child}")


@pytest.mark.parametrize("por", SOURCE)
def test_a_read_does_not_hide_a_read(por: str) -> None:
    """NOTE(hiding-writes): the error is that s reads 0, then w writes, and r reads 1."""
    reads = program(
        main("w", "r", "s"),
        WRITER,
        code("r", "a := *&x", "*&y := a", THREAD_ENDS, a="i32"),
        code(
            "s",
            "a := *&x",
            "when a == 0 -> L2\n when a != 0 -> L5",
            "a := *&y",
            "when a == 1 -> L4\n when a != 1 -> L5",
            FAILS,
            THREAD_ENDS,
            a="i32",
        ),
        x=INT,
        y=INT,
    )
    c = forged(reads, only("w", "r", w=0, r=0, s=0), por)
    rejected(reads, c, "the read of x@0 by main.3")


@pytest.mark.parametrize("chosen", [("w",), ("w", "z")])
@pytest.mark.parametrize("por", SOURCE)
def test_the_past_of_a_race(por: str, chosen: tuple[str, ...]) -> None:
    """NOTE(ghost-events): the racing thread needs q before it, and nobody else instead."""
    late = program(
        main("w", "q", "v", "z"),
        WRITER,
        code("q", "*&y := 1", THREAD_ENDS),
        code(
            "v",
            "a := *&y",
            "when a == 1 -> L2\n when a != 1 -> L5",
            "a := *&x",
            "when a == 0 -> L4\n when a != 0 -> L5",
            FAILS,
            THREAD_ENDS,
            a="i32",
        ),
        code("z", "*&u := 1", THREAD_ENDS),
        x=INT,
        y=INT,
        u=INT,
    )
    together = only(*chosen, w=0)

    def choose(state: State, threads: tuple[str, ...]) -> Collection[str]:
        begins = threads and state[0].threads[0].location < 4
        return threads[:1] if begins else together(state, threads)

    c = forged(late, choose, por)
    rejected(late, c, "the read of x@0 by main.3")


@pytest.mark.parametrize("por", SOURCE)
def test_a_thread_that_waits_does_not_go_on(por: str) -> None:
    """NOTE(blocked-threads)."""
    waiting = program(
        main("t", "v"),
        code("t", "o := 0", "atomic: o := *&x", "atomic: await o == 1", THREAD_ENDS, o="i32"),
        code("v", FAILS),
        x=INT,
    )
    c = forged(waiting, only("t", v=0), por)
    rejected(waiting, c, "may be unable to go on")


@pytest.mark.parametrize("por", SOURCE)
def test_what_a_thread_waits_for_is_read(por: str) -> None:
    """NOTE(blocked-threads): a thread can go on for a moment only, at which it is not looked at."""
    gate = program(
        main("t", "q"),
        code("t", "atomic: o := *&x", "atomic: await o == 1", FAILS, o="i32").replace(
            "L0 atomic", "L0"
        ),
        code("q", "*&x := 1", "*&x := 0", THREAD_ENDS),
        x=INT,
    )

    def choose(state: State, threads: tuple[str, ...]) -> Collection[str]:
        at = {part.template: part.location for part in state[0].threads}
        return [threads[-1]] if at.get("t") == 0 and at.get("q") in (0, 1) else threads

    rejected(gate, forged(gate, choose, por), "the read of x@0 by main.1")


@pytest.mark.parametrize("por", REDUCED)
def test_all_branches(por: str) -> None:
    """NOTE(branching-threads)."""
    branching = program(
        main("w"), code("w", "*&x := 1 -> L1\n *&x := 1 -> L2", THREAD_ENDS, FAILS), x=INT
    )
    built = build(branching, everything, por)
    assert built.error
    for n, node in enumerate(built.certificate.nodes):
        for name, children in expansion(node).items():
            for k in range(len(children)):
                fewer = {**expansion(node), name: children[:k] + children[k + 1 :]}
                c = with_node(built.certificate, n, replace(node, expanded=fewer))
                rejected(branching, c)


@pytest.mark.parametrize("por", SOURCE)
def test_blocks_conflict_if_any_of_their_accesses_do(por: str) -> None:
    """NOTE(atomic-blocks)."""
    blocks = program(
        main("w", "v"),
        code("w", "*&y := 1", "atomic: *&x := 1", THREAD_ENDS),
        code(
            "v",
            "*&u := 1",
            "atomic: a := *&x",
            "when a == 0 -> L3\n when a != 0 -> L4",
            FAILS,
            THREAD_ENDS,
            a="i32",
        ),
        x=INT,
        y=INT,
        u=INT,
    )
    c = forged(blocks, only("w", w=0, v=0), por)
    rejected(blocks, c, "the read of x@0 by main.2")


@pytest.mark.parametrize("por", REDUCED)
@pytest.mark.parametrize("end", ['exit "abort"', 'exit "return from main"'])
def test_the_end_of_the_program_hides_errors(por: str, end: str) -> None:
    """NOTE(exits-are-steps)."""
    ends = program(main("v", join=False, end=end), code("v", FAILS))

    rejected(ends, forged(ends, first_thread, por), "is not expanded in main.1")


# -- deadlocks ------------------------------------------------------------------------------------

CROSSED = program(
    main("w", "v"),
    code("w", *lock("m"), *lock("n"), *unlock("n"), *unlock("m"), THREAD_ENDS, **LOCKING),
    code("v", *lock("n"), *lock("m"), *unlock("m"), *unlock("n"), THREAD_ENDS, **LOCKING),
    m=MUTEX,
    n=MUTEX,
)
"""A deadlock if each takes its first lock before the other's second."""


def test_a_deadlock_is_rejected() -> None:
    """NOTE(no-thread-goes-on): every node is expanded in all threads, and one has no child."""
    built = build(CROSSED, everything, "none", property="no-deadlock")
    assert built.error
    rejected(CROSSED, built.certificate, "all threads may wait for one another")
    harmless = build(CROSSED, everything, "none")
    assert not harmless.error
    assert isinstance(verdict(CROSSED, harmless.certificate), Accepted)


@pytest.mark.parametrize("por", SOURCE)
def test_a_deadlock_behind_a_race(por: str) -> None:
    """Where w goes first alone, v comes too late."""

    def w_first(state: State, threads: tuple[str, ...]) -> Collection[str]:
        parts = [part for part in state[0].threads if part.location != DONE]
        if parts and parts[0].template == "main" and parts[0].location < 2:
            return threads[:1]
        return [name for name in threads if name == "main.1"] or threads

    c = forged(CROSSED, w_first, por, property="no-deadlock")
    rejected(CROSSED, c, "by main.2 behind node")


@pytest.mark.parametrize("por", SOURCE)
def test_threads_that_wait_hide_no_deadlock(por: str) -> None:
    """NOTE(blocked-threads): t waits for ever, and with it alone no other thread gets to wait."""
    waits = program(
        main("t", "v", join=False, end=THREAD_ENDS),
        code("t", "await 0 == 1", THREAD_ENDS),
        code("v", "*&x := 1", THREAD_ENDS),
        x=INT,
    )
    built = build(waits, only("v", v=0), por, property="no-deadlock")
    assert built.error
    c = forged(waits, only("t", t=0, v=0), por, property="no-deadlock")
    rejected(waits, c, "may be unable to go on")


def test_labels_that_exclude_a_deadlock_are_needed() -> None:
    gate = program(
        main("w", "v"),
        code("w", "*&x := 1", THREAD_ENDS),
        code("v", "o := 0", "atomic: o := *&x", "atomic: await o == 1", THREAD_ENDS, o="i32"),
        x=INT,
    )
    built = build(gate, everything, "none", property="no-deadlock")
    assert not built.error
    assert isinstance(verdict(gate, built.certificate), Accepted)
    weak = [replace(node, label=()) for node in built.certificate.nodes]
    c = replace(built.certificate, nodes=tuple(weak))
    rejected(gate, c, "all threads may wait for one another")


# -- races ----------------------------------------------------------------------------------------

LATE = program(
    main("w", "v", join=False, end=THREAD_ENDS),
    code("w", "*&x := 1", "*&y := 1", THREAD_ENDS),
    code(
        "v", "r := *&x", "when r == 0 -> L2\n when r != 0 -> L3", "*&y := 2", THREAD_ENDS, r="i32"
    ),
    x=INT,
    y=INT,
)
"""A race of the writes of y, if w has not written x when v reads that."""


def without_x(p: Program) -> Program:
    """The program with a race of y only."""

    def mark(edge: Edge) -> Edge:
        of_x = any("'x'" in repr(effect) for effect in edge.effects)
        return replace(edge, access=AccessKind.ATOMIC) if of_x else edge

    return replace(p, templates={n: map_edges(t, mark) for n, t in p.templates.items()})


def test_a_race_is_rejected() -> None:
    """NOTE(races-in-trees): every node is expanded in all threads, and no step is an error."""
    built = build(without_x(LATE), everything, "none", property="no-data-race")
    assert built.error
    rejected(without_x(LATE), built.certificate, "two threads may stand before accesses that race")


@pytest.mark.parametrize("por", [por for por in SOURCE if por not in WITHOUT_RACES])
def test_a_race_of_accesses_behind_another_order(por: str) -> None:
    """Where w goes first alone, v does not come to its write."""
    c = forged(without_x(LATE), only("w", w=0, v=0), por, property="no-data-race")
    rejected(without_x(LATE), c, "by main.2 behind node")


def test_races_of_what_no_label_mentions_count() -> None:
    built = build(without_x(LATE), everything, "source+abstraction", property="no-data-race")
    rejected(without_x(LATE), built.certificate, "does not keep data races")


# -- what is accepted -----------------------------------------------------------------------------

APART = program(
    main("w", "v"), code("w", "*&x := 1", THREAD_ENDS), code("v", "*&x := 2", THREAD_ENDS), x=INT
)
"""Nobody reads what is written."""


def test_a_cell_that_is_not_mentioned_does_not_count() -> None:
    for forget, por, accepted in (
        (["x@0"], "source+abstraction", True),
        (["x@0"], "source+summaries", False),
        ([], "source+abstraction", False),
    ):
        c = build(APART, only("w", w=0, v=0), por, forget).certificate
        assert isinstance(verdict(APART, c), Accepted) is accepted
    mentioned = replace(c, formulas=(*c.formulas, "`x@0`:i32 == 0"))
    root = replace(c.nodes[0], label=(*c.nodes[0].label, len(c.formulas)))
    rejected(APART, with_node(mentioned, 0, root), "the write of x@0 by main.2")


def test_lives_count_even_if_cells_do_not() -> None:
    freed = program(
        code(
            "main",
            'p := alloc 1 {4: 0 i32} zeroed ""',
            "*&q := p",
            "t := spawn w 0ptr4",
            "t := spawn v 0ptr4",
            THREAD_ENDS,
            p="ptr",
            t="u32",
        ),
        code("w", "p := *&q", "*p := 1", THREAD_ENDS, p="ptr"),
        code("v", "p := *&q", "free p", THREAD_ENDS, p="ptr"),
        q="{4: 0 ptr} = 0ptr",
    )
    c = forged(freed, first_thread, "source+abstraction", ["heap main#1@0"])
    assert not any("heap" in formula for formula in c.formulas)
    rejected(freed, c, "the write of life heap main#1 by main.2")


# -- peephole -------------------------------------------------------------------------------------

TWICE = program(
    main("w", "v"),
    WRITER,
    code(
        "v",
        "a := *&x",
        "b := *&x",
        "when a != b -> L3\n when a == b -> L4",
        FAILS,
        THREAD_ENDS,
        a="i32",
        b="i32",
    ),
    x=INT,
)
"""An error if w writes between the reads."""


def test_peephole_skips_nothing_after_a_dependent_step() -> None:
    c = forged(TWICE, only("main", "v", w=0, v=1), "peephole")
    rejected(TWICE, c, "main.1 does not come before the step of main.2", "which may conflict")


def test_peephole_skips_no_greater_thread() -> None:
    c = forged(RACE, only("main", w=0, v=0), "peephole")
    rejected(RACE, c, "main.1 does not come before the step of main", "which has no greater id")


def test_peephole_skips_no_thread_that_was_just_created() -> None:
    nested = program(
        main("w", join=False, end=THREAD_ENDS),
        code("w", "t := spawn v 0ptr4", THREAD_ENDS, t="u32"),
        code("v", FAILS),
    )
    c = forged(nested, only("main", "w", v=0), "peephole")
    rejected(nested, c, "main.1.1 does not come before")


def test_peephole_covers_by_nodes_that_skip_no_more() -> None:
    """v may be skipped where z was last, but not where main was."""
    p = program(
        main("v", "z", join=False, end=THREAD_ENDS),
        code("v", "*&x := 1", THREAD_ENDS),
        code("z", "*&y := 1", THREAD_ENDS),
        x=INT,
        y=INT,
    )

    def skips(state: State, threads: tuple[str, ...]) -> Collection[str]:
        at = {part.template: part.location for part in state[0].threads}
        return threads[-1:] if at == {"main": DONE, "v": 0, "z": 1} else threads

    built = build(p, skips, "peephole")
    n = next(
        n
        for n, node in enumerate(built.certificate.nodes)
        if node.covered_by is None
        and set(expansion(node)) == {"main.2"}
        and {x.template: x.location for x in built.states[n][0].threads}["v"] == 0
    )
    rejected(p, built.certificate, f"node {n} is not expanded in main.1", "no greater id")


# -- damaged certificates of the engine -----------------------------------------------------------


@pytest.mark.parametrize("por", [por for por in REDUCED if por not in OF_CLAUSES])
def test_some_thread_matters(por: str) -> None:
    """Certificates with a thread dropped somewhere: whatever is rejected, it is for a reason."""
    task = "pthread-sync/once_safe"
    p, c = benchmark(task), proved(task, por)
    assert isinstance(verdict(p, c), Accepted)
    reasons = []
    looked_at = sample(
        [(n, name) for n, node in enumerate(c.nodes) for name in expansion(node)], 24
    )
    for n, name in looked_at:
        node = c.nodes[n]
        fewer = {t: x for t, x in expansion(node).items() if t != name}
        answer = verdict(p, with_node(c, n, replace(node, expanded=fewer)))
        if isinstance(answer, str):
            assert f"node {n} is not expanded in" in answer or "of the cycle" in answer
            reasons.append(answer)
    assert len(reasons) > len(looked_at) // 4
