"""Operands of `asm` statements, and the C that is written of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from abpress_frontend.clean.x86.template import NotKnown

_OPERAND = re.compile(r"%([a-zA-Z]?)(\d+)")
_IMMEDIATE = re.compile(r"\$(-?(?:0x[0-9a-fA-F]+|\d+))")

WIDTHS = {"b": "char", "w": "short", "l": "int", "q": "long long"}
_MODIFIERS = {"b": "b", "w": "w", "k": "l", "q": "q"}


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an `asm` statement: its constraint, and whether it is one of the outputs."""

    constraint: str
    is_output: bool

    @property
    def is_memory(self) -> bool:
        """Whether it is an object in memory, and never in a register."""
        letters = set(self.constraint) - set("=+&%")
        return bool(letters) and letters <= set("moV")

    @property
    def is_alternative(self) -> bool:
        """Whether it has one of several places, of which a compiler chooses one."""
        return self.matched is None and any(c in ",[0123456789" for c in self.constraint)

    @property
    def matched(self) -> int | None:
        """The output whose place it has; None for one with a place of its own."""
        digits = self.constraint.lstrip("%")
        return int(digits) if digits.isdigit() else None

    @property
    def flag(self) -> str:
        """The condition that an output of flags tells; empty for other operands."""
        return self.constraint.removeprefix("=@cc") if self.constraint.startswith("=@cc") else ""


@dataclass(frozen=True, slots=True)
class Place:
    """What an operand of an instruction names: an lvalue of C, and what is known of it."""

    text: str
    index: int | None = None
    in_memory: bool = False
    is_constant: bool = False
    of_processor: bool = False
    width: str = ""

    @property
    def value(self) -> str:
        return f"__atomic_load_n({self.address}, 5)" if self.of_processor else self.text

    @property
    def address(self) -> str:
        return f"&{self.text}"


@dataclass(slots=True)
class Writer:
    """The statements so far, and the flags that the last instruction has left (mutable).

    `flags` has C text for conditions, by their names in `setz` and its kin.
    """

    operands: list[Operand]
    lines: list[str] = field(default_factory=list)
    flags: dict[str, str] = field(default_factory=dict)
    temporaries: int = 0
    moved: set[int] = field(default_factory=set)  # inputs with a variable that goes on

    def new(self, value: str) -> str:
        """A new variable with this value."""
        self.temporaries += 1
        name = f"__abp_t{self.temporaries}"
        self.lines.append(f"__auto_type {name} = {value};")
        return name

    def copy_of(self, place: Place) -> str:
        """A new variable of the type of a place, with its value."""
        self.temporaries += 1
        name = f"__abp_t{self.temporaries}"
        self.lines.append(f"__typeof__({place.text}) {name} = {place.text};")
        return name

    def registers(self, letter: str) -> Place:
        """The operand that is in a register of one letter; raises NotKnown without one."""
        for index, operand in enumerate(self.operands):
            if operand.constraint.lstrip("=+&") == letter and operand.is_output:
                return self.place_of(index)
        raise NotKnown

    def running(self, letter: str) -> str:
        """A variable with what is in a register of one letter, which an instruction moves on: that
        of the input, where an output of another type begins with one."""
        output = self.registers(letter)
        given = [k for k, operand in enumerate(self.operands) if operand.matched == output.index]
        self.moved |= set(given)
        return f"__abp_a{given[0]}" if given else output.text

    def given(self, letter: str) -> Place:
        """The operand in a register of one letter, whether or not it is an output."""
        outputs = any(o.constraint.lstrip("=+&") == letter for o in self.operands if o.is_output)
        return self.registers(letter) if outputs else self.source(letter)

    def source(self, letter: str) -> Place:
        """The operand that is given in a register of one letter; raises NotKnown without one."""
        for index, operand in enumerate(self.operands):
            if operand.constraint == letter and not operand.is_output:
                return self.place_of(index)
        raise NotKnown

    def place_of(self, index: int) -> Place:
        """The place of an operand of the statement."""
        if index >= len(self.operands):
            raise NotKnown
        operand = self.operands[index]
        if operand.matched is not None:
            return self.place_of(operand.matched)
        if operand.is_memory:
            return Place(f"(*__abp_a{index})", index, True)
        constant = set(operand.constraint) <= set("inIJKLMNeZ")
        return Place(f"__abp_a{index}", index, is_constant=constant)

    def place(self, text: str) -> Place:
        """The place that the text of an operand of an instruction names."""
        text = text.strip()
        of_processor = text.startswith(("%%gs:", "%%fs:"))
        if of_processor:
            text = text[len("%%gs:") :]
        if match := _IMMEDIATE.fullmatch(text):
            return Place(match[1], is_constant=True)
        match = _OPERAND.fullmatch(text)
        if match is None:
            raise NotKnown
        place = self.place_of(int(match[2]))
        if match[1] in ("P", "a") or of_processor:
            if not of_processor:
                raise NotKnown
            at = place.text if place.in_memory else f"(*{place.text})"
            self.lines.append("__abp_of_processor();")
            return Place(at, None, True, of_processor=True)
        if match[1] and match[1] not in _MODIFIERS and match[1] != "c":
            raise NotKnown
        width = _MODIFIERS.get(match[1], "")
        return Place(place.text, place.index, place.in_memory, place.is_constant, width=width)

    def sized(self, place: Place, width: str) -> None:
        """Ends executions that come here with an object of another size than the instruction's.

        What stands in cases of other sizes is not reached.
        """
        if width:
            size = "bwlq".index(width)
            other = '__abp_cut("inline assembly with operands of another size");'
            self.lines.append(f"if (sizeof({place.text}) != {1 << size}) {other}")

    def alike(self, one: Place, other: Place, width: str) -> None:
        """Both are of the width; of one size, if the instruction does not say which."""
        if one.is_constant:
            self.sized(other, width)
            return
        for place in (one, other):
            self.sized(place, width)
        if not width:
            other_size = '__abp_cut("inline assembly with operands of different sizes");'
            self.lines.append(f"if (sizeof({one.text}) != sizeof({other.text})) {other_size}")

    def result(self, value: str, width: str, carry: str = "") -> None:
        """Sets the flags of a result."""
        signed = f"(signed {WIDTHS[width]}){value}" if width else value
        self.flags = {"z": f"({value} == 0)", "s": f"({signed} < 0)"}
        if carry:
            self.flags["c"] = carry

    def condition(self, name: str) -> str:
        """The C text of a condition; raises NotKnown if it is not known here."""
        name = _SYNONYMS.get(name, name)
        negated = len(name) > 1 and name.startswith("n")
        flag = name[1:] if negated else name
        if flag not in self.flags:
            raise NotKnown
        return f"!{self.flags[flag]}" if negated else self.flags[flag]


_SYNONYMS = {
    "e": "z", "ne": "nz", "b": "c", "nae": "c", "ae": "nc", "nb": "nc",
    "nge": "l", "ge": "nl", "ng": "le", "g": "nle", "na": "be", "a": "nbe",
}  # fmt: skip
