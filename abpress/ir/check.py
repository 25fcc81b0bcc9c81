"""Well-formedness of programs: the rules that `abpress.ir.program` states, checked one by one.

A program that breaks one was built wrongly by the tool itself, so the failure is an assertion.
"""

from __future__ import annotations

from itertools import pairwise

from abpress.ir.expr import (
    ARITHMETIC,
    COMPARISON,
    UNARY,
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Float,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    Unary,
)
from abpress.ir.floats import fits
from abpress.ir.program import (
    ENDING,
    AccessKind,
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Edge,
    Effect,
    Enter,
    Exit,
    Finish,
    Free,
    GuardKind,
    Havoc,
    Join,
    Leave,
    Load,
    Location,
    MemoryObject,
    Program,
    Spawn,
    Store,
    Template,
    effect_operands,
    effect_target,
)
from abpress.ir.types import IntType, Layout, PtrType, Scalar

ON_MEMORY = (Load, Store, Copy, Alloc, Free, Spawn, Join, Finish, Exit)
"""Effects that touch memory or threads; one action outside atomic blocks has at most one."""

AMBIENT = ("$tid", "$arg")


class IllFormed(AssertionError):
    """The program breaks a rule of the program model: an internal error."""


def check(program: Program) -> None:
    """Raises IllFormed, with the place and the rule, when `program` is not well-formed."""
    _require(program.pointer_size > 0, "program", "the pointer size is not positive")
    _require(program.main in program.templates, "program", f"no template '{program.main}'")
    _require(
        len(set(program.functions)) == len(program.functions), "program", "a function stands twice"
    )
    for name, o in program.objects.items():
        _require(name == o.name, f"object '{name}'", f"is called '{o.name}'")
        _check_object(program, o, {}, f"object '{name}'")
    for name, template in program.templates.items():
        _require(name == template.name, f"template '{name}'", f"is called '{template.name}'")
        _TemplateChecker(program, template).check()


def _require(condition: bool, place: str, message: str) -> None:
    if not condition:
        raise IllFormed(f"{place}: {message}")


def _check_type(program: Program, t: Scalar, place: str) -> None:
    if isinstance(t, IntType):
        _require(t.bits > 0 and t.bits % 8 == 0, place, f"{t.bits} bits are not whole bytes")
    else:
        _require(t == program.pointer, place, f"pointer of {t.size} bytes")


def _check_layout(program: Program, layout: Layout, place: str) -> None:
    for cell in layout.cells:
        _check_type(program, cell.type, place)
        _require(cell.offset >= 0, place, f"cell at offset {cell.offset}")
        if cell.users:
            unsigned = isinstance(cell.type, IntType) and not cell.type.signed
            _require(unsigned, place, f"users in a cell of type {cell.type}")
        end = cell.offset + cell.type.size
        _require(end <= layout.size, place, f"the cell at {cell.offset} ends behind the object")
    for a, b in pairwise(layout.cells):
        _require(a.offset + a.type.size <= b.offset, place, f"cells overlap at {b.offset}")


def _check_object(
    program: Program, o: MemoryObject, local: dict[str, MemoryObject], place: str
) -> None:
    _check_layout(program, o.layout, place)
    _require(
        len(o.initial) == len(o.layout.cells),
        place,
        f"{len(o.initial)} initial values for {len(o.layout.cells)} cells",
    )
    for cell, value in zip(o.layout.cells, o.initial, strict=True):
        if value is not None:
            _require(
                value.type == cell.type, place, f"{value} initialises the {cell.type} {cell.path}"
            )
            _check_leaf(program, value, local, place)


def _check_leaf(
    program: Program, e: Const | Addr | FuncAddr, local: dict[str, MemoryObject], place: str
) -> None:
    """Constants are in their type's range; addresses name what exists."""
    _check_type(program, e.type, place)
    match e:
        case Const(value, IntType() as t):
            _require(t.contains(value), place, f"{value} is not of type {t}")
        case Const(value, PtrType(size)):
            _require(0 <= value < 1 << 8 * size, place, f"{value} is not a plain pointer value")
        case Addr(name, offset, _):
            o = local.get(name) or program.objects.get(name)
            _require(o is not None, place, f"there is no object '{name}'")
            assert o is not None
            _require(offset >= 0, place, f"offset {offset} of '{name}' is negative")
        case FuncAddr(name, _):
            _require(name in program.functions, place, f"there is no function '{name}'")


class _TemplateChecker:
    """Checks one template; `_place` is where it is (mutable)."""

    def __init__(self, program: Program, template: Template) -> None:
        self._program = program
        self._template = template
        self._locals = dict(template.locals)
        self._place = f"template '{template.name}'"

    def check(self) -> None:
        template, program = self._template, self._program
        self._require(0 <= template.entry < len(template.locations), "no entry location")
        self._require(not template.locations[template.entry].atomic, "the entry is atomic")
        ambient = {"$tid": program.thread_id, "$arg": program.pointer}
        for name, t in template.registers.items():
            _check_type(program, t, f"{self._place} register '{name}'")
            if name in ambient:
                self._require(t == ambient[name], f"'{name}' has type {t}")
        for name, o in template.locals.items():
            place = f"{self._place} local '{name}'"
            _require(name == o.name, place, f"is called '{o.name}'")
            _require(name not in program.objects, place, "a static object has this name")
            _check_object(program, o, self._locals, place)
        for i, location in enumerate(template.locations):
            self._place = f"template '{template.name}' L{i}"
            self._location(location)
            for k, edge in enumerate(location.edges):
                self._place = f"template '{template.name}' L{i} edge {k} ({edge.position})"
                self._edge(edge, location.atomic)

    def _require(self, condition: bool, message: str) -> None:
        _require(condition, self._place, message)

    def _location(self, location: Location) -> None:
        self._require(bool(location.edges), "has no edge")
        kinds = {edge.kind for edge in location.edges}
        both = {GuardKind.AWAIT, GuardKind.ASSUME} <= kinds
        self._require(not both, "waits at an await and at an assume")

    def _edge(self, edge: Edge, atomic: bool) -> None:
        locations = self._template.locations
        self._require(0 <= edge.target < len(locations), f"no location L{edge.target}")
        self._require(isinstance(self._type(edge.guard), IntType), "the guard is not an integer")
        for effect in edge.effects[:-1]:
            self._require(not isinstance(effect, ENDING), f"{effect} is not the last effect")
        for effect in edge.effects:
            self._effect(effect)
        touching = sum(isinstance(e, ON_MEMORY) for e in edge.effects)  # NOTE(granularity)
        if not (atomic and locations[edge.target].atomic):
            self._require(touching <= 1, f"{touching} effects touch memory or threads")
        accesses = any(isinstance(e, Load | Store | Copy) for e in edge.effects)
        plain = edge.access is AccessKind.PLAIN
        self._require(accesses or plain, f"an {edge.access.value} without an access")

    def _effect(self, effect: Effect) -> None:
        target = effect_target(effect)
        if target is not None:
            self._type(target)
            self._require(target.name not in AMBIENT, f"assigns to '{target.name}'")
        types = tuple(map(self._type, effect_operands(effect)))
        pointer = self._program.pointer
        match effect:
            case Assign(Reg(name, t), _):
                self._require(types[0] == t, f"'{name}' of type {t} := value of type {types[0]}")
            case Load() | Store() | Free():
                self._require(types[0] == pointer, f"address of type {types[0]}")
            case Copy(size=size):
                self._require(types == (pointer, pointer), "copies between non-pointers")
                self._require(size > 0, f"copies {size} bytes")
            case Havoc(Reg(_, t), _, low, high):
                self._havoc(t, low, high)
            case ChooseBit(Reg(_, t), _):
                integer = isinstance(t, IntType) and types[0] == t
                self._require(integer, f"chooses a {t} from a {types[0]}")
            case Enter(name) | Leave(name):
                self._require(name in self._locals, f"'{name}' is no local object")
            case Alloc(Reg(_, t), element, _, _, _):
                self._require(t == pointer, f"allocates into a {t}")
                self._require(isinstance(types[0], IntType), f"count of type {types[0]}")
                _check_layout(self._program, element, self._place)
            case Spawn(Reg(_, t), name, _):
                self._require(name in self._program.templates, f"no template '{name}'")
                self._require(t == self._program.thread_id, f"thread id of type {t}")
                self._require(types[0] == pointer, f"argument of type {types[0]}")
            case Join(Reg(_, t), _):
                self._require(types[0] == self._program.thread_id, f"joins a {types[0]}")
                self._require(t == pointer, f"joins into a {t}")
            case Finish():
                self._require(types[0] == pointer, f"result of type {types[0]}")
            case _:
                pass

    def _havoc(self, t: Scalar, low: int | None, high: int | None) -> None:
        for bound in (low, high):
            inside = bound is None or (isinstance(t, IntType) and t.contains(bound))
            self._require(inside, f"the bound {bound} is not of type {t}")
        if low is not None and high is not None:
            self._require(low <= high, f"nothing is between {low} and {high}")

    def _type(self, e: Expr) -> Scalar:
        """The type of `e`, whose operands are checked."""
        match e:
            case Const() | Addr() | FuncAddr():
                _check_leaf(self._program, e, self._locals, self._place)
            case Reg(name, t):
                declared = self._template.registers.get(name)
                self._require(declared is not None, f"register '{name}' is not declared")
                self._require(declared == t, f"'{name}' is a {declared}, not a {t}")
            case Unary(op, a):
                self._require(op in UNARY, f"no unary operator '{op}'")
                self._require(isinstance(self._type(a), IntType), f"'{op}' of a pointer")
            case Binary(op, a, b):
                left, right = self._type(a), self._type(b)
                self._require(op in ARITHMETIC, f"no arithmetic operator '{op}'")
                integers = isinstance(left, IntType) and isinstance(right, IntType)
                same = left == right or op in ("<<", ">>")
                self._require(integers and same, f"{left} {op} {right}")
            case Compare(op, a, b):
                left, right = self._type(a), self._type(b)
                self._require(op in COMPARISON, f"no comparison '{op}'")
                self._require(left == right, f"{left} {op} {right}")
            case Convert(a, t):
                self._type(a)
                _check_type(self._program, t, self._place)
            case PtrAdd(a, b):
                left, right = self._type(a), self._type(b)
                right_types = left == self._program.pointer and isinstance(right, IntType)
                self._require(right_types, f"moves a {left} by a {right}")
            case PtrDiff(a, b, t):
                both = (self._type(a), self._type(b))
                pointers = both == (self._program.pointer,) * 2
                self._require(pointers and isinstance(t, IntType), f"{both[0]} - {both[1]} as {t}")
                _check_type(self._program, t, self._place)
            case Float(op, args, t):
                types = [self._type(a) for a in args]
                self._require(fits(op, types, t), f"{op} of {', '.join(map(str, types))} as {t}")
        return e.type
