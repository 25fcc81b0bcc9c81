"""What texts hold for formats and for strtol and its kin: the models give what glibc gives."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.result import Verdict
from abpress.verify.run import verify

TEXTS = (
    "", " ", " -12 34", "+5,6", "99999999999", "-99999999999999999999", "017", "0x1f 2",
    "08", "-", "a1b 2",
)  # fmt: skip
"""None of them has 0x without a digit behind it, of which ISO C and glibc say different things."""

FORMATS = {
    "%d%d": "int int", "%u,": "unsigned", "%hd%*d": "short", "%hhu": "char", "%ld": "long",
    "%i%i": "int int", "%x": "unsigned", "%3d%1d": "int int",
    "%o%n": "unsigned int", "a%1d%%": "int", " %2s": "text", "%1[a-c+]%c": "text char",
    "%[^0-9]%d": "text int", "%*c%i": "int",
}  # fmt: skip
"""Format -> what its conversions are stored in."""

READERS = (
    "strtol(source, &end, 10)", "strtoul(source, &end, 0)", "atoi(source)",
)  # fmt: skip

HEAD = r"""
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long long ullong;
typedef char text[24];
"""


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that read the text `source`, and the numbers that are there then."""

    statements: str
    numbers: tuple[str, ...]


def scanning(format: str, types: list[str]) -> Block:
    statements, given, numbers = "", "", ["r"]
    for k, type in enumerate(types):
        if type == "text":
            statements += f'text v{k} = "."; '
            given += f", v{k}"
            numbers += [f"v{k}[0]", f"v{k}[1]", f"v{k}[2]"]
        else:
            statements += f"{type} v{k} = 99; "
            given += f", &v{k}"
            numbers.append(f"v{k}")
    return Block(f'{statements} int r = sscanf(source, "{format}"{given});', tuple(numbers))


def blocks() -> list[Block]:
    reads = [
        Block(
            f"char *end = source; errno = 0; ullong v = {reader};", ("v", "end - source", "errno")
        )
        for reader in READERS
    ]
    return [scanning(format, types.split()) for format, types in FORMATS.items()] + reads


def program(treat: Callable[[int, str], str]) -> str:
    """A program in which all blocks read all texts; what follows them is written by `treat`, for
    their number and an array of their numbers. Nothing is done of blocks without a treatment."""
    texts = ", ".join(f'"{text}"' for text in TEXTS)
    functions, calls = "", ""
    for number, block in enumerate(blocks()):
        if treatment := treat(number, "found[n]"):
            found = ", ".join(f"(long long)({n})" for n in block.numbers)
            functions += (
                f"static void f{number}(int k, char *source) {{ {block.statements}\n"
                f"  long long found[] = {{{found}}};\n"
                f"  for (int n = 0; n < {len(block.numbers)}; n++) {{ {treatment} }} }}\n"
            )
            calls += f"    strcpy(source, texts[k]); f{number}(k, source);\n"
    return (
        f"{HEAD}static const char *texts[] = {{{texts}}};\n{functions}int main(void) {{\n"
        f"  char source[24];\n  for (int k = 0; k < {len(TEXTS)}; k++) {{\n{calls}  }}\n"
        "  return 0;\n}\n"
    )


def compiled(folder: Path) -> dict[int, list[int]]:
    """What the compiled program finds: the number of a block -> its numbers, text by text."""
    file = folder / "compiled.c"
    file.write_text(program(lambda block, n: f'printf("{block} %lld\\n", {n});'))
    subprocess.run(["gcc", "-w", "-o", folder / "compiled", file], check=True)
    run = subprocess.run([folder / "compiled"], check=True, capture_output=True, text=True)
    found: dict[int, list[int]] = {}
    for line in run.stdout.splitlines():
        block, number = line.split()
        found.setdefault(int(block), []).append(int(number))
    return found


def answer(folder: Path, found: dict[int, list[int]]) -> Verdict:
    """Whether the models find the same."""
    tables = "".join(
        f"static const long long t{block}[] = {{{', '.join(map(written, numbers))}}};\n"
        for block, numbers in found.items()
    )
    widths = {number: len(block.numbers) for number, block in enumerate(blocks())}
    text = program(
        lambda block, n: (
            f"assert({n} == t{block}[{widths[block]} * k + n]);" if block in found else ""
        )
    )
    file = folder / "models.c"
    file.write_text(text.replace("static const char *", f"{tables}static const char *", 1))
    command = ["verify", str(file), "--property", "unreach-call", "--engine", "explicit"]
    return verify(config_of(build_parser().parse_args(command))).result.verdict


def written(number: int) -> str:
    return f"{number}ll" if number > -(2**63) else f"({number + 1}ll - 1)"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler")
def test_models_find_what_compiled_code_finds(tmp_path: Path) -> None:
    found = compiled(tmp_path)
    assert sum(map(len, found.values())) > 300
    assert answer(tmp_path, found) is Verdict.TRUE
    found[0][-1] += 1
    assert answer(tmp_path, {0: found[0]}) is Verdict.FALSE
