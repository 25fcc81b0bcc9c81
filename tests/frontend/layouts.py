"""Layouts of types here, and by compilers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from abpress.config import ProgramOptions
from abpress.errors import AbPressError, UnsupportedError
from abpress.ir.expr import Const
from abpress.ir.program import MemoryObject
from abpress_frontend.load import load_program
from tests.strategies.c_layouts import LayoutQuestions

MACHINES = {"ILP32": "-m32", "LP64": "-m64"}
COMPILERS = ("gcc", "clang")
_STANDARD = "-std=gnu11"

Answer = tuple[tuple[int, ...], tuple[bytes, ...]]
"""The values that were asked for, and the bytes of the objects."""


def _table(questions: LayoutQuestions, number: int) -> str:
    values = ", ".join(questions.values)
    return f"{questions.text}unsigned values{number}[] = {{ {values} }};\n"


def ours(questions: LayoutQuestions, data_model: str, folder: Path) -> Answer:
    """What the program model says. Raises UnsupportedError for what is refused."""
    file = folder / "layout.c"
    uses = " ".join(f"(void)&{name};" for name in ("values0", *questions.objects))
    file.write_text(f"{_table(questions, 0)}int main(void) {{ {uses} return 0; }}\n")
    program = load_program(ProgramOptions(file, data_model=data_model)).program
    values = program.objects["values0"].initial
    numbers = tuple(value.value if isinstance(value, Const) else -1 for value in values)
    return numbers, tuple(_bytes(program.objects[name]) for name in questions.objects)


def _bytes(object: MemoryObject) -> bytes:
    """The bytes of an initialised static object."""
    found = bytearray(object.layout.size)
    for cell, value in zip(object.layout.cells, object.initial, strict=True):
        if isinstance(value, Const) and value.value:
            size = cell.type.size
            number = value.value & ((1 << 8 * size) - 1)
            found[cell.offset : cell.offset + size] = number.to_bytes(size, "little")
    return bytes(found)


def compiled(
    questions: Sequence[LayoutQuestions], compiler: str, data_model: str, folder: Path
) -> list[Answer]:
    """What a compiler says of each. Raises AssertionError if it rejects the text."""
    lines = ["#include <stdio.h>\n"]
    main = []
    for k, one in enumerate(questions):
        lines.append(_table(one, k))
        main.append(
            f'for (unsigned i = 0; i < {len(one.values)}; i++) printf("%u ", values{k}[i]);'
            'puts("");'
        )
        for name in one.objects:
            main.append(
                f"for (unsigned i = 0; i < sizeof {name}; i++)"
                f' printf("%02x", ((unsigned char *)&{name})[i]); puts(".");'
            )
    file, binary = folder / "layouts.c", folder / "layouts"
    file.write_text("".join(lines) + "int main(void) {\n" + "\n".join(main) + "\nreturn 0; }\n")
    command = [compiler, _STANDARD, MACHINES[data_model], "-w", str(file), "-o", str(binary)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    output = subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout
    rows = iter(output.splitlines())
    return [
        (
            tuple(map(int, next(rows).split())),
            tuple(bytes.fromhex(next(rows).rstrip(".")) for _ in one.objects),
        )
        for one in questions
    ]


@cache
def works(compiler: str, data_model: str, folder: Path) -> bool:
    """Whether the compiler is there and builds programs for the data model."""
    if shutil.which(compiler) is None:
        return False
    try:
        compiled([LayoutQuestions([], ["1"])], compiler, data_model, folder)
    except (AssertionError, OSError, subprocess.SubprocessError):
        return False
    return True


def disagreement(
    questions: LayoutQuestions, answers: Mapping[str, Answer], data_model: str, folder: Path
) -> str | None:
    """What differs between us and compilers, None if nothing. Raises UnsupportedError for what is
    refused."""
    try:
        mine = ours(questions, data_model, folder)
    except UnsupportedError:
        raise
    except AbPressError as error:
        return f"{data_model}: {error}\n{questions.text}"
    for compiler, theirs in answers.items():
        if mine != theirs:
            different = [
                f"{asked}: {a}, {compiler} says {b}"
                for asked, a, b in zip(
                    [*questions.values, *questions.objects],
                    [*mine[0], *(x.hex() for x in mine[1])],
                    [*theirs[0], *(x.hex() for x in theirs[1])],
                    strict=True,
                )
                if a != b
            ]
            return f"{data_model}:\n" + "\n".join(different) + f"\n{questions.text}"
    return None
