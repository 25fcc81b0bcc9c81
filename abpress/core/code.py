"""Code of the native core: operations and their operands, and the assembler that collects them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from abpress.errors import NOWHERE, Position
from abpress.ir.program import Overflow
from abpress.ir.types import SET, SET_BITS, IntType, Scalar
from abpress.semantics.choices import Domain

OPERATIONS: Mapping[str, str] = {
    "CONST": "rk",
    "COPY": "rr",
    "USE": "rd",
    **dict.fromkeys(("ADD", "SUB", "MUL", "DIV", "REM", "AND", "OR", "XOR", "SHL", "SHR"), "rrrt"),
    **dict.fromkeys(("NEG", "NOT"), "rrt"),
    **dict.fromkeys(("EQ", "NE"), "rrr"),
    **dict.fromkeys(("LT", "LE"), "rrrt"),
    "CONVERT": "rrtt",
    "TO_POINTER": "rr",
    "INSPECT": "rt",
    "TOLD_APART": "rr",
    "ORDER": "rr",
    "MOVE": "rrrn",
    "DIFFERENCE": "rrr",
    "LOCAL": "rl",
    "LOAD_CELL": "rsdn",
    "STORE_CELL": "sr",
    "LOAD": "rret",
    "STORE": "rrt",
    "COPY_OBJECT": "rrnn",
    "ENTER": "o",
    "LEAVE": "o",
    "ENTER_LOCAL": "l",
    "LEAVE_LOCAL": "l",
    "UNUSED": "o",
    "UNUSED_LOCAL": "l",
    "ALLOC": "ryrn",
    "FREE": "rn",
    "HOLD": "r",
    "LOSE": "",
    "JUMP_ZERO": "rj",
    "JUMP_OTHER": "rkj",
    "JUMP": "g",
    "GO": "p",
    "BLOCKED": "n",
    "OPEN_NONE": "",
    "OPEN": "rn",
    "OPEN_PICK": "rn",
    "PICK": "rd",
    "PICK_BIT": "rrt",
    "SPAWN": "rmr",
    "JOIN": "rrn",
    "LEFT": "n",
    "FINISH": "rn",
    "EXIT": "n",
    "FAIL": "nn",
    "END": "",
}
"""Operation -> the kinds of its operands; `native/core.h` has the same, in the same order."""

_NUMBERS = {name: k for k, name in enumerate(OPERATIONS)}

UNDEFINED = 0x80005EED5EED5EED - (1 << 64)
"""In the place of a value that is not there (`None` in states of the interpreter)."""

DEAD = 0x8000DEAD0000DEAD - (1 << 64)
"""The content of a cell whose object is not alive."""

TID, SPAWNS, ALLOCATIONS, ARG = range(4)
"""The registers of what every thread has."""


class CannotLower(Exception):
    """The core cannot run the program: the reason, and where it is seen."""

    def __init__(self, reason: str, position: Position = NOWHERE) -> None:
        place = "" if position is NOWHERE else f" at {position.described}"
        super().__init__(f"{reason}{place}")


def signed(bits: int) -> int:
    """64 bits as a number in two's complement."""
    return bits - (1 << 64) if bits >> 63 else bits


def word(value: int | None, type: Scalar | None = None) -> int:
    """A value of a cell or register of a type as a word: numbers of 64 bits by their two's
    complement, and sets of threads, too, as far as all but the low 63 bits are equal."""
    if value is None:
        return UNDEFINED
    if type == SET:
        value -= value >> SET_BITS - 1 << SET_BITS
        if not -(1 << 63) <= value < 1 << 63:
            raise CannotLower("a set of more than 62 threads")
    if not -(1 << 63) <= value < 1 << 64:
        raise CannotLower("a number of more than 64 bits")
    found = signed(value) if value > 0 else value
    if found in (UNDEFINED, DEAD):
        raise CannotLower("a number that the core has a use for")
    return found


def type_word(type: Scalar, overflow: Overflow = Overflow.WRAP) -> int:
    """A scalar type as a word, with what signed overflow does."""
    if not isinstance(type, IntType):
        return 8 * type.size | 1 << 11
    if type.bits not in (8, 16, 32, 64) and (type.bits != SET_BITS or type.signed):
        raise CannotLower(f"integers of {type.bits} bits")
    checked = type.signed and overflow is not Overflow.WRAP
    strict = type.signed and overflow is Overflow.ERROR
    return type.bits | type.signed << 10 | checked << 12 | strict << 13


@dataclass
class CoreAssembler:
    """Collects code. Mutable; `registers` are numbered from 0 on, temporaries behind them."""

    position: Position = NOWHERE
    code: list[list[int]] = field(default_factory=list)
    domains: list[Domain | None] = field(default_factory=list)
    temporary: int = 0
    most: int = 0
    _numbers: dict[tuple[object, ...] | None, int] = field(default_factory=dict)

    def emit(self, name: str, *operands: int) -> int:
        """Adds an instruction, and returns its index."""
        assert len(operands) == len(OPERATIONS[name]), name
        self.code.append([_NUMBERS[name], *operands, *[0] * (4 - len(operands))])
        return len(self.code) - 1

    def land(self, instruction: int) -> None:
        """Lets a conditional jump lead to what follows."""
        operands = self.code[instruction]
        operands[3 if operands[0] == _NUMBERS["JUMP_OTHER"] else 2] = len(self.code)

    def new(self) -> int:
        """A register for an intermediate value."""
        self.temporary += 1
        self.most = max(self.most, self.temporary)
        return self.temporary - 1

    def constant(self, value: int, type: Scalar | None = None) -> int:
        """A register that holds a number."""
        register = self.new()
        self.emit("CONST", register, word(value, type))
        return register

    def domain(self, domain: Domain | None) -> int:
        """The number of a domain; without one, a choice among its values is refused."""
        key = None if domain is None else (tuple(domain.values), domain.loss, domain.bounds)
        if key not in self._numbers:
            self._numbers[key] = len(self.domains)
            self.domains.append(domain)
        return self._numbers[key]

    def refuse(self, reason: str) -> CannotLower:
        """Why the program is not lowered, because of what stands here."""
        return CannotLower(reason, self.position)
