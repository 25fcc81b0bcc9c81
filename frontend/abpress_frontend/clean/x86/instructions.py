"""What each instruction does, as statements of GNU C."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from abpress_frontend.clean.x86.operands import WIDTHS, Place, Writer
from abpress_frontend.clean.x86.template import NotKnown

Rule = Callable[[Writer, list[str], str, bool], None]
"""Writes what an instruction does: its operands, its width and whether it is locked."""


def _pair(writer: Writer, operands: list[str]) -> tuple[Place, Place]:
    if len(operands) != 2:
        raise NotKnown
    return writer.place(operands[0]), writer.place(operands[1])


def _unsigned(width: str, value: str) -> str:
    if not width:
        raise NotKnown
    return f"(unsigned {WIDTHS[width]})({value})"


def _arithmetic(builtin: str, written: bool = True) -> Rule:
    """`dst = dst op src`, by the builtin, which wraps."""

    def rule(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
        source, target = _pair(writer, operands)
        _update(writer, builtin, target, source, width, locked, written)

    return rule


def _counting(builtin: str) -> Rule:
    """`inc` and `dec`, which leave the carry as it was."""

    def rule(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
        if len(operands) != 1:
            raise NotKnown
        one = Place("1", is_constant=True)
        _update(writer, builtin, writer.place(operands[0]), one, width, locked, True)
        writer.flags.pop("c", None)

    return rule


def _complement(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    if len(operands) != 1:
        raise NotKnown
    flags = writer.flags
    ones = Place("-1", is_constant=True)
    _update(writer, "xor", writer.place(operands[0]), ones, width, locked, True)
    writer.flags = flags


def _update(
    writer: Writer,
    builtin: str,
    target: Place,
    source: Place,
    width: str,
    locked: bool,
    written: bool,
) -> None:
    if target.is_constant or (locked and not target.in_memory):
        raise NotKnown
    width = width or target.width
    writer.sized(target, width)
    value = source.text
    if locked or target.of_processor:
        after = writer.new(f"__atomic_{builtin}_fetch({target.address}, {value}, 5)")
    else:
        after = writer.copy_of(target)
        writer.lines.append(f"__atomic_{builtin}_fetch(&{after}, {value}, 5);")
        if written:
            writer.lines.append(f"{target.text} = {after};")
    carry = ""
    if width and builtin in ("add", "sub"):
        left = after if builtin == "add" else _sum(width, after, value)
        carry = f"({_unsigned(width, left)} < {_unsigned(width, value)})"
    elif builtin not in ("add", "sub"):
        carry = "0"
    writer.result(after, width, carry)


def _sum(width: str, left: str, right: str) -> str:
    return f"{_unsigned(width, left)} + {_unsigned(width, right)}"


def _compare(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    """`cmp right, left`."""
    right, left = _pair(writer, operands)
    writer.sized(left, width)
    a, b = writer.new(left.text), writer.new(right.text)
    writer.flags = {"z": f"({a} == {b})"}
    if width:
        signed = [f"(signed {WIDTHS[width]})({x})" for x in (a, b)]
        unsigned = [_unsigned(width, x) for x in (a, b)]
        writer.flags |= {
            "c": f"({unsigned[0]} < {unsigned[1]})",
            "be": f"({unsigned[0]} <= {unsigned[1]})",
            "l": f"({signed[0]} < {signed[1]})",
            "le": f"({signed[0]} <= {signed[1]})",
        }


def _move(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    source, target = _pair(writer, operands)
    if target.is_constant or locked:
        raise NotKnown
    writer.alike(source, target, width or target.width or source.width)
    if target.of_processor:
        writer.lines.append(f"__atomic_store_n({target.address}, {source.text}, 5);")
    else:
        writer.lines.append(f"{target.text} = {source.value};")


def _exchange(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    """Always one step with memory."""
    one, other = _pair(writer, operands)
    memory, register = (one, other) if one.in_memory else (other, one)
    if register.in_memory or register.is_constant:
        raise NotKnown
    writer.alike(one, other, width or one.width)
    if memory.in_memory:
        new = f"__atomic_exchange_n({memory.address}, {register.text}, 5)"
        writer.lines.append(f"{register.text} = {new};")
    else:
        old = writer.copy_of(memory)
        writer.lines += [f"{memory.text} = {register.text};", f"{register.text} = {old};"]


def _exchange_and_add(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    register, memory = _pair(writer, operands)
    if register.in_memory or not memory.in_memory:
        raise NotKnown
    width = width or register.width
    writer.alike(register, memory, width)
    added = writer.copy_of(register)
    if locked:
        old = f"__atomic_fetch_add({memory.address}, {added}, 5)"
        writer.lines.append(f"{register.text} = {old};")
        after = writer.copy_of(register)
    else:
        writer.lines.append(f"{register.text} = {memory.text};")
        after = writer.copy_of(register)
    writer.lines.append(f"__atomic_add_fetch(&{after}, {added}, 5);")
    if not locked:
        writer.lines.append(f"{memory.text} = {after};")
    carry = f"({_unsigned(width, after)} < {_unsigned(width, added)})" if width else ""
    writer.result(after, width, carry)


def _compare_and_exchange(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    new, memory = _pair(writer, operands)
    expected = writer.registers("a")
    if not memory.in_memory:
        raise NotKnown
    writer.alike(memory, expected, width or new.width)
    if locked or memory.of_processor:
        call = f"__atomic_compare_exchange_n({memory.address}, {expected.address}, {new.text}"
        same = writer.new(f"{call}, 0, 5, 5)")
    else:
        old = writer.copy_of(memory)
        same = writer.new(f"({old} == {expected.text})")
        writer.lines.append(f"if ({same}) {memory.text} = {new.text};")
        writer.lines.append(f"else {expected.text} = {old};")
    writer.flags = {"z": same}


def _compare_and_exchange_pair(
    writer: Writer, operands: list[str], width: str, locked: bool
) -> None:
    """`cmpxchg16b` and `cmpxchg8b`: two words, with d:a and c:b."""
    memory = writer.place(operands[0])
    if len(operands) != 1 or not memory.in_memory or not locked:
        raise NotKnown
    a, d = writer.registers("a").text, writer.registers("d").text
    b, c = writer.source("b").text, writer.source("c").text
    writer.lines.append(
        f"if (sizeof({memory.text}) != sizeof({a}) + sizeof({d}))"
        ' __abp_cut("inline assembly with operands of another size");'
    )
    low, high = (f"(({t} *){memory.address})[{k}]" for k, t in enumerate(_words(a, d)))
    same = writer.new("0")
    writer.lines.append(
        f"__abp_atomic_begin(); if ({low} == {a} && {high} == {d})"
        f" {{ {low} = {b}; {high} = {c}; {same} = 1; }}"
        f" else {{ {a} = {low}; {d} = {high}; }} __abp_atomic_end();"
    )
    writer.flags = {"z": same}


def _words(*values: str) -> list[str]:
    return [f"__typeof__({value})" for value in values]


def _bit(builtin: str) -> Rule:
    """`bt` and its kin: of memory, a bit of the array of words that begins there."""

    def rule(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
        number, base = _pair(writer, operands)
        if number.in_memory or base.is_constant:
            raise NotKnown
        writer.sized(base, width)
        bits = writer.new(f"(long)(8 * sizeof({base.text}))")
        at = writer.new(f"(long)({number.text})")
        word = base.text
        if base.in_memory:
            if base.index is None:
                raise NotKnown
            below = f"(({at} < 0 ? {at} - {bits} + 1 : {at}) / {bits})"
            pointer = writer.new(f"__abp_a{base.index} + {below}")
            word = f"(*{pointer})"
        mask = writer.new(f"1ull << ({at} & ({bits} - 1))")
        if builtin and locked:
            value = f"~{mask}" if builtin == "and" else mask
            old = writer.new(f"__atomic_fetch_{builtin}(&{word}, {value}, 5)")
        else:
            old = writer.new(word)
            if builtin:
                operator = {"or": "|", "and": "& ~", "xor": "^"}[builtin]
                writer.lines.append(f"{word} = {old} {operator} {mask};")
        writer.flags = {"c": f"(({old} & {mask}) != 0)"}

    return rule


def _negated_carry(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    """`sbb r, r`: all bits of the register are the carry."""
    if len(operands) != 2 or operands[0].strip() != operands[1].strip():
        raise NotKnown
    target = writer.place(operands[0])
    writer.sized(target, width)
    writer.lines.append(f"{target.text} = -({writer.condition('c')});")
    writer.flags = {}


def _input_of_port(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    _, target = _pair(writer, operands)
    width = width or target.width
    if target.in_memory or target.is_constant or width not in ANY:
        raise NotKnown
    writer.sized(target, width)
    writer.lines.append(f"{target.text} = {ANY[width]}();")


def _output_of_port(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    source, _ = _pair(writer, operands)
    writer.lines.append(f"(void){source.text};")


def _scan(builtin: str, turned: str) -> Rule:
    """`bsf` and `bsr`: the register stays as it is if no bit is set."""

    def rule(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
        source, target = _pair(writer, operands)
        if target.in_memory:
            raise NotKnown
        writer.sized(source, width)
        mask = f"(~0ull >> (64 - 8 * sizeof({source.text})))"
        bits = writer.new(f"(unsigned long long)({source.text}) & {mask}")
        found = f"{turned}{builtin}({bits})"
        writer.lines.append(f"if ({bits}) {target.text} = {found};")
        writer.flags = {"z": f"({bits} == 0)"}

    return rule


def _swap_bytes(writer: Writer, operands: list[str], width: str, locked: bool) -> None:
    if len(operands) != 1 or width not in ("l", "q"):
        raise NotKnown
    target = writer.place(operands[0])
    writer.sized(target, width)
    bits = 32 if width == "l" else 64
    writer.lines.append(f"{target.text} = __builtin_bswap{bits}({target.text});")


def time_stamp(writer: Writer) -> None:
    """`rdtsc`: any number in the registers d and a; others are as they were."""
    low = f"{ANY['l']}()"
    high = f"sizeof(void *) == 8 ? 0 : {low} + 0ull"  # x86-64 has each of them in one register
    for letter, value in (("a", low), ("d", low), ("A", f"({low} | ({high}) << 32)")):
        if any(o.constraint.lstrip("=+&") == letter for o in writer.operands if o.is_output):
            target = writer.registers(letter).text
            writer.lines.append(f"{target} = (__typeof__({target})){value};")
    writer.flags = {}


def repeated(writer: Writer, what: str, width: str) -> None:
    """`rep ins`, `rep outs`, `rep movs`, `rep stos`: operands in the registers c, D, S and a."""
    size = 1 << "bwlq".index(width)
    letters = {"ins": "D", "outs": "S", "movs": "DS", "stos": "D"}[what]
    count, at = writer.running("c"), [writer.running(letter) for letter in letters]
    first, *others = (f"*(unsigned {WIDTHS[width]} *){a}" for a in at)
    if what == "stos":
        value = writer.given("a").text
        short = f"sizeof({value}) < {size} && ({value}) != 0"
        writer.lines.append(f'if ({short}) __abp_cut("inline assembly that widens an operand");')
        others.append(value)
    elif what == "ins":
        others.append(f"{ANY[width]}()")
    body = f"{first} = {others[0]};" if others else f"(void){first};"
    steps = " ".join(f"{a} = (void *)((char *){a} + {size});" for a in at)
    writer.lines.append(f"while ({count}) {{ {body} {steps} {count}--; }}")
    for letter in f"c{letters}":
        output, moved = writer.registers(letter).text, writer.running(letter)
        if moved != output:
            kept = f"{output} = (__typeof__({output})){moved};"
            if letter != "c":  # of a pointer anything is left in what is too small for it
                lost = f"{output} = (__typeof__({output})){ANY['l']}();"
                kept = f"if (sizeof({output}) == sizeof({moved})) {kept} else {lost}"
            writer.lines.append(kept)
    writer.flags = {}


REPEATED = re.compile(r"rep (?=[^q]*$|movs|stos)(ins|outs|movs|stos)([bwlq])")

ANY = {
    "b": "__VERIFIER_nondet_uchar",
    "w": "__VERIFIER_nondet_ushort",
    "l": "__VERIFIER_nondet_uint",
}

RULES: Mapping[str, Rule] = {
    "add": _arithmetic("add"),
    "sub": _arithmetic("sub"),
    "and": _arithmetic("and"),
    "or": _arithmetic("or"),
    "xor": _arithmetic("xor"),
    "test": _arithmetic("and", written=False),
    "cmp": _compare,
    "inc": _counting("add"),
    "dec": _counting("sub"),
    "not": _complement,
    "mov": _move,
    "xchg": _exchange,
    "xadd": _exchange_and_add,
    "cmpxchg": _compare_and_exchange,
    "cmpxchg8b": _compare_and_exchange_pair,
    "cmpxchg16b": _compare_and_exchange_pair,
    "bt": _bit(""),
    "bts": _bit("or"),
    "btr": _bit("and"),
    "btc": _bit("xor"),
    "sbb": _negated_carry,
    "in": _input_of_port,
    "out": _output_of_port,
    "bsf": _scan("__builtin_ctzll", ""),
    "bsr": _scan("__builtin_clzll", "63 - "),
    "bswap": _swap_bytes,
}
"""Word of an instruction, without the letter of its width -> what it does."""
