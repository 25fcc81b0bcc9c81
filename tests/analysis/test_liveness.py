"""Liveness of registers: by example, and against its definition on random graphs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.analysis.live_registers import live_registers
from abpress.ir.expr import Addr, Binary, Compare, Const, Expr, Reg, registers
from abpress.ir.program import (
    Alloc,
    Assign,
    Cut,
    Edge,
    Effect,
    Exit,
    Finish,
    Havoc,
    Join,
    Load,
    Location,
    Spawn,
    Store,
    Template,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import INT, IntType, PtrType, Scalar, scalar_layout
from tests.sampling import examples

PTR = PtrType(4)
TID = IntType(32, False)
REGISTERS: dict[str, Scalar] = {"a": INT, "b": INT, "c": INT, "p": PTR, "$arg": PTR, "$tid": TID}
A, B, C = (Reg(name, INT) for name in "abc")
X = Addr("x", 0, PTR)


def template(*locations: tuple[Edge, ...]) -> Template:
    return Template("t", 0, tuple(Location(edges) for edges in locations), REGISTERS, {})


def chain(*effects: Effect) -> Template:
    return template(*((Edge(i + 1, effects=(e,)),) for i, e in enumerate(effects)), ())


def live(t: Template) -> list[str]:
    return [" ".join(sorted(names)) for names in live_registers(t)]


def test_definition_ends_and_use_begins_the_life_of_a_value() -> None:
    t = chain(Assign(A, Const(1, INT)), Assign(B, A), Store(X, B), Exit("exit"))
    assert live(t) == ["", "a", "b", "", ""]


def test_a_register_may_define_itself() -> None:
    t = chain(Assign(A, Binary("+", A, Const(1, INT))), Store(X, A), Exit("exit"))
    assert live(t) == ["a", "a", "", ""]


def test_operands_of_all_kinds_of_effects_are_uses() -> None:
    p = Reg("p", PTR)
    t = chain(
        Load(A, p),
        Alloc(p, scalar_layout(INT), A, True),
        Spawn(B, "t", p),
        Join(p, B),
        Finish(p),
    )
    assert live(t) == ["p", "a", "p", "b", "p", ""]


def test_guards_are_uses_before_the_effects() -> None:
    t = template((Edge(1, guard=A, effects=(Havoc(A), Store(X, A))),), ())
    assert live(t) == ["a", ""]


def test_effects_of_one_edge_are_in_order() -> None:
    t = template((Edge(1, effects=(Assign(A, B), Assign(B, A), Store(X, C))),), (Edge(1, guard=B),))
    assert live(t) == ["b c", "b"]


def test_a_loop_carries_values_around() -> None:
    less = Compare("<", A, B)
    t = template(
        (Edge(1, guard=less), Edge(2)),
        (Edge(0, effects=(Assign(A, Binary("+", A, C)),)),),
        (Edge(2, effects=(Exit("exit"),)),),
    )
    assert live(t) == ["a b c", "a b c", ""]


def test_nothing_lives_after_the_thread_has_ended() -> None:
    t = template((Edge(1, effects=(Cut("bound"),)),), (Edge(0, guard=A),))
    assert live(t)[0] == ""


def test_ambient_registers_are_registers() -> None:
    t = chain(Store(X, Reg("$arg", PTR)), Store(X, Reg("$tid", TID)), Exit("exit"))
    assert live(t) == ["$arg $tid", "$tid", "", ""]


REGS = st.sampled_from((A, B, C))
EXPRS: st.SearchStrategy[Expr] = st.one_of(REGS, st.builds(Binary, st.just("^"), REGS, REGS))
EFFECTS: st.SearchStrategy[Effect] = st.one_of(
    st.builds(Assign, REGS, EXPRS),
    st.builds(Store, st.just(X), EXPRS),
    st.builds(Havoc, REGS),
)
ENDS = st.one_of(st.none(), st.none(), st.builds(Finish, EXPRS))


@st.composite
def templates(draw: st.DrawFn) -> Template:
    n = draw(st.integers(1, 6))

    def edge() -> Edge:
        effects = draw(st.lists(EFFECTS, max_size=2))
        if (end := draw(ENDS)) is not None:
            effects.append(end)
        return Edge(draw(st.integers(0, n - 1)), draw(EXPRS), effects=tuple(effects))

    return template(*(tuple(edge() for _ in range(draw(st.integers(0, 3)))) for _ in range(n)))


def by_paths(t: Template, start: int, name: str) -> bool:
    """The definition: some path reads the register before it defines it."""
    seen, todo = {start}, [start]
    while todo:
        for edge in t.locations[todo.pop()].edges:
            if name in registers(edge.guard):
                return True
            for effect in edge.effects:
                if any(name in registers(e) for e in effect_operands(effect)):
                    return True
                target = effect_target(effect)
                if (target is not None and target.name == name) or isinstance(effect, Finish):
                    break
            else:
                if goes_on(edge) and edge.target not in seen:
                    seen.add(edge.target)
                    todo.append(edge.target)
    return False


@settings(max_examples=examples(80, whole=200), deadline=None)
@given(templates())
def test_a_register_is_live_iff_a_path_reads_it_first(t: Template) -> None:
    for i, names in enumerate(live_registers(t)):
        assert names == {r for r in "abc" if by_paths(t, i, r)}
