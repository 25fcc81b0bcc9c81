"""`asm` statements as statement expressions of GNU C."""

from __future__ import annotations

from abpress_frontend.clean.x86.instructions import ANY, REPEATED, RULES, repeated, time_stamp
from abpress_frontend.clean.x86.operands import WIDTHS, Operand, Writer
from abpress_frontend.clean.x86.template import NotKnown, has_effect, instructions


def translated(template: str, operands: list[Operand]) -> str | None:
    """GNU C that does what an `asm` statement does, a statement expression; `@K@` stands for the
    expression of operand K. None if it is not known what the statement does."""
    try:
        return _translated(template, operands)
    except NotKnown:
        return None


def _translated(template: str, operands: list[Operand]) -> str:
    if any(operand.is_alternative for operand in operands):
        raise NotKnown
    writer = Writer(operands)
    for instruction in instructions(template):
        _write(writer, instruction)
    lines = [*_begin(operands, writer), *_end(operands)]
    return f"({{ {' '.join(_declared(lines))} (void)0; }})" if lines else "(void)0"


_OWN = {
    "__abp_flags": "unsigned long __abp_flags(void);",
    "__abp_set_flags": "void __abp_set_flags(unsigned long);",
    "__abp_atomic_begin": "void __abp_atomic_begin(void);",
    "__abp_atomic_end": "void __abp_atomic_end(void);",
    "__abp_cut": "void __abp_cut(const char *);",
    "__abp_of_processor": "void __abp_of_processor(void);",
    "__abp_called_by_assembly": "unsigned long long __abp_called_by_assembly(void);",
    **{name: f"unsigned {WIDTHS[width]} {name}(void);" for width, name in ANY.items()},
}
"""What the statements may call -> its declaration."""


def _declared(lines: list[str]) -> list[str]:
    """The statements, behind the declarations of what they call."""
    text = " ".join(lines)
    return [line for name, line in _OWN.items() if f"{name}(" in text] + lines


def _begin(operands: list[Operand], writer: Writer) -> list[str]:
    """The operands as they are before the instructions, and these."""
    lines = []
    for index, operand in enumerate(operands):
        if operand.is_memory:
            lines.append(f"__auto_type __abp_a{index} = &(@{index}@);")
        elif operand.matched is not None:
            place = f"__abp_a{operand.matched}"
            if index in writer.moved:
                lines.append(f"__auto_type __abp_a{index} = (@{index}@);")
            else:
                lines.append(f"{place} = (__typeof__({place}))(@{index}@);")
        elif operand.is_output and operand.constraint.startswith("="):
            lines.append(f"__typeof__(@{index}@) __abp_a{index};")
        elif operand.is_output:
            lines.append(f"__typeof__(@{index}@) __abp_a{index} = (@{index}@);")
        else:
            lines.append(f"__auto_type __abp_a{index} = (@{index}@);")
    for index, operand in enumerate(operands):
        if operand.flag:
            writer.lines.append(f"__abp_a{index} = {writer.condition(operand.flag)};")
    return lines + writer.lines


def _end(operands: list[Operand]) -> list[str]:
    return [
        f"@{index}@ = __abp_a{index};"
        for index, operand in enumerate(operands)
        if operand.is_output and not operand.is_memory
    ]


def _write(writer: Writer, instruction: str) -> None:
    if not has_effect(instruction):
        return
    if instruction in ("ud2", "ud2a"):
        writer.lines.append("__builtin_trap();")
        return
    if (flags := _interrupts(writer, instruction)) is not None:
        writer.lines.append(flags)
        return
    if string := REPEATED.fullmatch(instruction):
        repeated(writer, string[1], string[2])
        return
    if instruction == "rdtsc":
        time_stamp(writer)
        return
    if instruction.startswith("call "):
        _call(writer)
        return
    locked = instruction.startswith("lock ")
    word, _, rest = instruction.removeprefix("lock ").partition(" ")
    operands = _operands(rest)
    if word.startswith("set") and not locked and len(operands) == 1:
        target = writer.place(operands[0])
        writer.sized(target, "b")
        writer.lines.append(f"{target.text} = {writer.condition(word[3:])};")
        return
    name, width = (word, "") if word in RULES else (word[:-1], word[-1:])
    if name not in RULES or (width and width not in WIDTHS):
        raise NotKnown
    RULES[name](writer, operands, width, locked)


def _call(writer: Writer) -> None:
    """A function that is defined nowhere: what it leaves in the registers of outputs is arbitrary,
    and it writes no memory if the option says so of such functions."""
    writer.flags.clear()
    registers = [k for k, operand in enumerate(writer.operands) if operand.is_output]
    if any(writer.operands[k].is_memory or writer.operands[k].flag for k in registers):
        raise NotKnown
    called = "__abp_called_by_assembly()"
    if not registers:
        writer.lines.append(f"{called};")
    writer.lines += [f"__abp_a{k} = (__typeof__(__abp_a{k})){called};" for k in registers]


def _operands(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def _interrupts(writer: Writer, instruction: str) -> str | None:
    """What an instruction does to the flag of interrupts of the thread; None for another one."""
    word, _, rest = instruction.partition(" ")
    if word in ("cli", "sti"):
        return f"__abp_set_flags({'0x200' if word == 'sti' else '0'});"
    if word.startswith("pushf"):
        target = writer.place(rest.partition(" ")[2])
        return f"{target.text} = __abp_flags();"
    if word.startswith("push") and " popf" in rest:
        source = writer.place(rest.split()[0])
        return f"__abp_set_flags({source.text});"
    return None
