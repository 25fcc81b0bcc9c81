"""Each condition on counters is needed, in which threads weigh what their registers say: without
it a certificate of a wrong program is accepted. NOTE(weighed-threads)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from abpress.analysis.facts import Facts
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.program import UNREACH_CALL
from abpress.ir.types import INT, IntType
from abpress.logic.formula import TRUE, Formula, conj, parse_formula
from abpress.modular.templates.counting import COUNT, ThreadCounter
from abpress.modular.templates.obligations import Obligations
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.certificate import Rejected, Unchecked, program_digest
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.proof.templates.check import _InvariantChecker, check_templates
from tests.proof.test_template_invariants import loaded

HEAD = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
"""
MAIN = "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }"


def worked(body: str, main: str = MAIN) -> str:
    return f"{HEAD} void *work(void *a) {{ {body} return 0; }}\n{main}"


def one_if(value: str) -> Callable[[str], Expr]:
    """1 where a register of the template, or a cell, is 1."""

    def weight(register: str) -> Expr:
        return Convert(Compare("==", Reg(value or register, INT), Const(1, INT)), COUNT)

    return weight


@dataclass(frozen=True)
class Wrong:
    """A wrong program, and what a certificate says of it: what threads weigh, where a register of
    theirs is live, or anywhere, or anywhere but where they begin; and what holds there, everywhere,
    where the first thread is alone, and behind that."""

    text: str
    weight: Callable[[str], Expr]
    everywhere: str
    by_register: str = "true"
    where: str = "register"
    alone: str = "true"
    behind: str = "true"


NOBODY = "`#0`:i128 == 0i128"
FLIPS = "int r = __VERIFIER_nondet_int(); if (r != 0) abort(); for (;;) { x = r; %s r = 1 - r; }"
BEGIN, END = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"
ONE = f"""
{BEGIN} if (y != 0) abort(); int r = x; x = 0; {END}
{BEGIN} if (r == 1) y = 1; else assert(y == 0); {END}
"""
SHARED = Wrong(
    worked(f"{BEGIN} if (x != 0) abort(); x = 1; {END} int v = x; assert(v != 1);"),
    one_if("x+0"), NOBODY, "`work:v`:i32 != 1", "behind",
)  # fmt: skip
CHANGED = Wrong(worked(FLIPS % "assert(r != 1);"), one_if(""), NOBODY)
BORN = Wrong(worked("assert(x == 1);"), lambda _: Const(1, COUNT), NOBODY, where="anywhere")
OTHERS = Wrong(
    worked(ONE), one_if(""),
    "all(`#0`:i128 <= 1i128, any(`x+0`:i32 == 0, `#0`:i128 == 0i128))", "`y+0`:i32 == 0",
)  # fmt: skip
NEGATIVE = Wrong(
    worked("for (;;) ;", "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1;"
           " assert(x == 2); }"),
    lambda _: Const(-1, COUNT), "true", where="anywhere",
    alone=NOBODY, behind="`#0`:i128 <= -1i128",
)  # fmt: skip


def certificate(wrong: Wrong) -> TemplateCertificate:
    program = loaded(wrong.text)
    steps = TemplateSteps(program, Facts.of(program))
    weights: dict[tuple[str, int], Expr] = {}
    labels: dict[tuple[tuple[str, int], ...], Formula] = {}
    for name in program.templates:
        for i in steps.cuts(name):
            registers = [v.name for v in steps.private(name, i) if v.type == INT]
            said = [wrong.everywhere]
            if name == "work":
                begins = i == program.templates[name].entry
                if registers:
                    said.append(wrong.by_register)
                if (
                    registers
                    or wrong.where == "anywhere"
                    or (wrong.where == "behind" and not begins)
                ):
                    weights[name, i] = wrong.weight(registers[0] if registers else "")
            else:
                said.append(wrong.alone if i in steps.threads.alone else wrong.behind)
            labels[(name, i),] = conj(TRUE if f == "true" else parse_formula(f) for f in said)
    counters = (ThreadCounter(weights),)
    return TemplateCertificate(program_digest(program), UNREACH_CALL, {}, counters, labels)


def accepted(wrong: Wrong) -> bool:
    try:
        check_templates(loaded(wrong.text), certificate(wrong))
    except (Rejected, Unchecked):
        return False
    return True


weigh_behind, weigh_before = Obligations._weight_behind, Obligations._weight_before
weigh = Obligations._weight
counted = Obligations._counted

WITHOUT = {
    "what a thread weighs is its own": (
        SHARED, _InvariantChecker, "_require_weight", lambda *_: None),
    "a step changes what a thread weighs": (
        CHANGED, Obligations, "_weight_behind",
        lambda its, counter, t: (weigh_behind if t.before is None else weigh_before)(
            its, counter, t)),
    "a thread weighs something where it begins": (
        BORN, Obligations, "_counted", lambda its, mover, _: counted(its, mover, ())),
    "another thread has registers of its own": (
        OTHERS, Obligations, "_weight",
        lambda its, counter, at, _, changes: weigh(its, counter, at, 0, changes)),
    "no thread weighs less than nothing": (
        NEGATIVE, ThreadCounter, "positive", True),
}  # fmt: skip


@pytest.mark.parametrize("name", WITHOUT)
def test_each_condition_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, where, what, without = WITHOUT[name]
    assert not accepted(wrong)
    monkeypatch.setattr(where, what, without)
    assert accepted(wrong)


@pytest.mark.parametrize(
    "weight",
    [
        Binary("*", Const(1 << 32, COUNT), one_if("")("work:r")),
        Convert(Reg("work:r", IntType(64, False)), COUNT),
        Compare("==", Reg("work:r", INT), Const(1, INT)),
        Convert(Reg("work:nothing", INT), COUNT),
        Convert(
            Compare("==", Binary("/", Reg("work:r", INT), Reg("work:r", INT)), Const(1, INT)), COUNT
        ),
    ],
)
def test_what_threads_weigh_is_small_and_there(weight: Expr) -> None:
    with pytest.raises(Rejected):
        right = Wrong(worked(FLIPS % "x = 1;"), lambda _: weight, "true")
        check_templates(loaded(right.text), certificate(right))
