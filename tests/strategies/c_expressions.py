"""Random C expressions with their meaning: over all integer types, places, side effects, calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis import strategies as st

from tests.strategies.c_values import (
    COMPARISONS,
    EVERYTHING,
    Arithmetic,
    Env,
    Expr,
    IntType,
    Place,
    clash,
)

T = TypeVar("T")
ALL = frozenset({EVERYTHING})


@dataclass(frozen=True)
class Parameter:
    kind: str  # value, pointer, struct
    name: str
    type: IntType


@dataclass(frozen=True)
class Function:
    name: str
    result: IntType
    parameters: tuple[Parameter, ...]
    lines: tuple[str, ...]
    call: Callable[..., int]


@dataclass
class Scope:
    """What is in scope, by name: mutable while a function is generated."""

    scalars: dict[str, IntType] = field(default_factory=dict)
    arrays: dict[str, tuple[IntType, int]] = field(default_factory=dict)
    matrices: dict[str, IntType] = field(default_factory=dict)
    structs: list[str] = field(default_factory=list)
    pointers: dict[str, IntType] = field(default_factory=dict)
    struct_pointers: list[str] = field(default_factory=list)
    busy: frozenset[str] = frozenset()  # loop counters

    def inner(self) -> Scope:
        return Scope(
            dict(self.scalars), dict(self.arrays), dict(self.matrices), list(self.structs),
            dict(self.pointers), list(self.struct_pointers), self.busy,
        )  # fmt: skip


class Environment(dict[str, Any]):
    """A frame: names that it lacks are global."""

    def __init__(self, outer: Env) -> None:
        super().__init__()
        self.outer = outer

    def __missing__(self, name: str) -> Any:
        return self.outer[name]


def home(env: Env, name: str) -> Env:
    return env if name in env or not isinstance(env, Environment) else env.outer


class ExpressionGenerator:
    """Draws expressions over what is in scope; mutable."""

    def __init__(
        self, draw: Callable[[st.SearchStrategy[Any]], Any], data_models: Sequence[str]
    ) -> None:
        self.draw = draw
        self.data_model = self.pick(data_models)
        self.c = Arithmetic(self.data_model)
        self.functions: list[Function] = []
        self.fields: dict[str, tuple[IntType, int | None]] = {}
        self.scope = Scope()
        self.names = 0
        self.loops = 0
        self.in_loop = self.in_switch = False
        self.result = self.c.int

    # -- choices --------------------------------------------------------------------------------

    def pick(self, options: Sequence[T]) -> T:
        return options[self.draw(st.integers(0, len(options) - 1))]

    def chance(self, percent: int) -> bool:
        """Shrinks to False."""
        return bool(self.draw(st.integers(0, 99)) >= 100 - percent)

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def type(self) -> IntType:
        return self.pick(tuple(self.c.types.values()))

    # -- expressions ----------------------------------------------------------------------------

    def constant(self) -> Expr:
        n = self.draw(
            st.one_of(
                st.integers(-3, 9),
                st.sampled_from((127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1)),
                st.sampled_from((-129, -(2**31) + 1, 2**63 - 1, -(2**63) + 1, 2**64 - 1)),
            )
        )
        return self.c.constant(n, self.pick(("", "u", "ll", "ull")))

    def place(self) -> Place:
        """Somewhere to read or write."""
        s = self.scope
        ways = [kind for kind in ("scalars", "arrays", "matrices", "structs", "pointers",
                                  "struct_pointers") if getattr(s, kind)]  # fmt: skip
        way = self.pick(ways)
        name = self.pick(tuple(getattr(s, way)))
        match way:
            case "scalars":
                return Place(name, s.scalars[name], lambda env: (home(env, name), name), name)
            case "arrays":
                type, length = s.arrays[name]
                i = self.c.index(self.pure(1), length)
                text = self.pick((f"{name}[{i.text}]", f"*({name} + ({i.text}))"))
                return Place(text, type, lambda env: (env[name], i.value(env)), name, i.reads)
            case "matrices":
                i, j = self.c.index(self.pure(1), 2), self.c.index(self.pure(1), 4)
                return Place(
                    f"{name}[{i.text}][{j.text}]",
                    s.matrices[name],
                    lambda env: (env[name][i.value(env)], j.value(env)),
                    name,
                    i.reads | j.reads,
                )
            case "structs" | "struct_pointers":
                member = self.pick(tuple(self.fields))
                type, width = self.fields[member]
                arrow = "." if way == "structs" else "->"
                text = f"{name}{arrow}{member}"
                if way == "structs":
                    return Place(text, type, lambda env: (env[name], member), name, width=width)
                return Place(
                    text,
                    type,
                    lambda env: (env[name], member),
                    EVERYTHING,
                    frozenset({name}),
                    width=width,
                )
            case _:
                text = self.pick((f"*{name}", f"{name}[0]"))
                return Place(
                    text, s.pointers[name], lambda env: env[name], EVERYTHING, frozenset({name})
                )

    def free_place(self) -> Place:
        """Somewhere to write."""
        place = self.place()
        return place if place.root not in self.scope.busy else self.scratch()

    def scratch(self) -> Place:
        return Place(
            "scratch", self.c.int, lambda env: (home(env, "scratch"), "scratch"), "scratch"
        )

    def read(self, place: Place) -> Expr:
        find = place.find

        def value(env: Env) -> int:
            container, key = find(env)
            result: int = container[key]
            return result

        return Expr(
            place.text, self.value_type(place), value, place.reads | {place.root}, place.writes
        )

    def value_type(self, place: Place) -> IntType:
        if place.width is not None and place.width < 32:
            return self.c.int
        return place.type

    def pure(self, depth: int) -> Expr:
        """An expression without side effects."""
        way = self.draw(st.integers(0, 3 if depth <= 0 else 9))
        if way == 0:
            return self.constant()
        if way <= 3:
            return self.read(self.place())
        if way == 4:
            return self.c.cast(self.type(), self.pure(depth - 1))
        if way == 5:
            return self.c.unary(self.pick(("!", "~", "-")), self.pure(depth - 1))
        if way == 6:
            return self.conditional(
                self.pure(depth - 1), self.pure(depth - 1), self.pure(depth - 1)
            )
        if way == 7:
            return self.logical(self.pure(depth - 1), self.pure(depth - 1))
        return self.c.binary(self.operator(), self.pure(depth - 1), self.pure(depth - 1))

    def operator(self) -> str:
        return self.pick(("+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", *sorted(COMPARISONS)))

    def expression(self, depth: int) -> Expr:
        """An expression that may have side effects, in a defined order."""
        way = self.draw(st.integers(0, 11))
        if depth <= 0 or way <= 2:
            return self.pure(depth)
        if way == 3:
            return self.assignment(depth)
        if way == 4:
            return self.compound(depth)
        if way == 5:
            return self.step()
        if way == 6 and self.functions:
            return self.call()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        if way == 7:
            return self.comma(a, b)
        if way == 8:
            return self.logical(a, b)
        if way == 9:
            return self.conditional(a, b, self.expression(depth - 1))
        if way == 10:
            return self.unevaluated(a)
        if clash(a, b):
            b = self.constant()
        return self.c.binary(self.operator(), a, b)

    def unevaluated(self, e: Expr) -> Expr:
        size = self.c.usual(e.type, self.c.int).bits // 8
        return Expr(f"sizeof(({e.text}) + 0)", self.c.size_t, lambda _: size)

    def comma(self, a: Expr, b: Expr) -> Expr:
        def value(env: Env) -> int:
            a.value(env)
            return b.value(env)

        return Expr(f"({a.text}, {b.text})", b.type, value, a.reads | b.reads, a.writes | b.writes)

    def logical(self, a: Expr, b: Expr) -> Expr:
        either = self.chance(50)
        x, y = a.value, b.value

        def value(env: Env) -> int:
            return int(bool(x(env)) or bool(y(env))) if either else int(x(env) and y(env) and 1)

        text = f"({a.text}) {'||' if either else '&&'} ({b.text})"
        return Expr(text, self.c.int, value, a.reads | b.reads, a.writes | b.writes)

    def conditional(self, test: Expr, yes: Expr, no: Expr) -> Expr:
        t = self.c.usual(yes.type, no.type)
        return Expr(
            f"({test.text}) ? ({yes.text}) : ({no.text})",
            t,
            lambda env: t.convert((yes if test.value(env) else no).value(env)),
            test.reads | yes.reads | no.reads,
            test.writes | yes.writes | no.writes,
        )

    def assignment(self, depth: int) -> Expr:
        place = self.free_place()
        if self.functions and not place.reads and self.chance(30):
            e = self.call()
        else:
            e = self.expression(depth - 1)
            roots = {place.root, EVERYTHING}
            through_pointer = place.root == EVERYTHING
            if clash(place, e) or e.writes & roots or (e.writes and through_pointer):
                e = self.constant()
        return self.update(place, "=", e, lambda env, old, new: new)

    def compound(self, depth: int) -> Expr:
        place, e = self.free_place(), self.expression(depth - 1)
        op = self.pick(("+", "-", "^", "|", "&", "*", "<<", ">>", "/", "%"))
        if e.writes:
            e = self.pure(0)
        held = self.value_type(place)
        if op in "+-*":
            if not self.c.fits(held, e.type):
                op = "^"
            else:
                e = self.c.clipped(e, self.c.usual(held, e.type))
                op = op if self.c.fits(held, e.type) else "|"
        if op == "<<" and self.c.promoted(held).signed:
            op = ">>"
        if op in ("<<", ">>"):
            e = self.c.masked(e, 7)
            compute = self.c.operator(op, self.c.promoted(held))
        else:
            if op in "/%":
                e = self.c.added(self.c.masked(e, 7), 1)
            compute = self.c.operator(op, self.c.usual(held, e.type))
        return self.update(place, f"{op}=", e, lambda env, old, new: compute(old, new))

    def update(
        self, place: Place, op: str, e: Expr, compute: Callable[[Env, int, int], int]
    ) -> Expr:
        def value(env: Env) -> int:
            operand = e.value(env)
            container, key = place.find(env)
            container[key] = place.stored(compute(env, container[key], operand))
            result: int = container[key]
            return result

        return Expr(
            f"({place.text} {op} {e.text})",
            self.value_type(place),
            value,
            place.reads | e.reads | {place.root},
            place.writes | e.writes | {place.root},
        )

    def step(self) -> Expr:
        place = self.free_place()
        held = self.value_type(place)
        if self.c.promoted(held).signed and held.bits >= 32 and place.width is None:
            place = self.scratch_char()
        after, delta = self.chance(50), self.pick((1, -1))
        sign = "++" if delta == 1 else "--"

        def value(env: Env) -> int:
            container, key = place.find(env)
            old: int = container[key]
            container[key] = place.stored(old + delta)
            return old if after else int(container[key])

        text = f"({place.text}){sign}" if after else f"{sign}({place.text})"
        own = frozenset({place.root})
        return Expr(text, self.value_type(place), value, place.reads | own, place.writes | own)

    def scratch_char(self) -> Place:
        name = "tiny"
        type = self.c.types["signed char"]
        return Place(name, type, lambda env: (home(env, name), name), name)

    def call(self) -> Expr:
        f = self.pick(tuple(self.functions))
        texts, values = [], []
        used: list[Expr] = []
        copies = any(p.kind == "struct" for p in f.parameters)
        for p in f.parameters:
            text, value, e = self.argument(p, self.pure if copies else self.expression)
            if any(clash(e, other) for other in used):
                e = self.constant()
                text, value = e.text, e.value
            used.append(e)
            texts.append(text)
            values.append((p, value))

        def run(env: Env) -> int:
            return f.call(*(_passed(p, v(env)) for p, v in values))

        return Expr(f"{f.name}({', '.join(texts)})", f.result, run, ALL, ALL)

    def argument(
        self, p: Parameter, expression: Callable[[int], Expr]
    ) -> tuple[str, Callable[[Env], Any], Expr]:
        if p.kind == "value":
            e = expression(1)
            return e.text, e.value, e
        nothing = self.c.constant(0)
        if p.kind == "struct":
            name = self.pick(tuple(self.scope.structs))
            return name, lambda env: dict(env[name]), nothing
        text, find = self.address(p.type)
        return text, find, nothing

    def address(self, type: IntType) -> tuple[str, Callable[[Env], Any]]:
        """Something of a type to point to; every function has a scalar of each."""
        s = self.scope
        options = [n for n, t in s.scalars.items() if t == type and n not in s.busy]
        options += [f"{n}+" for n, (t, _) in s.arrays.items() if t == type]
        name = self.pick(options)
        if name.endswith("+"):
            array, i = name[:-1], self.draw(st.integers(0, 3))
            return f"&{array}[{i}]", lambda env: (env[array], i)
        return f"&{name}", lambda env: (home(env, name), name)


def _passed(p: Parameter, value: Any) -> Any:
    return p.type.convert(value) if p.kind == "value" else value
