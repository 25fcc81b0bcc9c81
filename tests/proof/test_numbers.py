"""Numeric certificates: which programs have one, and that the checker rejects what is wrong.

Takes NOTE(numeric-facts), NOTE(first-overflow), NOTE(growth), NOTE(held-cells) and
NOTE(elements-read-twice) at their word: each program that may overflow breaks a rule of one.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.expr import Binary, Const, Expr, Reg
from abpress.ir.program import Program
from abpress.modular.numbers.cells import Cells
from abpress.modular.numbers.effects import NumericSteps
from abpress.modular.numbers.executions import Executions
from abpress.modular.numbers.overflow import find
from abpress.proof.certificate import Rejected
from abpress.proof.numbers.certificate import (
    NumericCertificate,
    Stand,
    format_numeric,
    parse_numeric,
)
from abpress.proof.numbers.check import check_numbers
from abpress.proof.numbers.write import numeric_certificate, proved_locally
from abpress.verify.load import load

HEAD = """
#include <pthread.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
void assume(int c) { if (!c) abort(); }
"""


def program_of(text: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    return load(Config.of(file, data_model="ILP32", signed_overflow="error")).program


def certified(program: Program) -> NumericCertificate:
    found = find(program, Facts.of(program))
    certificate = numeric_certificate(found, proved_locally(found))
    return parse_numeric(json.loads(format_numeric(certificate)))


def threads(work: str, main: str, number: int = 2, shared: str = "int x;") -> str:
    created = "".join(f"pthread_create(&t{i}, 0, work, 0); " for i in range(number))
    handles = "".join(f"pthread_t t{i}; " for i in range(number))
    return (
        f"{shared}\nvoid *work(void *a) {{ {work} return 0; }}\n"
        f"int main(void) {{ {handles}{created}{main} return 0; }}\n"
    )


GUARDED = "int add(int a, int b) { assume(b <= 0 || a <= INT_MAX - b); %s return a + b; }\n"
BELOW = "assume(b >= 0 || a >= INT_MIN - b);"

UP_AND_BACK = "unsigned i = 0; while (i < 5) { i += 1; x++; i += -1; }"

IN_SECTION = "__VERIFIER_atomic_begin(); x = INT_MAX; if (y) %s; x = 0; __VERIFIER_atomic_end();"

HIDDEN = (
    "for (int i = 0; i < 3; i++) { __VERIFIER_atomic_begin();"
    " y = 1000000000; x = x + y; y = 0; __VERIFIER_atomic_end(); }"
)

BEGIN, END = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"

ELEMENTS = (
    "int i, j, b, f[8];\nvoid *work(void *a) { while (1) {"
    + BEGIN
    + "assume(i >= 0 && i < 8 && j >= 0 && j < 8); assume(f[%s] > INT_MIN); %s b = -f[%s];"
    + END
    + "} }\nint main(void) { pthread_t t; pthread_create(&t, 0, work, 0);"
    + " for (int k = 0; k < 8; k++) f[k] = __VERIFIER_nondet_int();"
    + " i = __VERIFIER_nondet_int(); j = __VERIFIER_nondet_int(); return 0; }"
)

SAFE = {
    "one increment for each thread": threads("x++;", "", 3),
    "increments in a loop": threads("for (int i = 0; i < 1000; i++) x++;", ""),
    "up and down": threads("x++; x--;", "x--;"),
    "many threads": """int x; void *work(void *a) { x++; return 0; }
        int main(void) { for (int i = 0; i < 10000; i++) {
        pthread_t t; pthread_create(&t, 0, work, 0); } return 0; }""",
    "doubling a few times": threads("for (int i = 0; i < 10; i++) x = x + y;",
        "for (int i = 0; i < 8; i++) y = y + x;", 1, "int x = 1, y = 1;"),
    "guarded addition": GUARDED % BELOW + threads("x = add(x, __VERIFIER_nondet_int());", ""),
    "a guard in a section": threads(
        "__VERIFIER_atomic_begin(); if (x < 100) x++; __VERIFIER_atomic_end();"
        "__VERIFIER_atomic_begin(); if (x < 100) x++; __VERIFIER_atomic_end();",
        "", 2,
    ).replace("work(void *a) {", "work(void *a) { while (__VERIFIER_nondet_int())"),
    "below anything": threads("for (int i = 0; i < n; i++) {}", "", 1, "int n;").replace(
        "main(void) {", "main(void) { n = __VERIFIER_nondet_int();"
    ),
    "unsigned counters": threads(
        "for (unsigned i = 0; i < 9; i++) x++; for (unsigned i = 9; i > 0; i--) x++;", ""),
    "atomic updates wrap": threads("while (1) { a++; __atomic_fetch_add(&x, 5, 0); }", "", 2,
        "_Atomic int a; int x;"),
    "a counter that one thread writes": threads("while (i < n) { if (y > i) y = 0; i++; }",
        "y = i;", 1,
        "int i, n, y;").replace("main(void) {", "main(void) { n = __VERIFIER_nondet_int();"),
    "a loop over a global": threads("for (i = 0; i < 10; i++) x++;", "x = x + i;", 1, "int i, x;"),
    "doubling in loops over globals": threads("for (i = 0; i < 10; i++) x = x + y;",
        "for (j = 0; j < 8; j++) y = y + x;", 1, "int x = 1, y = 1, i, j;"),
    "members of elements": threads("for (int i = 0; i < 4; i++) { c[i].refs++; c[i].b = INT_MAX; }",
        "", 2, "struct { int refs; short s; int b; } c[4];"),
    "what is there when the program ends": threads(IN_SECTION % "abort()", "int r = x + 1;", 1,
        "int x, y = 1;"),
    "an element that is read twice": ELEMENTS % ("i", "", "i"),
    "an element of an array that is pointed to": ELEMENTS.replace("f[8]", "g[8], *f = g")
        % ("i", "b = 1;", "i"),
    "as often as the limit allows": threads("for (int i = 0; i < 5; i++) x++;", "", 2,
        "int x = INT_MAX - 11;"),
    "as often in two loops": threads("for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) x++;",
        "", 2, "int x = INT_MAX - 13;"),
    "as often, downwards": threads("for (int i = 5; i > 0; i--) x--;", "", 2,
        "int x = INT_MIN + 11;"),
    "as often, one after the other": threads("for (int i = 0; i < 5; i++) x = y + 1;",
        "for (int i = 0; i < 5; i++) y = x + 1;", 1, "int x = INT_MAX - 14, y = INT_MAX - 11;"),
    "a shift": threads("for (int i = 0; i < 31; i++) x = 1 << (i & 15);", ""),
}  # fmt: skip

OPEN = {
    "once more than the limit allows": threads("for (int i = 0; i < 5; i++) x++;", "", 2,
        "int x = INT_MAX - 9;"),
    "once more in two loops": threads(
        "for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) x++;", "", 2,
        "int x = INT_MAX - 11;"),
    "once more, downwards": threads("for (int i = 5; i > 0; i--) x--;", "", 2,
        "int x = INT_MIN + 9;"),
    "once more, one after the other": threads("for (int i = 0; i < 5; i++) x = y + 1;",
        "for (int i = 0; i < 5; i++) y = x + 1;", 1, "int x = INT_MAX - 9, y = INT_MAX - 9;"),
    "once more behind the loop": threads("for (int i = 0; i < 5; i++) x++; x++;", "", 2,
        "int x = INT_MAX - 11;"),
    "twice with each number": threads("for (int i = 0; i < 5; i++) { x++; x++; }", "", 2,
        "int x = INT_MAX - 19;"),
    "tested afterwards": threads("int i = 0; do x++; while (i++ < 5);", "", 2,
        "int x = INT_MAX - 11;"),
    "before the test": threads("for (int i = 0; x++, i < 5; i++);", "", 2,
        "int x = INT_MAX - 11;"),
    "not with each number": threads("for (int i = 0; i < 5; ) { x++; if (__VERIFIER_nondet_int())"
        " i++; }", "", 2, "int x = INT_MAX - 10;"),
    "the loop is entered twice": threads("for (int k = 0; k < 2; k++) { int i = 0; while (i < 5)"
        " { x++; i++; } }", "", 1, "int x = INT_MAX - 9;"),
    "the loop is entered twice with what is left": threads("int i = 0; while (i < 5) { x++; i++; }"
        " while (i < 5 + 5) { x++; i++; }", "", 1, "int x = INT_MAX - 9;"),
    "increments for ever": threads("while (1) x++;", "", 1),
    "threads for ever": """int x; void *work(void *a) { x++; return 0; }
        int main(void) { while (1) { pthread_t t; pthread_create(&t, 0, work, 0); } return 0; }""",
    "the bound is not of this counter": threads("for (int i = 0; i < n; i++) { x++; x++; }",
        "", 1, "int x, n;").replace("main(void) {", "main(void) { n = __VERIFIER_nondet_int();"),
    "a counter that starts again": threads("for (int i = 0; i < 9; i++) { x++; if (x % 7) i = 0; }",
        "", 1),
    "a counter that goes up and back": threads(UP_AND_BACK, "", 1),
    "a counter that wraps around": threads("unsigned i = 0; while (1) { i += 1; x++; }", "", 1,
        "long long x = LLONG_MAX - 0x200000000;"),
    "a counter that two threads write": threads("while (i < n) i++;", "", 2,
        "int i, n;").replace("main(void) {", "main(void) { n = __VERIFIER_nondet_int();"),
    "a limit that changes": threads("if (i < n) { n = 1; i++; i++; }", "", 1,
        "int i = INT_MAX - 1, n = INT_MAX;"),
    "a loop over a global of two threads": threads("for (i = 0; i < 10; i++) x++;", "", 2,
        "int i, x;"),
    "a global that goes back": threads("for (i = 0; i < 10; i++) { x++; if (x) i = 3; }", "", 1,
        "int i, x;"),
    "an element of an array counts": threads("for (i[0] = 0; i[0] < 10; i[0]++) { x++; i[k] = 0; }",
        "k = __VERIFIER_nondet_int() & 1;", 1, "int i[2], k, x;"),
    "a local counter that begins again": threads(
        "for (int k = 0; k < 3; k += 0) { struct s { int a, b; } s; int *p = &s.a; x++;"
        " *p = *p + 1; if (*p > 9) break; }", "", 1),
    "another member of elements": threads(
        "for (int i = 0; i < 4; i++) { c[i].b++; c[i].b = INT_MAX; }", "", 1,
        "struct { int refs, b; } c[4];"),
    "a pointer that goes from member to member": threads(
        "int *p = &c[0].refs; for (int i = 0; i < 6; i++) p[i] = INT_MAX; c[k].refs++;",
        "k = __VERIFIER_nondet_int() & 3;", 1, "struct { int refs, b; } c[4]; int k;"),
    "what is there when a thread ends": threads(IN_SECTION % "return 0", "int r = x + 1;", 1,
        "int x, y = 1;"),
    "what is hidden is added": threads(HIDDEN, "", 2, "int x, y;"),
    "another element": ELEMENTS % ("i", "", "j"),
    "an element that is written in between": ELEMENTS % ("i", "f[j] = INT_MIN;", "i"),
    "an index that is written in between": ELEMENTS % ("i", "i = j;", "i"),
    "an array that is another one": ELEMENTS.replace("f[8]", "g[8], h[8], *f = g")
        % ("i", "f = h;", "i"),
    "an element that others write": ELEMENTS % ("i", END + BEGIN, "i"),
    "one increment too many": threads("x++;", "", 3, "int x = INT_MAX - 2;"),
    "doubling too often": threads("for (int i = 0; i < 20; i++) x = x + y;",
        "for (int i = 0; i < 20; i++) y = y + x;", 1, "int x = 1, y = 1;"),
    "guarded on one side": GUARDED % "" + threads("x = add(x, __VERIFIER_nondet_int());", ""),
    "a guard outside of the section": threads(
        "while (__VERIFIER_nondet_int()) if (x < 100) x++;", "", 2
    ),
    "others write what was guarded": threads("int n = x; if (x > 0) return 0; x = x + 1;",
        "x = __VERIFIER_nondet_int();"),
    "up to and with anything": threads("for (int i = 0; i <= n; i++) {}", "", 1, "int n;").replace(
        "main(void) {", "main(void) { n = __VERIFIER_nondet_int();"
    ),
    "a shift that loses bits": threads("x = 3 << (__VERIFIER_nondet_int() & 31);", ""),
    "the least value is negated": threads("x = -__VERIFIER_nondet_int();", ""),
    "the least value is divided": threads("x = __VERIFIER_nondet_int() / -1;", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", SAFE)
def test_safe_programs_are_proved(name: str, tmp_path: Path) -> None:
    program = program_of(SAFE[name], tmp_path)
    assert check_numbers(program, certified(program)).property == "no-overflow"


@pytest.mark.parametrize("name", OPEN)
def test_programs_that_may_overflow_are_not(name: str, tmp_path: Path) -> None:
    program = program_of(OPEN[name], tmp_path)
    certificate = certified(program)
    assert certificate.alarms
    with pytest.raises(Rejected, match="checks open"):
        check_numbers(program, certificate)
    for hidden in (replace(certificate, alarms=()), _all_local(certificate)):
        with pytest.raises(Rejected, match="may overflow"):
            check_numbers(program, hidden)


def _all_local(c: NumericCertificate) -> NumericCertificate:
    return replace(c, alarms=(), local=(*c.local, *c.alarms))


def test_wrong_certificates_are_rejected(tmp_path: Path) -> None:
    text = GUARDED % BELOW + threads(
        "for (int i = 0; i < 5; i++) x++; y = add(y, __VERIFIER_nondet_int());",
        "int k = x; k = k + 1;",
        2,
        "int x, y;",
    )
    program = program_of(text, tmp_path)
    good = certified(program)
    check_numbers(program, good)
    assert good.counted == ("x+0",)
    assert good.shared["x+0"] == (0, 10)
    assert good.local
    wrong = {
        "a smaller bound": replace(good, shared={**good.shared, "x+0": (0, 9)}),
        "not counted": replace(good, counted=()),
        "no bounds": replace(good, shared={c: v for c, v in good.shared.items() if c != "x+0"}),
        "another cell": replace(good, shared={**good.shared, "q+0": (0, 1)}),
        "not local": replace(good, local=()),
        "open": replace(good, alarms=good.local, local=()),
        "another program": replace(good, program="0" * 64),
        "another property": replace(good, property="valid-deref"),
    }
    for name, certificate in wrong.items():
        with pytest.raises(Rejected):
            check_numbers(program, certificate)
            pytest.fail(name)
    for place in good.stands:
        fewer = {at: its for at, its in good.stands.items() if at != place}
        with pytest.raises(Rejected):
            check_numbers(program, replace(good, stands=fewer))
    tightened = 0
    for place, stands in good.stands.items():
        for register, (low, high) in stands[0].regs.items():
            if low == high or register == "$tid":
                continue
            for claim in ((low + 1, high), (low, high - 1)):
                stand = replace(stands[0], regs={**stands[0].regs, register: claim})
                changed = {**good.stands, place: (stand, *stands[1:])}
                with pytest.raises(Rejected):
                    check_numbers(program, replace(good, stands=changed))
                tightened += 1
    assert tightened > 10
    held = Stand({}, Cells({"x+0": (0, 0)}), {}, {})
    for place, stands in good.stands.items():
        if place[0] == "work":
            changed = {**good.stands, place: (held, *stands[1:])}
            with pytest.raises(Rejected, match="others may move"):
                check_numbers(program, replace(good, stands=changed))


def test_counters_that_go_back_are_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forward(value: Expr) -> tuple[str, int] | None:
        match value:
            case Binary(_, Reg(name, _), Const(n, _)):
                return name, n
            case _:
                return None

    monkeypatch.setattr("abpress.modular.numbers.executions.added", forward)
    monkeypatch.setattr(Executions, "_wraps", lambda *_: False)
    program = program_of(threads(UP_AND_BACK, "", 1), tmp_path)
    certificate = certified(program)
    assert not certificate.alarms
    with pytest.raises(Rejected, match="leave its bounds"):
        check_numbers(program, certificate)


def test_sums_of_what_is_hidden_are_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NumericSteps, "_is_seen", lambda *_: True)
    program = program_of(threads(HIDDEN, "", 2, "int x, y;"), tmp_path)
    certificate = certified(program)
    assert not certificate.alarms
    with pytest.raises(Rejected):
        check_numbers(program, certificate)


def test_wrong_claims_of_cells_of_one_thread_are_rejected(tmp_path: Path) -> None:
    for name in ("as often as the limit allows", "as often, one after the other"):
        program = program_of(SAFE[name], tmp_path)
        good = certified(program)
        low, high = good.shared["x+0"]
        with pytest.raises(Rejected):
            check_numbers(program, replace(good, shared={**good.shared, "x+0": (low, high - 1)}))
    program = program_of(SAFE["a loop over a global"], tmp_path)
    good = certified(program)
    check_numbers(program, good)
    low, high = good.shared["x+0"]
    with pytest.raises(Rejected):
        check_numbers(program, replace(good, shared={**good.shared, "x+0": (low, high - 1)}))
    tightened = 0
    for place, stands in good.stands.items():
        for cell, (low, high) in stands[0].cells.items():
            if place[0] == "work" and cell == "i+0" and low < high:
                stand = replace(stands[0], cells=Cells({cell: (low, high - 1)}))
                changed = {**good.stands, place: (stand, *stands[1:])}
                with pytest.raises(Rejected):
                    check_numbers(program, replace(good, stands=changed))
                tightened += 1
    assert tightened > 2


def test_registers_of_two_templates_may_have_one_name(tmp_path: Path) -> None:
    text = (
        (GUARDED % BELOW)
        + """
    int x; unsigned char y;
    void *first(void *a) { int r = __VERIFIER_nondet_int(); x = add(r, x); return 0; }
    void *second(void *a) { unsigned char r = y; int s = add(r, x); x = s; y = r; return 0; }
    int main(void) { pthread_t s, t; pthread_create(&s, 0, first, 0);
        pthread_create(&t, 0, second, 0); return 0; }
    """
    )
    program = program_of(text, tmp_path)
    types = [t.registers["r"] for name, t in program.templates.items() if name != "main"]
    assert types[0] != types[1]
    check_numbers(program, certified(program))


@pytest.mark.parametrize(
    "data", [{}, [], {"version": 1}, {"version": 2, "stands": [["main", 0, [{"regs": {"x": 1}}]]]}]
)
def test_what_is_no_certificate_is_rejected(data: object) -> None:
    with pytest.raises(Rejected):
        parse_numeric(data)
