"""Programs run to their ends: what they print and return is compared, and errors are seen."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from experiments.compilers import Differ, expected, missing
from experiments.csmith_header import header
from experiments.feature_parts import MakePart
from experiments.feature_programs import PARTS, feature_program
from experiments.observed import Answer, Observation, answer
from experiments.suites import Count, general

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#define length "a macro of the program"
int main(int argc, char **argv) {
  unsigned char c = 200;
  printf("%d %5d|%-5d|%05d %+d\n", -7, 42, 42, -42, 3);
  printf("%u %x %X %#x %o %c%c %ld %llu %hhd %%\n", c, c, c, c, c, 'x', 'y', 5L, 6ull, c);
  printf("%s|%6s|%-4s|%.2s\n", "text", "ab", "c", "cut");
  int n = printf("%.3d %s\n", 7, length);
  fprintf(stderr, "not seen %d\n", n);
  puts("put"), putchar('!');
  if (n > 100) abort();
  exit(argc + n);
}
"""
PRINTED = (
    b"-7    42|42   |-0042 +3\n"
    b"200 c8 C8 0xc8 310 xy 5 6 -56 %\n"
    b"text|    ab|c   |cu\n"
    b"007 a macro of the program\n"
    b"put\n!"
)


def said(text: str, status: int, output: bytes, folder: Path) -> Answer:
    return answer(text, Observation(status, output), "LP64", folder / "program.c", 20.0)


def test_what_a_program_prints_and_returns(tmp_path: Path) -> None:
    assert said(PROGRAM, 28, PRINTED, tmp_path).kind == "right"


SHORT = r"""
#include <stdio.h>
int main(void) { printf("%hhd %s\n", 200, "text"); return 28; }
"""


@pytest.mark.parametrize(
    ("status", "output", "kind"),
    [
        (28, b"-56 text\n", "right"),
        (29, b"-56 text\n", "wrong"),
        (28, b"-56 text\n ", "wrong"),
        (28, b"-57 text\n", "wrong"),
        (28, b"", "wrong"),
    ],
)
def test_what_it_does_not(status: int, output: bytes, kind: str, tmp_path: Path) -> None:
    assert said(SHORT, status, output, tmp_path).kind == kind


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ("return 0;", "right", ""),
        ("abort();", "wrong", "reach_error is called"),
        ("_Complex double x = 1; return x != 0;", "refused", "_Complex"),
        ('char *f = "x"; printf(f);', "refused", "output not compared"),
        ("int x; return x;", "undecided", "several outcomes"),
        ("int *p = 0; return *p;", "undecided", "undefined behaviour"),
        ("for (;;) ;", "undecided", ""),
    ],
)
def test_what_else_can_be_said(body: str, kind: str, reason: str, tmp_path: Path) -> None:
    text = f"#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {body} }}\n"
    seconds = 0.5 if "for" in body else 2.0
    its = answer(text, Observation(0, b""), "ILP32", tmp_path / "program.c", seconds)
    assert its.kind == kind and reason in its.reason


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ("assert(x == 2);", 134, "right"),
        ("assert(x == 2);", 0, "wrong"),
        ("assert(x == 1);", 134, "wrong"),
        ('puts("lost"); abort();', 134, "right"),
    ],
)
def test_an_assertion_that_fails_aborts(body: str, status: int, kind: str, tmp_path: Path) -> None:
    text = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    text += f"int main(void) {{ int x = 1; {body} return 0; }}\n"
    assert said(text, status, b"", tmp_path).kind == kind


def test_reasons_are_counted_without_their_details() -> None:
    count = Count()
    count.add(Answer("refused", "call of 'f' at a.c:3:7"))
    count.add(Answer("refused", "call of 'g' at b.c:12:1"))
    count.add(Answer("crash", "Traceback\n  KeyError: 'x'\n"))
    assert count.reasons["refused", "call of '…' at …"] == 2 and count.failed
    assert general("Traceback\nKeyError: 'x'\n") == "KeyError: '…'"


needs_compilers = pytest.mark.skipif(bool(missing()), reason="no compilers to compare with")


@needs_compilers
@pytest.mark.parametrize("make", PARTS)
def test_every_kind_of_part_is_accepted_by_compilers(make: MakePart, tmp_path: Path) -> None:
    file = tmp_path / "part.c"
    file.write_text(feature_program(1, parts=1, kinds=(make,)))
    for compiler in ("gcc", "clang"):
        subprocess.run([compiler, "-w", "-fsyntax-only", str(file)], check=True, timeout=60)


@needs_compilers
def test_a_program_of_features(tmp_path: Path) -> None:
    text = feature_program(3, parts=2)
    file = tmp_path / "program.c"
    file.write_text(text)
    wanted = expected(file, "LP64", ways=(("gcc", "-O0"),))
    assert isinstance(wanted, Observation)
    assert answer(text, wanted, "LP64", file, 30.0).kind == "right"
    wrong = Observation(wanted.status, wanted.output + b"\n")
    assert answer(text, wrong, "LP64", file, 30.0).kind == "wrong"


@needs_compilers
def test_the_functions_of_csmith_are_those_of_compilers(tmp_path: Path) -> None:
    calls = [
        f"safe_{op}_func_{'' if s == 's' else 'u'}int{bits}_t_{s}_{s}"
        for op in ("add", "sub", "mul", "div", "mod")
        for bits in (8, 16, 32, 64)
        for s in "su"
    ]
    values = ("-128", "127", "-1", "0", "3", "2147483647", "(-2147483647 - 1)")
    lines = [
        f"transparent_crc({call}({a}, {b}), 0, 0);"
        for call in calls
        for a in values
        for b in values
    ]
    text = header("\n".join(lines)) + "int main(void) {\n" + "\n".join(lines)
    text += "\nplatform_main_end(0, 0); return 0; }\n"
    file = tmp_path / "safe.c"
    file.write_text(text)
    flags = ("-fsanitize=undefined", "-fno-sanitize-recover")
    assert not isinstance(expected(file, "LP64", flags, (("gcc", "-O1"),)), Differ)
