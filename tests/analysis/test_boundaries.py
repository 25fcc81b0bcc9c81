"""Step boundaries: by example, and that no cycle escapes on random graphs."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.analysis.boundaries import step_boundaries
from abpress.ir.expr import TRUE, Addr, Binary, Const, Expr, Reg
from abpress.ir.program import (
    Assign,
    Cut,
    Edge,
    Effect,
    Exit,
    GuardKind,
    Load,
    Location,
    Store,
    Template,
    goes_on,
)
from abpress.ir.types import INT, PtrType
from tests.sampling import examples

A = Reg("a", INT)
X = Addr("x", 0, PtrType(4))
LOAD, STORE, LOCAL = Load(A, X), Store(X, A), Assign(A, Const(1, INT))


def template(*locations: Location | tuple[Edge, ...]) -> Template:
    made = tuple(loc if isinstance(loc, Location) else Location(loc) for loc in locations)
    return Template("t", 0, made, {"a": INT, "b": INT}, {})


def chain(*effects: Effect) -> Template:
    return template(*((Edge(i + 1, effects=(e,)),) for i, e in enumerate(effects)), ())


def test_entry_and_sources_of_visible_edges() -> None:
    t = chain(LOCAL, LOAD, LOCAL, LOCAL, STORE, Exit("exit"))
    assert step_boundaries(t, {(1, 0), (4, 0), (5, 0)}) == {0, 1, 4, 5}


def test_one_visible_edge_makes_its_source_a_boundary() -> None:
    t = template((Edge(1),), (Edge(2, guard=A), Edge(2, effects=(LOAD,))), ())
    assert step_boundaries(t, {(1, 1)}) == {0, 1}


def test_no_boundary_inside_an_atomic_block() -> None:
    t = template(
        (Edge(1),),
        Location((Edge(2, effects=(LOAD,)),), atomic=True),
        Location((Edge(3, effects=(STORE,)),), atomic=True),
        (Edge(4),),
        (),
    )
    assert step_boundaries(t, {(0, 0), (1, 0), (2, 0)}) == {0}


def test_adjacent_atomic_blocks_have_a_boundary_between_them() -> None:
    t = template(
        (Edge(1),),
        Location((Edge(2),), atomic=True),
        (Edge(3),),
        Location((Edge(4),), atomic=True),
        (),
    )
    assert step_boundaries(t, {(0, 0), (2, 0)}) == {0, 2}


def test_invisible_loop_ends_the_step_at_its_head() -> None:
    t = template((Edge(1),), (Edge(2, guard=A), Edge(3)), (Edge(1),), ())
    assert step_boundaries(t, set()) == {0, 1}


def test_loop_with_a_visible_edge_needs_no_more() -> None:
    t = template((Edge(1),), (Edge(2, guard=A), Edge(3)), (Edge(1, effects=(LOAD,)),), ())
    assert step_boundaries(t, {(2, 0)}) == {0, 2}


def test_a_cycle_through_the_end_of_a_thread_is_none() -> None:
    t = template((Edge(1),), (Edge(2),), (Edge(1, effects=(Exit("exit"),)),))
    assert step_boundaries(t, set()) == {0}


def test_self_loop() -> None:
    assert step_boundaries(template((Edge(1),), (Edge(1),)), set()) == {0, 1}


def test_nested_loops_have_a_boundary_each() -> None:
    t = template((Edge(1),), (Edge(2), Edge(4)), (Edge(3), Edge(1)), (Edge(2),), ())
    assert step_boundaries(t, set()) == {0, 1, 2}


ASSUME = Edge(3, guard=A, kind=GuardKind.ASSUME)
AWAIT = Edge(3, guard=A, kind=GuardKind.AWAIT)


def test_a_write_is_not_taken_back_by_an_assumption_after_it() -> None:
    t = template((Edge(1, effects=(STORE,)),), (Edge(2, effects=(LOCAL,)),), (ASSUME,), ())
    assert step_boundaries(t, {(0, 0)}) == {0, 2}


def test_a_read_may_be_taken_back_by_an_assumption_after_it() -> None:
    t = template((Edge(1, effects=(LOAD,)),), (Edge(2, effects=(LOCAL,)),), (ASSUME,), ())
    assert step_boundaries(t, {(0, 0)}) == {0}


def test_a_write_in_an_atomic_block_is_not_taken_back() -> None:
    t = template(
        (Edge(1),),
        Location((Edge(2, effects=(STORE,)),), atomic=True),
        (ASSUME,),
        (),
    )
    assert step_boundaries(t, {(0, 0), (1, 0)}) == {0, 2}


def test_a_write_that_was_a_step_ago_matters_no_more() -> None:
    t = template(
        (Edge(1, effects=(STORE,)),),
        (Edge(2, effects=(LOAD,)),),
        (ASSUME,),
        (),
    )
    assert step_boundaries(t, {(0, 0), (1, 0)}) == {0, 1}


def test_a_write_is_not_taken_back_by_a_bound() -> None:
    t = chain(STORE, LOCAL, Cut("recursion"))
    assert step_boundaries(t, {(0, 0)}) == {0, 2}


def test_waiting_begins_a_step() -> None:
    t = template((Edge(1, effects=(LOAD,)),), (Edge(2, effects=(LOCAL,)),), (AWAIT,), ())
    assert step_boundaries(t, {(0, 0)}) == {0, 2}
    t = template(
        (Edge(1),), Location((Edge(2, effects=(LOAD,)),), True), Location((AWAIT,), True), ()
    )
    assert step_boundaries(t, {(0, 0), (1, 0)}) == {0}


GUARDS: st.SearchStrategy[Expr] = st.sampled_from((TRUE, A))
EFFECTS: st.SearchStrategy[Effect] = st.sampled_from((LOAD, STORE, LOCAL))


def test_a_write_is_not_taken_back_by_an_overflow() -> None:
    other = Reg("b", INT)
    more = Assign(other, Binary("+", other, Const(1, INT)))
    assert step_boundaries(chain(STORE, LOCAL, more, LOCAL), {(0, 0)}) == {0, 2}
    assert step_boundaries(chain(LOAD, LOCAL, more, LOCAL), {(0, 0)}) == {0}
    small = Assign(A, Binary("+", A, Const(1, INT)))
    assert step_boundaries(chain(STORE, LOCAL, small, LOCAL), {(0, 0)}) == {0}


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Template, set[tuple[int, int]]]:
    """Random templates; entering an atomic location is visible, other edges at random."""
    n = draw(st.integers(1, 9))
    atomic = [False, *(draw(st.booleans()) and draw(st.booleans()) for _ in range(n - 1))]
    locations, visible = [], set()
    for i in range(n):
        edges = []
        for k in range(draw(st.integers(0, 3))):
            ends = draw(st.integers(0, 9)) == 0
            edge = Edge(
                draw(st.integers(0, n - 1)),
                draw(GUARDS),
                draw(st.sampled_from(GuardKind)),
                (draw(EFFECTS), Exit("exit")) if ends else (draw(EFFECTS),),
            )
            if draw(st.integers(0, 3)) == 0 or (not atomic[i] and atomic[edge.target]):
                visible.add((i, k))
            edges.append(edge)
        locations.append(Location(tuple(edges), atomic[i]))
    return template(*locations), visible


@settings(max_examples=examples(120, whole=300), deadline=None)
@given(graphs())
def test_every_cycle_of_non_atomic_locations_has_a_boundary(
    case: tuple[Template, set[tuple[int, int]]],
) -> None:
    t, visible = case
    boundaries = step_boundaries(t, visible)
    rest = nx.DiGraph()
    for i, location in enumerate(t.locations):
        for edge in location.edges:
            if goes_on(edge) and i not in boundaries and edge.target not in boundaries:
                rest.add_edge(i, edge.target)
    for cycle in nx.simple_cycles(rest):
        assert all(t.locations[i].atomic for i in cycle)
    assert not any(t.locations[i].atomic for i in boundaries)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_a_boundary_has_a_reason(case: tuple[Template, set[tuple[int, int]]]) -> None:
    """It is the entry, the source of a visible edge, may stop, or lies on a cycle."""
    t, visible = case
    graph = nx.DiGraph([(i, e.target) for i, loc in enumerate(t.locations) for e in loc.edges])
    for i in step_boundaries(t, visible) - {i for i, _ in visible} - {t.entry}:
        edges = t.locations[i].edges
        stops = any(e.kind is not GuardKind.BRANCH and e.guard != TRUE for e in edges)
        assert stops or any(i == e.target or nx.has_path(graph, e.target, i) for e in edges)
