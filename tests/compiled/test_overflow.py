"""no-overflow against UBSan: what the sanitizer of a compiler reports, the model has, and no more.

Each case is one statement over a few variables with known values. A case whose first report is
about something else (a division by zero, a negative left operand, an amount that is too large) says
nothing about overflow, and is left out.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from tests.compiled.machine import links
from tests.semantics.straight import only_execution

TYPES = {
    "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32,
    "unsigned": 32, "long long": 64, "unsigned long long": 64,
}  # fmt: skip
FLAGS = (
    *("-w", "-std=gnu11", "-O0"),
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero",
)
OVERFLOW = re.compile(
    r"signed integer overflow|negation of|cannot be represented in type|division of .* by -1"
)
OTHER = re.compile(r"division by zero|shift exponent|left shift of negative")


def statement(random: Random) -> str:
    """Declarations of a, b, c with values near the ends of their types, and one statement."""
    lines = []
    for name in "abc":
        type = random.choice(list(TYPES))
        bits = TYPES[type]
        low, high = (
            (0, 2**bits - 1) if "unsigned" in type else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        )
        value = random.choice(
            [low, low + 1, high, high - 1, high // 2, 0, 1, 2, 3, random.randint(low, high)]
        )
        text = f"({value + 1}ll - 1)" if value < 0 else f"{value}ull"
        lines.append(f"volatile {type} {name} = {text};")
    return "\n    ".join((*lines, expression_statement(random)))


def expression_statement(random: Random) -> str:
    kind = random.randrange(6)
    name = random.choice("abc")
    if kind == 0:
        return f"{random.choice(('++', '--'))}{name};"
    if kind == 1:
        return f"{name}{random.choice(('++', '--'))};"
    if kind == 2:
        op = random.choice(("+=", "-=", "*=", "<<=", "/=", "%="))
        right = f"{amount(random)}" if op == "<<=" else expression(random, 1)
        return f"{name} {op} {right};"
    return f"volatile long long r = {expression(random, 2)};"


def amount(random: Random) -> str:
    return str(random.choice((0, 1, 7, 15, 24, 30, 31)))


def expression(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.2:
        return random.choice(("a", "b", "c", "-1", "1", "2", "2147483647"))
    kind = random.randrange(8)
    if kind == 0:
        return f"(- {expression(random, depth - 1)})"
    if kind == 1:
        return f"(({random.choice(list(TYPES))}){expression(random, depth - 1)})"
    if kind == 2:
        return f"({expression(random, depth - 1)} << {amount(random)})"
    op = random.choice(("+", "-", "*", "/", "%", "+", "-", "*", "&", ">"))
    return f"({expression(random, depth - 1)} {op} {expression(random, depth - 1)})"


def reported(compiler: str, cases: list[str], folder: Path) -> list[bool | None]:
    """Per case whether the sanitizer reports an overflow first; None if something else."""
    body = "\n".join(f"  case {k}: {{\n    {text}\n  }} break;" for k, text in enumerate(cases))
    file, binary = folder / f"{compiler}.c", folder / compiler
    file.write_text(
        "#include <stdlib.h>\nint main(int n, char **v) {\n"
        f"  switch (atoi(v[1])) {{\n{body}\n  }}\n  return 0;\n}}\n"
    )
    command = [compiler, *FLAGS, "-o", str(binary), str(file)]
    subprocess.run(command, check=True, timeout=600, capture_output=True)
    found: list[bool | None] = []
    for k in range(len(cases)):
        run = subprocess.run([str(binary), str(k)], capture_output=True, text=True, timeout=60)
        first = next((x for x in run.stderr.splitlines() if "runtime error" in x), "")
        found.append(None if OTHER.search(first) else bool(first))
        assert not first or OTHER.search(first) or OVERFLOW.search(first), first
    return found


@cache
def violates(text: str, simplified: bool) -> bool:
    """Whether the model of the only execution ends with a violation of no-overflow."""
    whole = f"int main(void) {{\n    {text}\n    return 0;\n}}\n"
    options = ProgramOptions(Path("case.c"), text=whole, data_model="LP64", signed_overflow="error")
    program = load_program(options).program
    _, ended, violated = only_execution(Interpreter(simplify(program) if simplified else program))
    assert ended or violated == ["no-overflow"]
    return not ended


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_what_the_sanitizer_reports_the_model_has(compiler: str, tmp_path: Path) -> None:
    if not links(compiler, *FLAGS):
        pytest.skip(f"no {compiler}, or not its sanitizer")
    check(compiler, 1, 120, tmp_path)


def check(
    compiler: str, seed: int, number: int, folder: Path, draw: Callable[[Random], str] = statement
) -> None:
    """Compares so many random cases."""
    random = Random(seed)
    cases = [draw(random) for _ in range(number)]
    theirs = reported(compiler, cases, folder)
    assert {True, False} <= set(theirs)
    for text, found in zip(cases, theirs, strict=True):
        if found is not None:
            assert violates(text, True) == found, text
            assert violates(text, False) == found, text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("int i = 2147483647; i + 1;", True),
        ("signed char c = 127; c++; c += 1000;", False),
        (
            "_Atomic int i = 2147483647; i++; i += 5; i *= 1000; __atomic_fetch_add(&i, 9, 0);",
            False,
        ),
        ("int i = 2147483647; __atomic_fetch_add(&i, 9, 0); __sync_fetch_and_sub(&i, 99);", False),
        ("int i = 1 << 31;", True),
        ("unsigned i = 1u << 31; i = i * i + 77777; int j = i;", False),
        ("int i = 1 << 30; i <<= 1;", True),
        ("int a[3], *p = a; long i = 1; p = p + i; p = &p[-i];", False),
        ("long long i = 2147483647; i + 1; i * i;", False),
        ("int i = -2147483647 - 1; i = -i;", True),
        ("int i = -2147483647 - 1; i /= -1;", True),
        ("int i = -2147483647 - 1; i %= -1;", True),
        ("int i = 0, a[(1 << 31) < i ? 2 : 1]; switch (i) { case 1 << 31: i = -i; }", True),
    ],
)
def test_what_counts(text: str, found: bool) -> None:
    assert violates(text, True) == found
    assert violates(text, False) == found
