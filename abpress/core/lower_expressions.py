"""Expressions as code of the native core: as `abpress.semantics.codegen.expressions`, checks in the
same order."""

from __future__ import annotations

from abpress.core.code import CoreAssembler, type_word
from abpress.ir.expr import (
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
from abpress.ir.types import SET_BITS, IntType, PtrType, Scalar
from abpress.semantics.context import Code, Context
from abpress.semantics.inputs import input_domain, is_tried

_ARITHMETIC = {
    "+": "ADD",
    "-": "SUB",
    "*": "MUL",
    "/": "DIV",
    "%": "REM",
    "&": "AND",
    "|": "OR",
    "^": "XOR",
    "<<": "SHL",
    ">>": "SHR",
}
_EQUALITY = {"==": "EQ", "!=": "NE"}
_ORDER = {"<": ("LT", False), "<=": ("LE", False), ">": ("LT", True), ">=": ("LE", True)}
"""Operation, and whether its sides are exchanged."""

MOST_VALUES = 1 << 12
"""Values of a domain that the core knows."""

ARBITRARY_POINTER = -1
"""In the place of a domain: the execution ends, because there is none."""


class CoreExpressions:
    """Lowers the expressions of one template. Mutable: `undefined` are the registers that may hold
    no value at what is lowered next."""

    def __init__(
        self, out: CoreAssembler, context: Context, code: Code, registers: dict[str, int]
    ) -> None:
        self.out = out
        self.context = context
        self.code = code
        self.registers = registers
        self.undefined: frozenset[str] = frozenset()
        self.locals: dict[str, int] = {}

    def choice(
        self,
        type: Scalar,
        what: str,
        low: int | None = None,
        high: int | None = None,
        whole: str | None = None,
        from_memory: bool = False,
    ) -> int:
        """The number of the domain of an arbitrary value, as `Emitter.choose`."""
        if not is_tried(self.context, type, from_memory):
            return ARBITRARY_POINTER
        where = self.out.position.described
        domain = input_domain(self.context, self.code, type, what, where, (low, high), whole)
        few = type.bits <= 64 and len(domain.values) <= MOST_VALUES
        return self.out.domain(domain if few else None)

    def register(self, reg: Reg) -> int:
        """The register, which gets a value here if it has none."""
        register = self.registers[reg.name]
        if reg.name in self.undefined:
            what = f"uninitialised {reg.name.split('#')[0]}"
            self.out.emit("USE", register, self.choice(reg.type, what, whole=reg.name))
            self.undefined -= {reg.name}
        return register

    def value(self, e: Expr, address: bool = False) -> int:
        """The register that holds the value of `e`; with `address`, for use as an address."""
        out = self.out
        match e:
            case Const(n, type):
                return out.constant(self.context.kinds.of(type).wrap(n), type)
            case Reg():
                return self.register(e)
            case Addr(name, offset, _):
                return self._address(name, offset)
            case FuncAddr(name, _):
                return out.constant(self.context.function(name))
            case Unary(op, arg):
                a = self.value(arg)
                found = out.new()
                out.emit("NEG" if op == "-" else "NOT", found, a, self._type(e.type))
                return found
            case Binary(op, left, right):
                a, b = self.value(left), self.value(right)
                found = out.new()
                out.emit(_ARITHMETIC[op], found, a, b, self._type(e.type))
                return found
            case Compare():
                return self._compare(e)
            case Convert(arg, type):
                return self._convert(self.value(arg), arg.type, type)
            case PtrAdd(pointer, distance):
                a, b = self.value(pointer, address), self.value(distance)
                found = out.new()
                out.emit("MOVE", found, a, b, int(address))
                return found
            case PtrDiff(left, right, type):
                a, b = self.value(left), self.value(right)
                found = out.new()
                out.emit("DIFFERENCE", found, a, b)
                signed = type_word(IntType(64, True))
                out.emit("CONVERT", found, found, signed, type_word(type))
                return found
            case Float():
                raise out.refuse("floating-point arithmetic")
        raise out.refuse("an array in a program")

    def _type(self, type: Scalar) -> int:
        return type_word(type, self.context.program.signed_overflow)

    def _address(self, name: str, offset: int) -> int:
        out = self.out
        info = self.context.static(self.code, name)
        if info is not None:
            return out.constant(info.base + offset)
        found = out.new()
        out.emit("LOCAL", found, self.locals[name])
        if offset:
            out.emit("MOVE", found, found, out.constant(offset), 0)
        return found

    def _compare(self, e: Compare) -> int:
        out = self.out
        a, b = self.value(e.left), self.value(e.right)
        found = out.new()
        pointers = isinstance(e.left.type, PtrType)
        if e.op in _EQUALITY:
            if pointers:
                out.emit("TOLD_APART", a, b)
            out.emit(_EQUALITY[e.op], found, a, b)
            return found
        if pointers:
            out.emit("ORDER", a, b)
        name, exchanged = _ORDER[e.op]
        left, right = (b, a) if exchanged else (a, b)
        out.emit(name, found, left, right, type_word(e.left.type))
        return found

    def _convert(self, a: int, of: Scalar, to: Scalar) -> int:
        out = self.out
        if isinstance(to, PtrType) and isinstance(of, PtrType):
            return a
        found = out.new()
        if isinstance(to, PtrType):
            assert isinstance(of, IntType)
            if of.bits >= SET_BITS:
                raise out.refuse("a set of threads used as a pointer")
            if of.bits >= 64:
                out.emit("TO_POINTER", found, a)
                return found
        elif isinstance(of, PtrType):
            out.emit("INSPECT", a, type_word(to))
            of = IntType(64, False)  # an integer of 64 bits may stand in a pointer
        out.emit("CONVERT", found, a, type_word(of), type_word(to))
        return found
