"""Random sequential C programs that know their result: every integer type, side effects, arrays,
structs, bit-fields, pointers, loops, switch, goto, calls.

Text and meaning are made together: each statement is C text and a Python function that executes
it. Nothing is undefined, unsequenced or implementation-defined beyond what all compilers do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.strategies.c_expressions import (
    Environment,
    ExpressionGenerator,
    Function,
    Parameter,
    home,
)
from tests.strategies.c_values import Env, Expr, Place


@dataclass(frozen=True)
class SequentialProgram:
    """C text, with `CHECK(sum)` where its result is known, and the result."""

    text: str
    data_model: str
    result: int


@dataclass(frozen=True)
class Stmt:
    """`run` returns None, or why control leaves: "break", "continue", "out", ("return", value)."""

    lines: tuple[str, ...]
    run: Callable[[Env], Any]


class Generator(ExpressionGenerator):
    """Draws statements, functions and programs."""

    # -- statements -----------------------------------------------------------------------------

    def block(self, size: int, depth: int) -> Stmt:
        outer, self.scope = self.scope, self.scope.inner()
        body = [self.statement(depth) for _ in range(self.draw(st.integers(1, size)))]
        self.scope = outer
        return Stmt(tuple(f"  {line}" for s in body for line in s.lines), sequence(body))

    def statement(self, depth: int) -> Stmt:
        way = self.draw(st.integers(0, 15))
        if way <= 4 or depth <= 0:
            return self.effect()
        if way <= 6:
            return self.declaration()
        if way <= 8:
            return self.condition(depth)
        if way <= 10 and self.loops < 2:
            return self.loop(depth)
        if way == 11:
            return self.switch(depth)
        if way == 12:
            return self.pointing()
        if way == 13 and len(self.scope.structs) > 1:
            return self.struct_assignment()
        if way == 14:
            return self.leaving()
        return self.effect()

    def effect(self) -> Stmt:
        e = self.pick((self.assignment, self.compound, self.expression))(3)
        return Stmt((f"{e.text};",), _discard(e))

    def declaration(self) -> Stmt:
        type, e, name = self.type(), self.expression(2), self.name("x")
        self.scope.scalars[name] = type

        def run(env: Env) -> None:
            env[name] = type.convert(e.value(env))

        return Stmt((f"{type.name} {name} = {e.text};",), run)

    def condition(self, depth: int) -> Stmt:
        test, yes, no = self.expression(2), self.block(2, depth - 1), self.block(2, depth - 1)
        lines = (f"if ({test.text}) {{", *yes.lines, "} else {", *no.lines, "}")
        return Stmt(lines, lambda env: (yes if test.value(env) else no).run(env))

    def loop(self, depth: int) -> Stmt:
        """A loop with a counter of its own, in one of three forms."""
        kind, count, i = self.pick(("for", "while", "do")), self.pick((2, 1, 3)), self.name("i")
        outer, self.scope = self.scope, self.scope.inner()
        self.scope.scalars[i] = self.c.int
        self.scope.busy |= {i}
        flags, self.in_loop, self.in_switch = (self.in_loop, self.in_switch), True, False
        self.loops += 1
        body = self.block(3, depth - 1)
        also = self.expression(1)
        self.loops -= 1
        self.in_loop, self.in_switch = flags
        self.scope = outer

        def run(env: Env) -> Any:
            env[i] = 0
            if kind == "for":
                while env[i] < count:
                    left = body.run(env)
                    if left == "break":
                        break
                    if left is not None and left != "continue":
                        return left
                    also.value(env)
                    env[i] += 1
                return None
            while True:
                if kind == "while":
                    env[i] += 1
                    if not (env[i] <= count and also.value(env) | 1):
                        break
                left = body.run(env)
                if left == "break":
                    break
                if left is not None and left != "continue":
                    return left
                if kind == "do":
                    env[i] += 1
                    if not env[i] < count:
                        break
                    also.value(env)
            return None

        more = f"(({also.text}), 1)"
        match kind:
            case "for":
                head = f"for (int {i} = 0; {i} < {count}; {also.text}, {i}++) {{"
                return Stmt((head, *body.lines, "}"), run)
            case "while":
                head = f"while ({i}++ < {count} && {more}) {{"
                tail = "}"
            case _:
                head = "do {"
                tail = f"}} while (++{i} < {count} && {more});"
        lines = (
            "{",
            f"  int {i} = 0;",
            f"  {head}",
            *(f"  {x}" for x in body.lines),
            f"  {tail}",
            "}",
        )
        return Stmt(lines, run)

    def switch(self, depth: int) -> Stmt:
        subject = self.c.index(self.expression(2), 4)
        flag, self.in_switch = self.in_switch, True
        labels = self.draw(st.permutations(("case 0:", "case 1 ... 2:", "default:", "case 3:")))
        labels = labels[: self.draw(st.integers(1, 4))]
        parts = [self.block(2, depth - 1) for _ in labels]
        self.in_switch = flag
        starts = {}
        for k, label in enumerate(labels):
            values = {"case 0:": (0,), "case 1 ... 2:": (1, 2), "case 3:": (3,)}.get(label, ())
            starts.update(dict.fromkeys(values, k))
        default = labels.index("default:") if "default:" in labels else len(labels)

        def run(env: Env) -> Any:
            start = starts.get(subject.value(env), default)
            left = sequence(parts[start:])(env)
            return None if left == "break" else left

        lines = [f"switch ({subject.text}) {{"]
        for label, part in zip(labels, parts, strict=True):
            lines += [label, "{", *part.lines, "}"]
        return Stmt((*lines, "}"), run)

    def pointing(self) -> Stmt:
        if not self.scope.pointers:
            return self.effect()
        name = self.pick(tuple(self.scope.pointers))
        text, find = self.address(self.scope.pointers[name])
        lasts = "gst" if name.startswith("g") else "gstvp"
        if text[1] not in lasts:
            return self.effect()  # it may go out of scope before the pointer does

        def run(env: Env) -> None:
            home(env, name)[name] = find(env)

        return Stmt((f"{name} = {text};",), run)

    def struct_assignment(self) -> Stmt:
        a, b = self.pick(tuple(self.scope.structs)), self.pick(tuple(self.scope.structs))

        def run(env: Env) -> None:
            env[a].update(env[b])

        return Stmt((f"{a} = {b};",), run)

    def leaving(self) -> Stmt:
        """break, continue, goto or return, under a condition."""
        ways = ["out"]
        ways += ["break"] if self.in_loop or self.in_switch else []
        ways += ["continue"] if self.in_loop else []
        way, test = self.pick(ways), self.expression(1)
        text = "goto out;" if way == "out" else f"{way};"
        return Stmt(
            (f"if ({test.text})", f"  {text}"), lambda env: way if test.value(env) else None
        )

    # -- functions ------------------------------------------------------------------------------

    def variables(self, prefix: str, static: bool) -> tuple[list[str], Callable[[Env], None]]:
        """Declarations of initialised variables of all kinds, and what they do."""
        lines: list[str] = []
        setters: list[Callable[[Env], None]] = []
        s = self.scope
        for _ in range(self.draw(st.integers(1, 3))):
            type, n, name = self.type(), self.constant(), self.name(prefix)
            lines.append(f"{type.name} {name} = {n.text};")
            value = type.convert(n.value({}))
            setters.append(lambda env, name=name, value=value: env.__setitem__(name, value))
            s.scalars[name] = type
        if self.chance(60):
            type, name = self.type(), self.name(prefix + "a")
            given = [self.constant() for _ in range(self.draw(st.integers(1, 4)))]
            lines.append(f"{type.name} {name}[4] = {{{', '.join(e.text for e in given)}}};")
            cells = [type.convert(e.value({})) for e in given] + [0] * (4 - len(given))
            setters.append(lambda env, name=name: env.__setitem__(name, list(cells)))
            s.arrays[name] = (type, 4)
        if self.chance(30):
            t, matrix, k = self.type(), self.name(prefix + "m"), self.draw(st.integers(0, 9))
            lines.append(f"{t.name} {matrix}[2][4] = {{{{1}}, {{[2] = {k}}}}};")
            rows = [[1, 0, 0, 0], [0, 0, t.convert(k), 0]]
            setters.append(lambda env: env.__setitem__(matrix, [list(row) for row in rows]))
            s.matrices[matrix] = t
        if self.chance(60) or not s.structs:
            struct, member = self.name(prefix + "s"), self.pick(tuple(self.fields))
            n, (t, width) = self.constant(), self.fields[member]
            lines.append(f"struct S {struct} = {{.{member} = {n.text}}};")
            held = Place("", t, lambda env: ({}, ""), "", width=width).stored(n.value({}))
            fresh = {**dict.fromkeys(self.fields, 0), member: held}
            setters.append(lambda env: env.__setitem__(struct, dict(fresh)))
            s.structs.append(struct)
        if self.chance(60):
            options = [n for n in s.scalars if n not in s.busy]
            pointer, target = self.name(prefix + "p"), self.pick(options)
            lines.append(f"{s.scalars[target].name} *{pointer} = &{target};")
            setters.append(lambda env: env.__setitem__(pointer, (home(env, target), target)))
            s.pointers[pointer] = s.scalars[target]
        if self.chance(30):
            link, linked = self.name(prefix + "q"), self.pick(tuple(s.structs))
            lines.append(f"struct S *{link} = &{linked};")
            setters.append(lambda env: env.__setitem__(link, env[linked]))
            s.struct_pointers.append(link)
        if static:
            lines = [f"static {line}" for line in lines]

        def run(env: Env) -> None:
            for setter in setters:
                setter(env)

        return lines, run

    def function(self, name: str, parameters: tuple[Parameter, ...], globals: Env) -> Function:
        outer, self.scope = self.scope, self.scope.inner()
        result = self.type()
        for p in parameters:
            match p.kind:
                case "value":
                    self.scope.scalars[p.name] = p.type
                case "pointer":
                    self.scope.pointers[p.name] = p.type
                case _:
                    self.scope.structs.append(p.name)
        declared, setup = self.variables("v", static=False)
        body = self.block(4, 2)
        final = self.expression(2)
        self.scope = outer

        def call(*arguments: Any) -> int:
            env = Environment(globals)
            for p, argument in zip(parameters, arguments, strict=True):
                env[p.name] = argument
            setup(env)
            body.run(env)
            return result.convert(final.value(env))

        lines = [
            f"static {result.name} {name}({', '.join(map(_declared, parameters)) or 'void'}) {{"
        ]
        lines += [f"  {line}" for line in declared]
        lines += [*body.lines, "  goto out;", "out:", f"  return {final.text};", "}"]
        return Function(name, result, parameters, tuple(lines), call)

    def program(self) -> SequentialProgram:
        for k in range(self.draw(st.integers(1, 3))):
            type = self.type()
            width = None
            if self.chance(40):
                width = self.draw(st.integers(1, min(type.bits, 31) if type.rank else 1))
            self.fields[f"m{k}"] = (type, width)
        members = (
            f"  {t.name} {name}{f' : {width}' if width else ''};"
            for name, (t, width) in self.fields.items()
        )
        globals: Env = {"scratch": 0, "tiny": 0}
        lines = ["struct S {", *members, "};", "static int scratch;", "static signed char tiny;"]
        self.scope.scalars.update(scratch=self.c.int, tiny=self.c.types["signed char"])
        declared, setup = self.variables("g", static=True)
        lines += declared
        for k in range(self.draw(st.integers(0, 2))):
            parameters = tuple(self.parameter(f"p{j}") for j in range(self.draw(st.integers(0, 2))))
            function = self.function(f"f{k}", parameters, globals)
            lines += function.lines
            self.functions.append(function)
        main = self.function("run", (), globals)
        total, sums = self.checksum()
        lines += [*main.lines, "int main(void) {", "  unsigned long long sum = run();", *sums]
        lines += ["  CHECK(sum)", "  return 0;", "}", ""]
        setup(globals)
        result = total(globals, main.call())
        return SequentialProgram("\n".join(lines), self.data_model, result)

    def parameter(self, name: str) -> Parameter:
        kind = self.pick(("value", "pointer", "struct"))
        type = self.type()
        if kind == "pointer":  # of a type that there is something of, wherever it is called
            type = self.pick(tuple(self.scope.scalars.values()))
        return Parameter(kind, name, type)

    def checksum(self) -> tuple[Callable[[Env, int], int], list[str]]:
        """Everything global, in one number."""
        s = self.scope
        places: list[tuple[str, Callable[[Env], int]]] = []
        for name in s.scalars:
            places.append((name, lambda env, n=name: env[n]))
        for name, (_, length) in s.arrays.items():
            for i in range(length):
                places.append((f"{name}[{i}]", lambda env, n=name, i=i: env[n][i]))
        for name in s.matrices:
            for i in range(2):
                for j in range(4):
                    places.append((f"{name}[{i}][{j}]", lambda env, n=name, i=i, j=j: env[n][i][j]))
        for name in s.structs:
            for m in self.fields:
                places.append((f"{name}.{m}", lambda env, n=name, m=m: env[n][m]))

        def total(env: Env, start: int) -> int:
            sum = start
            for _, value in places:
                sum = sum * 31 + value(env)
            return sum % (1 << 64)

        return total, [f"  sum = sum * 31 + {text};" for text, _ in places]


def _declared(p: Parameter) -> str:
    return {
        "value": f"{p.type.name} {p.name}",
        "pointer": f"{p.type.name} *{p.name}",
        "struct": f"struct S {p.name}",
    }[p.kind]


def _discard(e: Expr) -> Callable[[Env], None]:
    def run(env: Env) -> None:
        e.value(env)

    return run


def sequence(statements: Sequence[Stmt]) -> Callable[[Env], Any]:
    def run(env: Env) -> Any:
        for statement in statements:
            left = statement.run(env)
            if left is not None:
                return left
        return None

    return run


@st.composite
def sequential_programs(
    draw: Callable[[st.SearchStrategy[Any]], Any], data_models: Sequence[str] = ("ILP32", "LP64")
) -> SequentialProgram:
    """Programs without undefined behaviour, and what they compute."""
    return Generator(draw, data_models).program()
