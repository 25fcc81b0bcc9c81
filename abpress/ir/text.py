"""The textual form of a program: readable, complete, and read back by `abpress.ir.reader`.

What has a default is left out: the suffix of an `i32` constant, the type of a register where it
is the declared one, the file of a position where it is the first of the file table. Names that
could be taken for something else stand in backquotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from abpress.errors import NOWHERE, Position
from abpress.ir.expr import (
    TRUE,
    Addr,
    Array,
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    Float,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
    Update,
)
from abpress.ir.program import (
    UNDEFINED,
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Cut,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
    Fault,
    Finish,
    Free,
    GuardKind,
    Havoc,
    Initial,
    Join,
    Leave,
    Load,
    MemoryObject,
    Program,
    Spawn,
    Store,
    Template,
)
from abpress.ir.types import INT, Layout, PtrType, Scalar

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "program pointer overflow from file function object readonly local template entry register "
        "atomic atomic_access section_access library_access exposed_access when await assume do "
        "any bit copy enter leave automatic alloc zeroed free "
        "spawn join finish exit fail cut fault",
    )
)
_PLAIN = re.compile(r"(?:[A-Za-z_$][\w$]*|%\d+)(?:#\d+|\.[A-Za-z_]\w*|\[\d+\])*")
_TAKEN = re.compile(r"L\d+|[iu]\d+|ptr\d*")
GUARD_WORDS = {GuardKind.BRANCH: "when", GuardKind.AWAIT: "await", GuardKind.ASSUME: "assume"}


def format_program(program: Program) -> str:
    """The program as text; `parse_program` of it is equal to `program`, positions included."""
    return "\n".join(Printer(program).program()) + "\n"


def quoted_name(name: str) -> str:
    """The name, in backquotes if it is not plain."""
    if _PLAIN.fullmatch(name) and not _TAKEN.fullmatch(name) and name not in KEYWORDS:
        return name
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`").replace("\n", "\\n") + "`"


class Writer:
    """Writes expressions and effects. `registers` are declared types; without them none differ."""

    def __init__(self, pointer_size: int, registers: Mapping[str, Scalar] | None = None) -> None:
        self._pointer_size = pointer_size
        self._registers = registers

    def type(self, t: Scalar) -> str:
        """The name of a type."""
        if isinstance(t, PtrType) and t.size != self._pointer_size:
            return f"ptr{t.size}"
        return str(t)

    def expr(self, e: Expr) -> str:
        """`e` where it stands alone."""
        match e:
            case Binary(op, a, b) | Compare(op, a, b):
                return f"{self.atom(a)} {op} {self.atom(b)}"
            case PtrAdd(a, b):
                return f"{self.atom(a)} + {self.atom(b)}"
            case PtrDiff(a, b, t):
                return f"{self.atom(a)} -{t} {self.atom(b)}"
            case _:
                return self.atom(e)

    def atom(self, e: Expr) -> str:
        """`e` where an operand may stand."""
        match e:
            case Const(value, t):
                return str(value) if t == INT else f"{value}{self.type(t)}"
            case Reg(name, t):
                declared = self._registers.get(name, t) if self._registers is not None else t
                return quoted_name(name) if t == declared else f"{quoted_name(name)}:{self.type(t)}"
            case Addr(name, offset, _):
                return f"&{quoted_name(name)}+{offset}" if offset else f"&{quoted_name(name)}"
            case FuncAddr(name, _):
                return f"&{quoted_name(name)}()"
            case Unary(op, a):
                return f"{op}({self.expr(a)})"
            case Convert(a, t):
                return f"{self.type(t)}({self.expr(a)})"
            case Float(op, args, t):
                return f"float.{op}.{t}({', '.join(map(self.expr, args))})"
            case Select(array, index):
                return f"select({self.array(array)}, {self.expr(index)})"
            case SameArray(left, right):
                return f"same({self.array(left)}, {self.array(right)})"
            case _:
                return f"({self.expr(e)})"

    def array(self, array: Array) -> str:
        """An array of a formula."""
        match array:
            case ArrayReg(name, element):
                return f"{quoted_name(name)}:{element}[]"
            case Filled(default, others, element):
                rest = "".join(f", {index}: {number}" for index, number in others)
                return f"{element}[]({default}{rest})"
            case Update(of, index, value):
                return f"update({self.array(of)}, {self.expr(index)}, {self.expr(value)})"

    def effect(self, effect: Effect) -> str:
        """An effect, without what stands around it in its action."""
        match effect:
            case Assign(r, value):
                return f"{self.atom(r)} := {self.expr(value)}"
            case Load(r, address):
                return f"{self.atom(r)} := *{self.atom(address)}"
            case Store(address, value):
                return f"*{self.atom(address)} := {self.expr(value)}"
            case Copy(target, source, size, moves):
                how = "moving copy" if moves else "copy"
                return f"{how} *{self.atom(target)} := *{self.atom(source)}, {size}"
            case Havoc(r, what, low, high):
                text = f"{self.atom(r)} := any {_string(what)}"
                if low is None and high is None:
                    return text
                return f"{text} [{_bound(low)}, {_bound(high)}]"
            case ChooseBit(r, mask):
                return f"{self.atom(r)} := bit {self.atom(mask)}"
            case Enter(name):
                return f"enter {quoted_name(name)}"
            case Leave(name):
                return f"leave {quoted_name(name)}"
            case Alloc(r, element, count, zeroed, label, automatic):
                return (
                    f"{self.atom(r)} := {'automatic ' if automatic else ''}alloc"
                    f" {self.atom(count)} {self.layout(element)}"
                    f"{' zeroed' if zeroed else ''} {_string(label)}"
                )
            case Free(address, automatic):
                return f"{'automatic ' if automatic else ''}free {self.atom(address)}"
            case Spawn(r, template, argument):
                return f"{self.atom(r)} := spawn {quoted_name(template)} {self.atom(argument)}"
            case Join(r, thread):
                return f"{self.atom(r)} := join {self.atom(thread)}"
            case Finish(result):
                return f"finish {self.atom(result)}"
            case Exit(how):
                return f"exit {_string(how)}"
            case Fail(prop, message):
                return f"fail {_string(prop)} {_string(message)}"
            case Cut(reason):
                return f"cut {_string(reason)}"
            case Fault(kind, property):
                about = "" if property == UNDEFINED else f" {_string(property)}"
                return f"fault {_string(kind)}{about}"

    def guard(self, edge: Edge) -> str:
        """The guard with its keyword, or nothing for an unconditional edge."""
        if edge.guard == TRUE and edge.kind is GuardKind.BRANCH:
            return ""
        return f"{GUARD_WORDS[edge.kind]} {self.expr(edge.guard)}"

    def layout(self, layout: Layout) -> str:
        """`{size: offset type "path", …}`, arrays as `{count * element}` where possible."""
        count = _array_length(layout)
        if count > 1:
            element = _element(layout, count)
            return f"{{{count} * {self.layout(element)}}}"
        cells = [
            f"{c.offset} {self.type(c.type)}"
            + (f" {_string(c.path)}" if c.path else "")
            + (" users" if c.users else "")
            for c in layout.cells
        ]
        return f"{{{layout.size}: {', '.join(cells)}}}" if cells else f"{{{layout.size}:}}"


class Printer:
    """Prints one program, collecting the file table on the way."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._files: dict[str, int] = {}

    def program(self) -> Iterator[str]:
        """The lines of the program."""
        program = self._program
        body = [line for o in program.objects.values() for line in self._object(o, "")]
        for template in program.templates.values():
            body.append("")
            body.extend(self._template(template))
        yield f"program pointer {program.pointer_size} overflow {program.signed_overflow.value}" + (
            "" if program.main == "main" else f" from {quoted_name(program.main)}"
        )
        yield from (f"file {_string(name)}" for name in self._files)
        yield from (f"function {quoted_name(name)}" for name in program.functions)
        yield from body

    def _object(self, o: MemoryObject, indent: str) -> Iterator[str]:
        writer = Writer(self._program.pointer_size)
        values = [
            f"{n} * {text}" if (n := len(list(group))) > 1 else text
            for text, group in groupby(_initial(writer, value) for value in o.initial)
        ]
        yield (
            f"{indent}{'local' if indent else 'object'} {quoted_name(o.name)} "
            f"{writer.layout(o.layout)}{' readonly' if o.readonly else ''}"
            f"{' = ' if values else ''}{', '.join(values)}{self._position(o.position)}"
        )

    def _template(self, template: Template) -> Iterator[str]:
        writer = Writer(self._program.pointer_size, template.registers)
        yield (
            f"template {quoted_name(template.name)} entry L{template.entry}"
            f"{self._position(template.position)}"
        )
        for name, t in template.registers.items():
            yield f"  register {quoted_name(name)}: {writer.type(t)}"
        for o in template.locals.values():
            yield from self._object(o, "  ")
        for i, location in enumerate(template.locations):
            yield f"  L{i}{' atomic' if location.atomic else ''}:"
            yield from (self._edge(writer, edge) for edge in location.edges)

    def _edge(self, writer: Writer, edge: Edge) -> str:
        guard = writer.guard(edge)
        effects = "; ".join(map(writer.effect, edge.effects))
        parts = [
            guard + (" do" if guard and effects else ""),
            effects,
            f"-> L{edge.target}",
            edge.access.value,
        ]
        return "    " + " ".join(filter(None, parts)) + self._position(edge.position)

    def _position(self, position: Position) -> str:
        if position == NOWHERE and not position.stack:
            return ""
        return "  @ " + " / ".join(map(self._place, (*position.stack, position)))

    def _place(self, position: Position) -> str:
        file = self._files.setdefault(position.file, len(self._files))
        function = f" {quoted_name(position.function)}" if position.function else ""
        return f"{f'{file}:' if file else ''}{position.line}:{position.column}{function}"


def _initial(writer: Writer, value: Initial) -> str:
    return "?" if value is None else writer.atom(value)


def _bound(value: int | None) -> str:
    return "_" if value is None else str(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _array_length(layout: Layout) -> int:
    """The number of equal elements that the layout repeats, with their paths; 1 for no array."""
    last = re.match(r"\[(\d+)\]", layout.cells[-1].path) if layout.cells else None
    count = int(last[1]) + 1 if last else 1
    if count == 1 or layout.size % count or len(layout.cells) % count:
        return 1
    repeated = _element(layout, count).repeat(count)
    paths = [c.path for c in repeated.cells] == [c.path for c in layout.cells]
    return count if paths and repeated == layout else 1


def _element(layout: Layout, count: int) -> Layout:
    """The first of `count` elements, if the layout is such an array."""
    first = layout.cells[: len(layout.cells) // count]
    cells = tuple(replace(c, path=c.path.removeprefix("[0]")) for c in first)
    return Layout(layout.size // count, cells)
