"""Generated code and the reference agree on every operator, type and conversion."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abpress.ir.expr import (
    ARITHMETIC,
    COMPARISON,
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    Unary,
    registers,
)
from abpress.ir.program import (
    UNDEFINED,
    Assign,
    Edge,
    Exit,
    Location,
    MemoryObject,
    Overflow,
    Program,
    Store,
    Template,
)
from abpress.ir.types import INT, IntType, PtrType, Scalar, scalar_layout
from abpress.result import Soundness
from abpress.semantics.codegen.expressions import Expressions, Value
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.reference_expressions import (
    ReferenceEvaluator,
    SignedOverflow,
    UndefinedBehaviour,
    Unspecified,
)
from tests.sampling import examples, sample
from tests.semantics.outcomes import value_text
from tests.semantics.straight import only_execution

WIDTHS = (8, 16, 32, 64, 256)
INTEGERS = tuple(IntType(bits, signed) for bits in WIDTHS for signed in (False, True))
INDEX = IntType(32, True)


def numbers(type: IntType) -> st.SearchStrategy[int]:
    """Values of the type, mostly near the places where something changes."""
    near = {0, type.minimum, type.maximum, 1 << (type.bits // 2), 4, 8, 31, 32}
    edges = [v + d for v in sorted(near) for d in (-2, -1, 0, 1, 2) if type.contains(v + d)]
    return st.sampled_from(edges) | st.integers(type.minimum, type.maximum)


class Maker:
    """Draws expressions; integer registers get a value when they first occur."""

    def __init__(self, draw: Any, pointer: PtrType) -> None:
        self.draw = draw
        self.pointer = pointer
        self.values: dict[str, Expr] = {}
        self.types: dict[str, Scalar] = {}

    def register(self, type: Scalar, value: Expr) -> Reg:
        name = f"r{len(self.values)}"
        self.values[name], self.types[name] = value, type
        return Reg(name, type)

    def integer(self, type: IntType, depth: int) -> Expr:
        kinds = ["const", "reg", "reg"]
        if depth:
            kinds += ["unary", "binary", "binary", "binary", "convert", "convert"]
            kinds += ["diff"] + ["compare"] * 4 * (type == INT)
        draw, less = self.draw, depth - 1
        match draw(st.sampled_from(kinds)):
            case "const":
                return Const(draw(numbers(type)), type)
            case "reg":
                return self.register(type, Const(draw(numbers(type)), type))
            case "unary":
                return Unary(draw(st.sampled_from("-~")), self.integer(type, less))
            case "binary":
                op = draw(st.sampled_from(sorted(ARITHMETIC)))
                right = draw(st.sampled_from(INTEGERS)) if op in ("<<", ">>") else type
                return Binary(op, self.integer(type, less), self.integer(right, less))
            case "convert":
                return Convert(self.any(less), type)
            case "diff":
                return PtrDiff(self.address(less), self.address(less), type)
            case _:
                op = draw(st.sampled_from(sorted(COMPARISON)))
                if draw(st.integers(0, 3)) == 0:
                    return Compare(op, self.address(less), self.address(less))
                of = draw(st.sampled_from(INTEGERS))
                return Compare(op, self.integer(of, less), self.integer(of, less))

    def address(self, depth: int, constant: bool = False) -> Expr:
        draw, less = self.draw, depth - 1
        kinds = ["const", "addr", "addr", "func"] + ["reg"] * (not constant)
        if depth:
            kinds += ["move", "move", "move", "convert"]
        match draw(st.sampled_from(kinds)):
            case "const":
                return Const(draw(st.sampled_from([0, 1, 7, -1])), self.pointer)
            case "addr":
                name = draw(st.sampled_from("xy"))
                return Addr(name, draw(st.integers(0, 3)), self.pointer)
            case "func":
                return FuncAddr("f", self.pointer)
            case "reg":
                return self.register(self.pointer, self.address(0, constant=True))
            case "convert":
                return Convert(self.any(less), self.pointer)
            case _:
                by = draw(st.sampled_from([INDEX, IntType(32, False), IntType(64, True)]))
                return PtrAdd(self.address(less), self.integer(by, less))

    def any(self, depth: int) -> Expr:
        if self.draw(st.integers(0, 4)) == 0:
            return self.address(depth)
        return self.integer(self.draw(st.sampled_from(INTEGERS)), depth)


@st.composite
def cases(draw: Any) -> tuple[Expr, Maker]:
    """An expression of any type, and the values of its registers."""
    maker = Maker(draw, PtrType(draw(st.sampled_from([4, 8]))))
    return maker.any(draw(st.integers(0, 4))), maker


def program_of(
    e: Expr, maker: Maker, overflow: Overflow, guard: bool = False
) -> tuple[Program, Reg]:
    """A program that stores `e` in the object `out`; or 1 there if `e` holds as a guard."""
    out = Addr("out", 0, maker.pointer)
    result = Reg("result", INT if guard else e.type)
    assigned = tuple(Assign(Reg(n, maker.types[n]), v) for n, v in maker.values.items())
    body: tuple[Edge, ...] = (Edge(2, effects=(Assign(result, e), Store(out, result))),)
    if guard:
        yes = (Assign(result, Const(1, INT)), Store(out, result))
        body = (
            Edge(2, guard=e, effects=yes),
            Edge(2, guard=Compare("==", e, Const(0, e.type))),
        )
    template = Template(
        "main",
        0,
        (
            Location((Edge(1, effects=assigned),)),
            Location(body),
            Location((Edge(2, effects=(Exit("done"),)),)),
        ),
        {**maker.types, "result": result.type},
        {},
    )
    cell = scalar_layout(IntType(8, False))
    objects = {
        "x": MemoryObject("x", cell, (Const(0, IntType(8, False)),)),
        "y": MemoryObject("y", cell, (Const(0, IntType(8, False)),)),
        "out": MemoryObject("out", scalar_layout(result.type), (Const(0, result.type),)),
    }
    program = Program({"main": template}, objects, ("f",), maker.pointer.size, overflow)
    return program, result


def run(program: Program) -> tuple[Any, Soundness]:
    """The content of `out` at the end; what is violated if the execution ends before."""
    soundness = Soundness()
    interpreter = Interpreter(program, soundness=soundness)
    s, ended, violated = only_execution(interpreter)
    if not ended:
        return (violated[-1] if violated else None), soundness
    return interpreter.views.describe(s)["memory"]["out"], soundness


def expected(e: Expr, maker: Maker, overflow: Overflow) -> Any:
    """What the reference says: a value, or the class of what ends the execution."""
    evaluator = ReferenceEvaluator({}, overflow, maker.pointer.size)
    try:
        values = {name: evaluator(value) for name, value in maker.values.items()}
        result = ReferenceEvaluator(values, overflow, maker.pointer.size)(e)
    except (UndefinedBehaviour, SignedOverflow) as end:
        return type(end)
    except Unspecified:
        assume(False)
    if isinstance(e.type, PtrType) and isinstance(result, int):
        assume(not 1 << 32 <= result < 1 << 63)  # an integer that looks like an address
    return value_text(result)


def agrees(outcome: tuple[Any, Soundness], wanted: Any, overflow: Overflow) -> None:
    value, soundness = outcome
    if wanted is UndefinedBehaviour:
        assert value == UNDEFINED
        assert not soundness.complete
    elif wanted is SignedOverflow:
        assert soundness.complete == (overflow is Overflow.END)
        assert value == ("no-overflow" if overflow is Overflow.ERROR else None)
        assert bool(soundness.assumptions) == (overflow is Overflow.END)
    else:
        same = (value in (0, "NULL")) if wanted == 0 else (value == wanted)
        assert same or str(value) == str(wanted)
        assert soundness.complete
        assert not soundness.assumptions


@settings(max_examples=examples(240, whole=600), deadline=None)
@given(cases(), st.sampled_from(Overflow))
def test_values(case: tuple[Expr, Maker], overflow: Overflow) -> None:
    e, maker = case
    assert registers(e) <= set(maker.values)
    wanted = expected(e, maker, overflow)
    program, _ = program_of(e, maker, overflow)
    agrees(run(program), wanted, overflow)


@settings(max_examples=examples(80, whole=200), deadline=None)
@given(cases())
def test_guards(case: tuple[Expr, Maker]) -> None:
    e, maker = case
    wanted = expected(e, maker, Overflow.WRAP)
    if not isinstance(wanted, type):
        wanted = int(wanted != 0)
    program, _ = program_of(e, maker, Overflow.WRAP, guard=True)
    agrees(run(program), wanted, Overflow.WRAP)


def bounded(self: Expressions, e: Expr, address: bool = False) -> Value:
    """`Expressions.value`, in code that looks at every bound that was inferred."""
    v = self.atom(infer(self, e, address))
    if isinstance(e.type, IntType):
        self.out.line(f"assert {v.low} <= {v.source} <= {v.high}, {str(e)!r}")
    return v


infer = Expressions.value


@settings(max_examples=examples(120, whole=300), deadline=None)
@given(cases(), st.sampled_from(Overflow))
def test_inferred_bounds_hold(case: tuple[Expr, Maker], overflow: Overflow) -> None:
    e, maker = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Expressions, "value", bounded)
        agrees(run(program_of(e, maker, overflow)[0]), expected(e, maker, overflow), overflow)


@pytest.mark.parametrize(
    ("type", "op"), sample(tuple(product(INTEGERS, sorted(ARITHMETIC))), 3), ids=str
)
def test_extreme_operands(op: str, type: IntType) -> None:
    values = sorted({v for v in (type.minimum, -1, 0, 1, 7, type.maximum) if type.contains(v)})
    for overflow in Overflow:
        for a in values:
            for b in values:
                maker = Maker(None, PtrType(4))
                left = maker.register(type, Const(a, type))
                right = maker.register(type, Const(b, type))
                for e in (Binary(op, left, right), Binary(op, left, Const(b, type))):
                    program, _ = program_of(e, maker, overflow)
                    agrees(run(program), expected(e, maker, overflow), overflow)


@pytest.mark.parametrize("a", [-7, -1, 0, 1, 7])
@pytest.mark.parametrize("b", [-9, -7, -2, 1, 2, 7, 9])
def test_remainder_as_distance(a: int, b: int) -> None:
    """Bounds of a remainder: of a known dividend, by an unknown divisor, it is not known."""
    maker = Maker(None, PtrType(4))
    e = PtrAdd(
        FuncAddr("f", maker.pointer), Binary("%", Const(a, INT), maker.register(INT, Const(b, INT)))
    )
    program, _ = program_of(e, maker, Overflow.END)
    agrees(run(program), expected(e, maker, Overflow.END), Overflow.END)


def test_deep_expressions_compile() -> None:
    e: Expr = Reg("r", INT)
    for _ in range(300):
        e = Binary("^", e, Const(1, INT))
    maker = Maker(None, PtrType(4))
    maker.values["r"], maker.types["r"] = Const(6, INT), INT
    assert run(program_of(e, maker, Overflow.END)[0])[0] == 6
