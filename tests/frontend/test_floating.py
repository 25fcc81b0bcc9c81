"""Floating-point programs compute what gcc makes of them, and say what is not supported."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.errors import InputError, UnsupportedError
from abpress.ir.passes.pipeline import simplify
from abpress_frontend.load import load_program
from abpress_frontend.lower.floating import EXACT
from tests.frontend.test_differential_sequential import RIGHT, reached
from tests.sampling import sample

TYPES = ("double", "float", "int", "unsigned", "long long", "unsigned char", "long double")
REAL = ("double", "float", "long double")
FUNCTIONS = ("floor", "ceil", "trunc", "round", "rint", "fabs", "sqrtf", "floorf", "rintl")
VALUES = (
    "0.1", "2.5", "-7.25f", "1e30", "3e-40f", "0x1.8p-1060", "16777217", "0x1.000001000001p0f",
    "1.0 / 3", "-0.0", "0.1f", "9007199254740993ll", "4294967295u", "1e-5f", "123456789", "'a'",
    "0.1L", "1e4000L", "0x1p-16440L",
)  # fmt: skip

PRELUDE = """
#include <math.h>
#include <stdarg.h>
#include <string.h>
static unsigned long long sum;
static void note(double x) {
  unsigned long long bits = 7;
  if (x == x)
    memcpy(&bits, &x, sizeof x);
  sum = sum * 1099511628211ull + bits;
}
static void note_float(float x) {
  union { float x; unsigned bits; } u = {x};
  sum = sum * 1099511628211ull + (x == x ? u.bits : 7);
}
static void note_long(long double x) {
  union { long double x; unsigned char bytes[16]; } u = {x};
  for (int i = 0; i < 10; i++)
    sum = sum * 1099511628211ull + (x == x ? u.bytes[i] : 7);
}
static int held(double x) { return x > -1e9 && x < 1e9 ? (int)x : 3; }
static double last(int count, ...) {
  va_list list;
  double x = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    x = va_arg(list, double) - x;
  va_end(list);
  return x;
}
static long double longest(int count, ...) {
  va_list list;
  long double x = 0;
  va_start(list, count);
  while (count-- > 0)
    x = va_arg(list, long double) - x;
  va_end(list);
  return x;
}
static float half(float x) { return x / 2; }
static long double twice(long double x) { return x + x; }
static double table[3] = {0.5, 7, -1e300};
static struct { float f; double d; int i; long double l; } s = {1.5, 2, 3, 0.1L};
"""


class Maker:
    """Makes random statements over variables of each type."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def program(self) -> str:
        pick = self._random.choice
        lines = [f"  {t} v{k} = {pick(VALUES[:8] if t in REAL else ('1', '77', '200'))};"
                 for k, t in enumerate(TYPES)]  # fmt: skip
        lines += [f"  {self.statement()}" for _ in range(25)]
        body = "\n".join(lines)
        return f"{PRELUDE}int main(void) {{\n{body}\n  CHECK(sum)\n}}\n"

    def statement(self) -> str:
        pick, e = self._random.choice, self.real(3)
        k = pick((0, 1, 6))
        return pick(
            (
                f"note({e});",
                f"note_float({e});",
                f"note_long({e});",
                f"s.l = twice({e}); note_long(s.l);",
                f"v{k} = {e};",
                f"v{k} {pick(('+=', '-=', '*=', '/='))} {self.operand(2)};",
                f"{pick(('++', '--'))}v{k};",
                f"v{pick((2, 4))} = held({e});",
                f"v3 = (unsigned)held(fabs({e}));",
                f"v5 = ({e}) {pick(('<', '<=', '>', '>=', '==', '!='))} {self.operand(2)};",
                f"if ({e}) note(v{k}); else sum++;",
                f"table[{pick((0, 1, 2))}] = {e}; note(table[1]);",
                f"s.f = {e}; s.d -= s.f; note(s.d);",
                f"note(last(2, (double)({self.operand(1)} + 0.5f), (double){e}));",
                f"note_long(longest(2, 0.5L + {self.operand(1)}, 1.0L * {e}));",
                f"note(!({e}) ? v0 : half({self.operand(1)}));",
            )
        )

    def operand(self, depth: int) -> str:
        """An expression of any type."""
        pick = self._random.choice
        return self.real(depth) if pick((True, True, False)) else pick(("v2", "v3", "v4", "v5"))

    def real(self, depth: int) -> str:
        pick = self._random.choice
        if depth == 0:
            return pick(("v0", "v1", "table[0]", "s.d", pick(VALUES[:5]), "s.f", "v6", "s.l"))
        inner = depth - 1
        return pick(
            (
                f"({self.real(inner)} {pick('+-*/')} {self.operand(inner)})",
                f"({self.operand(inner)} {pick('+-*/')} {self.real(inner)})",
                f"({pick(REAL)}){self.operand(inner)}",
                f"(- {self.real(inner)})",
                f"{pick(FUNCTIONS)}({self.real(inner)})",
                f"sqrt(fabs({self.real(inner)}))",
                f"sqrtl(fabsl({self.real(inner)}))",
                f"({self.real(inner)} < {self.operand(inner)} ? {self.real(inner)} : v0)",
                f"fmax({self.real(inner)}, {self.real(inner)})",
                f"(isnan({self.real(inner)}) + 2.0 * !!isinf({self.real(inner)}))",
            )
        )


def result(text: str, folder: Path) -> int:
    """What the program computes by gcc."""
    file, binary = folder / "floating.c", folder / "floating"
    printing = text.replace("CHECK(sum)", 'printf("%llu", sum);')
    file.write_text(f"#include <stdio.h>\n{printing}")
    subprocess.run(
        ["gcc", "-w", "-O0", "-o", str(binary), str(file), "-lm"], check=True, timeout=60
    )
    run = subprocess.run([str(binary)], capture_output=True, text=True, timeout=60)
    return int(run.stdout)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compare with")
@pytest.mark.parametrize("seed", sample(range(12), every=3))
def test_programs_compute_what_a_compiler_makes_of_them(seed: int, tmp_path: Path) -> None:
    text = Maker(seed).program()
    expected = result(text, tmp_path)
    check = f"if (sum != {expected}ull) reach_error(); else __VERIFIER_error();"
    file = tmp_path / "random.c"
    declared = "void reach_error(void);\nvoid __VERIFIER_error(void);\n"
    file.write_text(declared + text.replace("CHECK(sum)", check))
    lowered = load_program(ProgramOptions(file, data_model="LP64")).program
    for candidate in (lowered, simplify(lowered)):
        assert reached(candidate) == {RIGHT}, text


def load(text: str, folder: Path) -> list[str]:
    """What is assumed of a program."""
    file = folder / "floating.c"
    file.write_text(text)
    return list(load_program(ProgramOptions(file)).assumptions)


def test_what_is_assumed_is_told_where_there_are_numbers(tmp_path: Path) -> None:
    assert EXACT in load("double x; int main(void) { return x > 1; }", tmp_path)
    assert EXACT not in load("double *x; int main(void) { return x == 0; }", tmp_path)
    shown = "#include <stdio.h>\nint main(void) {{ char b[9]; snprintf(b, 9, {}); return b[0]; }}"
    assert EXACT not in load(shown.format('"%d", 4'), tmp_path)
    assert EXACT in load(shown.format('"%f", 4.5'), tmp_path)
    assert EXACT in load(shown.format('"%g", 4.5'), tmp_path)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("__float128 x; int main(void) { return x > 1; }", "_Float128"),
        ("int fesetround(int x); int main(void) { return fesetround(1); }", "to nearest"),
        ("float _Complex z; int main(void) { z = 1; }", "_Complex"),
    ],
)
def test_what_is_refused(text: str, refused: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=refused):
        load(text, tmp_path)


@pytest.mark.parametrize(
    "expression",
    ["1.5 % 2", "~1.5", "1.5 << 1", "(double)(void *)0", "(void *)1.5", "(&x)[1.0]", "1.5 | 1"],
)
def test_what_c_forbids(expression: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        load(f"int x; int main(void) {{ x = {expression} != 0; }}", tmp_path)
