"""Numbers that threads are given in pointers: what is known of them where they begin.

Takes NOTE(handed-numbers) at its word: each wrong program gives a thread another number than the
right one, or an address.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.modular.bounds.places import carried
from abpress.modular.handed import ARGUMENT
from abpress.proof.bounds.certificate import BoundsStand
from abpress.proof.bounds.check import check_bounds
from abpress.proof.certificate import Rejected, program_digest
from abpress.proof.numbers.certificate import NumericCertificate
from abpress.proof.numbers.check import check_numbers
from abpress.verify.load import load
from tests.proof import test_bounds as bounds
from tests.proof import test_numbers as numbers
from tests.proof.test_indexed_pointers import changed

TEXT = """
#include <limits.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int buffer[8], x;
pthread_t t;
#define NUMBER(n) ((void *)(long)(n))
void use(int i) { buffer[i] = INT_MAX - 7 + i; x = INT_MIN + i; }
void *more(void *a) { use((int)(long)a); return 0; }
void *work(void *a) { WORK return 0; }
int main(void) { MAIN return 0; }
"""
USE = "use((int)(long)a);"
CREATE = "pthread_create(&t, 0, work, NUMBER({}));"
EACH = "for (int i = 0; i < 8; i++) "
RIGHT = {
    "each once": (USE, EACH + CREATE.format("i")),
    "backwards": (USE, "for (int i = 7; i >= 0; i--) " + CREATE.format("i")),
    "with a variable": (USE, EACH + "{ int k = i; " + CREATE.format("k") + " }"),
    "from two places": (USE, CREATE.format("0") + CREATE.format("7")),
    "chosen": (
        USE,
        "int k = __VERIFIER_nondet_int(); if (k < 0 || k > 7) abort(); " + CREATE.format("k"),
    ),
    "nothing": (USE, "pthread_create(&t, 0, work, 0);"),
    "from below": ("use((int)(long)a + 5);", CREATE.format("-5") + CREATE.format("2")),
    "as it is": (
        "long k = (long)a; if (k < 8) use(k);",
        "for (int i = 0; i < 9; i++) " + CREATE.format("i"),
    ),
    "a variable of its own": (
        USE,
        EACH + "{ void *p = NUMBER(i); pthread_create(&t, 0, work, p); }",
    ),
    "handed on": ("pthread_create(&t, 0, more, NUMBER((long)a + 1));", CREATE.format("6")),
    "handed on, less": ("pthread_create(&t, 0, more, NUMBER((long)a - 1));", CREATE.format("8")),
    "as it was": (
        "pthread_create(&t, 0, more, a);" + USE,
        CREATE.format("7"),
    ),
}
WRONG = {
    "each once": ("i < 8", "i < 9"),
    "backwards": ("i >= 0", "i >= -1"),
    "with a variable": ("int k = i;", "int k = i; k = k + 1;"),
    "from two places": ("NUMBER(0)", "NUMBER(-1)"),
    "chosen": ("k < 0 ||", "k < -1 ||"),
    "nothing": ("work, 0", "work, NUMBER(8)"),
    "from below": ("NUMBER(2)", "NUMBER(3)"),
    "as it is": ("k < 8", "k < 9"),
    "a variable of its own": ("NUMBER(i);", "NUMBER(i); p = NUMBER(i - 1);"),
    "handed on": ("(long)a + 1", "(long)a + 2"),
    "handed on, less": ("NUMBER(8)", "NUMBER(9)"),
    "as it was": ("NUMBER(7)", "NUMBER(8)"),
}


def program_of(work: str, main: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(TEXT.replace("WORK", work).replace("MAIN", main))
    return load(Config.of(file, data_model="ILP32", signed_overflow="error")).program


@pytest.mark.parametrize("name", RIGHT)
def test_numbers_are_known_where_threads_begin(name: str, tmp_path: Path) -> None:
    """Of the wrong program neither its own certificates are accepted nor the right one's."""
    work, main = RIGHT[name]
    right = program_of(work, main, tmp_path)
    accesses, overflows = bounds.certified(right), numbers.certified(right)
    check_bounds(right, accesses)
    check_numbers(right, overflows)
    old, new = WRONG[name]
    assert (old in work) is not (old in main)
    wrong = program_of(work.replace(old, new), main.replace(old, new), tmp_path)
    for its in (bounds.certified(wrong), replace(accesses, program=program_digest(wrong))):
        with pytest.raises(Rejected):
            check_bounds(wrong, its)
    for one in (numbers.certified(wrong), replace(overflows, program=program_digest(wrong))):
        with pytest.raises(Rejected):
            check_numbers(wrong, replace(one, alarms=()))


def test_an_address_is_no_number(tmp_path: Path) -> None:
    work, main = RIGHT["each once"]
    program = program_of(work, main + "pthread_create(&t, 0, work, &x);", tmp_path)
    with pytest.raises(Rejected):
        check_bounds(program, bounds.certified(program))
    with pytest.raises(Rejected):
        check_numbers(program, replace(numbers.certified(program), alarms=()))


def test_elements_are_known_where_threads_begin(tmp_path: Path) -> None:
    """Where a pointer points that a thread is given is not widened there, but in its creator."""
    create = EACH + "pthread_create(&t, 0, work, &buffer[i]);"
    program = program_of("*(int *)a = 1;", create, tmp_path)
    check_bounds(program, bounds.certified(program))
    wrong = program_of("*(int *)a = 1;", create.replace("i < 8", "i < 9"), tmp_path)
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(wrong, bounds.certified(wrong))


def closer(stand: BoundsStand) -> Iterator[BoundsStand]:
    for k, (x, y, c) in enumerate(stand.differences):
        if carried(ARGUMENT) in (x, y):
            its = (*stand.differences[:k], (x, y, c - 1), *stand.differences[k + 1 :])
            yield replace(stand, differences=its)
            other = tuple("x@0" if name == carried(ARGUMENT) else name for name in (x, y))
            yield replace(stand, differences=((*other, c),))
            yield replace(stand, rests=((carried(ARGUMENT), 2, 0),))
            yield replace(stand, rests=((carried("t"), 1, 0),))


def test_closer_bounds_are_rejected(tmp_path: Path) -> None:
    program = program_of(*RIGHT["each once"], tmp_path)
    wrong = list(changed(bounds.certified(program), closer))
    assert len(wrong) > 4
    for one in wrong:
        with pytest.raises(Rejected):
            check_bounds(program, one)


def with_argument(
    certificate: NumericCertificate, template: str, span: tuple[int, int]
) -> NumericCertificate:
    stands = dict(certificate.stands)
    (first, *_) = stands[template, 0]
    stands[template, 0] = (replace(first, regs={**first.regs, ARGUMENT: span}),)
    return replace(certificate, stands=stands)


def test_closer_numbers_are_rejected(tmp_path: Path) -> None:
    program = program_of(*RIGHT["each once"], tmp_path)
    good = numbers.certified(program)
    assert good.stands["work", 0][0].regs[ARGUMENT] == (0, 7)
    for template, span in (("work", (1, 7)), ("work", (0, 6)), ("work", (-1, 7)), ("main", (0, 7))):
        with pytest.raises(Rejected):
            check_numbers(program, with_argument(good, template, span))


def test_numbers_have_no_sign_in_pointers() -> None:
    """A pointer of 32 bits with -1 is as a number of 64 bits the greatest one of 32 bits."""
    text = """
program pointer 4 overflow end
object buffer {32: 0 i32} = 0
template main entry L0
  register p: ptr
  register k: i64
  L0:
    p := ptr(-1i32) -> L1
  L1:
    k := i64(p) + 1i64 -> L2
  L2:
    *(&buffer + (k * 4i64)) := 1 -> L3
  L3:
    exit "end" -> L3
"""
    program = parse_program(text, "program.abp")
    bounds.check_that_it_is_open(program)


def test_pointers_without_a_value_are_no_numbers() -> None:
    """A copy of one is another one where it is used."""
    text = """
program pointer 4 overflow end
object buffer {32: 0 i32} = 0
template main entry L0
  register p: ptr
  register q: ptr
  register k: i32
  L0:
    when k == 0 -> L1
    when k == 1 -> L2
  L1:
    p := ptr(k) -> L2
  L2:
    q := p -> L3
  L3:
    when i32(p) == 0 -> L4
  L4:
    *(&buffer + (i64(i32(q)) * 4i64)) := 1 -> L5
  L5:
    exit "end" -> L5
"""
    program = parse_program(text, "program.abp")
    bounds.check_that_it_is_open(program)
    right = parse_program(text.replace("i32(q)", "i32(p)"), "program.abp")
    check_bounds(right, bounds.certified(right))


def test_pointers_that_creators_move_are_known_where_threads_begin(tmp_path: Path) -> None:
    """Whatever a register of the name is elsewhere with which the creator moves it."""
    each = "int *p = buffer; for (int i = 0; i < 8; i++) pthread_create(&t, 0, work, p++);"
    use = "unsigned char i = 0; for (int *p = a; p != buffer + 8; p++) i++; *(int *)a = i;"
    program = program_of(use, each, tmp_path)
    check_bounds(program, bounds.certified(program))
    wrong = program_of(use, each.replace("i < 8", "i < 9"), tmp_path)
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(wrong, bounds.certified(wrong))
