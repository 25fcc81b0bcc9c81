"""Certificates of accesses by numbers of 64 bits, which are compared in a type of their own.

Takes NOTE(valid-accesses) at its word: each wrong program computes an index that wraps, or one with
which the right one would not do, and each changed certificate says more than holds.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.modular.bounds.analysis import find
from abpress.proof.bounds.certificate import (
    BoundsCertificate,
    BoundsStand,
    Difference,
    Rest,
)
from abpress.proof.bounds.check import check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import Rejected
from abpress.verify.load import load

TEXT = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
void assume(int c) { if (!c) abort(); }
int a[10], *heap, sum;
size_t n, count;
long steps;
void *work(void *arg) { %s return 0; }
int main(void) {
  pthread_t t, u;
  %s
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  return 0;
}
"""

UP = "for (size_t i = 0; i < %s; i++) %s;"
OF_N = "n = __VERIFIER_nondet_size_t(); assume(n <= 1000); heap = malloc(n * sizeof *heap);"
OF_INT = "int k = __VERIFIER_nondet_int(); assume(k >= 0); n = k; heap = calloc(n, sizeof *heap);"
OF_UNSIGNED = "unsigned k = __VERIFIER_nondet_uint(); n = k; heap = malloc(k * sizeof *heap);"
SECTION = "__VERIFIER_atomic_begin(); %s __VERIFIER_atomic_end();"
PUSHED = SECTION % "if (count < 10) { a[count] = 1; count++; }"
POPPED = SECTION % "if (count > 0) { count--; sum += a[count]; }"

SAFE = {
    "a number of the text": (UP % ("10", "a[i] = 1"), ""),
    "a global": (UP % ("n", "a[i] = 1"), "n = 10;"),
    "a global that is checked": (
        UP % ("n", "a[i] = 1"),
        "n = __VERIFIER_nondet_size_t(); assume(n <= 10);",
    ),
    "an allocated array": (UP % ("n", "heap[i] = 1"), OF_N),
    "the next element": (UP % ("n", "if (i + 1 < n) heap[i] = heap[i + 1]"), OF_N),
    "an array for an int": (UP % ("n", "heap[i] = 1"), OF_INT),
    "an array for an unsigned": (UP % ("n", "heap[i] = 1"), OF_UNSIGNED),
    "an int as an index": ("for (int i = 0; (size_t)i < n; i++) heap[(size_t)i] = 1;", OF_INT),
    "long, downwards": ("for (long i = 9; i >= 0; i--) a[i] = 1;", ""),
    "downwards, tested first": ("size_t i = 10; while (i > 0) { i--; a[i] = 1; }", ""),
    "a stack": (PUSHED + POPPED, ""),
    "what is left": ("size_t m = 3; if (n >= m) a[n - m] = 1;", "n = 12;"),
    "a ring": ("size_t h = 0; while (1) { a[h] = 1; h = (h + 1) % 10; }", ""),
    "a ring of ints": ("int h = 0; while (1) { a[h] = 1; h = (h + 1) % 10; }", ""),
    "a ring that is tested": ("size_t h = 0; while (1) { a[h] = 1; if (++h == 10) h = 0; }", ""),
    "every second element": ("for (size_t i = 0; i < 10; i += 2) a[i + 1] = 1;", ""),
}

WRONG = {
    "one too many": (UP % ("11", "a[i] = 1"), ""),
    "a global that may be greater": (UP % ("n", "a[i] = 1"), "n = __VERIFIER_nondet_size_t();"),
    "up to the end": (UP % ("n + 1", "heap[i] = 1"), OF_N),
    "the next element of the last": (UP % ("n", "heap[i] = heap[i + 1]"), OF_N),
    "an array that is smaller": (UP % ("n", "heap[i] = 1"), OF_N.replace("n * ", "n / 2 * ")),
    "a size that wraps": (
        UP % ("n", "heap[i] = 1"),
        OF_N.replace("assume(n <= 1000);", ""),
    ),
    "a number that is negative": (
        "int k = (int)steps; for (size_t i = 0; i < (size_t)k; i++) a[i] = 1;",
        "steps = -1;",
    ),
    "long, too far down": ("for (long i = 9; i >= -1; i--) a[i] = 1;", ""),
    "down from what wraps": ("for (size_t i = n - 1; i > 0; i--) a[i] = 1;", "n = 0;"),
    "down without an end": ("for (size_t i = 9; i >= 0; i--) a[i] = 1;", ""),
    "a stack that is not tested": (
        PUSHED + SECTION % "count--; if (count < 11) sum += a[count];",
        "",
    ),
    "what is left wraps": ("size_t m = 13; if (n - m > 0) a[n - m] = 1;", "n = 12;"),
    "a ring that is too large": ("size_t h = 0; while (1) { a[h] = 1; h = (h + 1) % 11; }", ""),
    "a ring that is tested too late": (
        "size_t h = 0; while (1) { a[h] = 1; if (h++ == 10) h = 0; }",
        "",
    ),
    "a ring in steps": ("size_t h = 0; while (1) { a[h] = 1; h += 3; if (h == 10) h = 0; }", ""),
    "the second half": ("size_t i = __VERIFIER_nondet_size_t(); if ((long)i < 10) a[i] = 1;", ""),
    "every second element, too far": ("for (size_t i = 1; i < 10; i += 2) a[i + 1] = 1;", ""),
}


def program_of(parts: tuple[str, str], folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(TEXT % parts)
    return load(Config.of(file, data_model="LP64", property="valid-deref")).program


def certified(program: Program) -> BoundsCertificate:
    found = find(program, Facts.of(program))
    return replace(bounds_certificate(program, found), alarms=())


@pytest.mark.parametrize("name", SAFE)
def test_loops_by_long_numbers_are_proved(name: str, tmp_path: Path) -> None:
    program = program_of(SAFE[name], tmp_path)
    assert not find(program, Facts.of(program)).alarms
    assert check_bounds(program, certified(program)).property == "valid-deref"


@pytest.mark.parametrize("name", WRONG)
def test_long_numbers_that_wrap_or_go_too_far_are_not(name: str, tmp_path: Path) -> None:
    program = program_of(WRONG[name], tmp_path)
    assert find(program, Facts.of(program)).alarms
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(program, certified(program))


@pytest.mark.parametrize("name", ["an allocated array", "a stack", "long, downwards"])
def test_less_than_holds_of_long_numbers_is_rejected(name: str, tmp_path: Path) -> None:
    program = program_of(SAFE[name], tmp_path)
    certificate = certified(program)
    changed = 0
    for at, (first, *others) in certificate.stands.items():
        for n, (x, y, c) in enumerate(first.differences):
            if not {x, y} & {"n@0", "count@0"} and not any(map(_is_index, (x, y))):
                continue
            its = (*first.differences[:n], (x, y, c - 1), *first.differences[n + 1 :])
            stands = {**certificate.stands, at: (replace(first, differences=its), *others)}
            with pytest.raises(Rejected):
                check_bounds(program, replace(certificate, stands=stands))
            changed += 1
    assert changed > 3


def _is_index(name: str) -> bool:
    return name.startswith("i")


def certificate_for(
    program: Program, differences: tuple[Difference, ...] = (), rests: tuple[Rest, ...] = ()
) -> BoundsCertificate:
    """The one that says that much wherever the first thread stands, but where it begins."""
    stand = BoundsStand({}, {}, differences, rests)
    main = program.templates["main"]
    stands = {("main", i): (stand,) for i in range(len(main.locations))}
    stands["main", main.entry] = (BoundsStand({}, {}, ()),)
    return replace(certified(program), stands=stands)


HAVOC = """
program pointer 8 overflow end
object buffer {8: 0 u64} = 0
template main entry L0
  register i: u64
  register j: u64
  L0:
    i := any "a number"; j := i * i -> L1
  L1:
    %s := 1u64 -> L2
  L2:
    exit "end" -> L2
"""


@pytest.mark.parametrize("bits", [64, 128])
def test_any_number_may_be_the_greatest(bits: int) -> None:
    """As a signed number of as many bits it is negative: that it is not says nothing."""
    text = HAVOC.replace(
        "j := i * i -> L1",
        f"*(&buffer + i64((i / {1 << bits - 1}u{bits}) * 8u{bits})) := 1u64 -> L1",
    ).replace("i: u64", f"i: u{bits}")
    program = parse_program(text % "*&buffer", "program.abp")
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(program, certified(program))


@pytest.mark.parametrize("bound", [(1 << 63) - 1, (1 << 64) - 2])
def test_the_greatest_numbers_have_no_sign(bound: int) -> None:
    program = parse_program(HAVOC % "*&buffer", "program.abp")
    wrong = certificate_for(program, (("i", "", bound),))
    with pytest.raises(Rejected, match="follows"):
        check_bounds(program, wrong)
    right = certificate_for(program, (("i", "", (1 << 64) - 1), ("", "i", 0)))
    assert check_bounds(program, right)


def test_numbers_that_do_not_fit_are_rejected() -> None:
    program = parse_program(HAVOC % "*&buffer", "program.abp")
    for wrong in (
        certificate_for(program, (("i", "", 1 << 126),)),
        certificate_for(program, (("i", "j", -(1 << 127)),)),
        certificate_for(program, (), (("i", 1 << 62, 0),)),
    ):
        with pytest.raises(Rejected, match=r"no number|no such rest"):
            check_bounds(program, wrong)
