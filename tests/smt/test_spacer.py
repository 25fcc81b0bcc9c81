"""Solutions of clauses: each clause keeps them, also where relations were merged."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest
import z3

from abpress.ir.expr import Binary, Const, Expr, Reg, Term, Variable
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, Formula, parse_formula, substitute
from abpress.smt import spacer
from abpress.smt.answer import Answer
from abpress.smt.clauses import Clause, Derivation, Invariants, Unsolved
from abpress.smt.merging import merged
from abpress.smt.prover import Prover
from abpress.smt.spacer import solve

I32 = IntType(32, True)
X, Y, N = (Reg(name, I32) for name in "xyn")
EACH: tuple[Variable, ...] = (X, Y, N)
SECONDS = 60.0


def plus(e: Expr, n: int) -> Expr:
    return Binary("+", e, Const(n, I32))


def f(text: str) -> Formula:
    return parse_formula(text)


def clause(source: int | None, target: int | None, *guard: str, **values: Term) -> Clause:
    return Clause(source, target, tuple(map(f, guard)), values)


def counting(step: int, seldom: int = 1) -> list[Clause]:
    """A loop of four places in which x and y grow, and three places behind it."""
    return [
        clause(None, 0, "x:i32 == 0", "y:i32 == 0"),
        clause(0, 1, "x:i32 < n:i32", "x:i32 < 1000"),
        clause(1, 2, x=plus(X, 1)),
        clause(2, 3, "x:i32 < 3", y=plus(Y, step)),
        clause(2, 3, "x:i32 >= 3", y=plus(Y, seldom)),
        clause(3, 0),
        clause(0, 4, "x:i32 >= n:i32"),
        clause(4, 5, x=plus(X, 3)),
        clause(5, 6, y=plus(Y, 3)),
        clause(6, None, "x:i32 != y:i32"),
    ]


def keeps(labels: tuple[Formula, ...], its: Clause) -> bool:
    """Whether the labels are a solution of a clause."""
    known = [*its.guard]
    if its.source is not None:
        known.append(labels[its.source])
    values = {v.name: its.values.get(v.name, v) for v in EACH}
    goal = FALSE if its.target is None else substitute(labels[its.target], values)
    return Prover("int").entails(frozenset(known), goal) is Answer.YES


@pytest.mark.parametrize("ways", [(True,), (False,), (True, False)], ids=str)
def test_all_relations_have_labels_that_clauses_keep(
    monkeypatch: pytest.MonkeyPatch, ways: tuple[bool, ...]
) -> None:
    monkeypatch.setattr(spacer, "_WAYS", ways)
    clauses = counting(1)
    found = solve([EACH] * 7, clauses, SECONDS)
    assert isinstance(found, Invariants), found
    assert all(keeps(found.labels, its) for its in clauses)


@pytest.mark.parametrize("parts", [1, 3, 12])
def test_relations_that_were_merged_get_labels_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    """There is no loop: all relations are merged, and those with labels are not asked again."""
    monkeypatch.setattr(spacer, "_WAYS", (True,))
    monkeypatch.setattr(spacer, "_PARTS", parts)
    said: list[set[int]] = []
    plain = spacer._Spacer._asked

    def told(
        self: spacer._Spacer,
        rules: Sequence[spacer.Implication],
        given: Mapping[int, spacer._Label],
        end: float,
    ) -> object:
        answer = plain(self, rules, given, end)
        assert isinstance(answer, spacer._Labels)
        assert all(any(a.relation not in given for a in its.atoms) for its in rules if given)
        said.append({*answer.said})
        return answer

    monkeypatch.setattr(spacer._Spacer, "_asked", told)
    clauses = [clause(None, 0, "x:i32 == 0", "y:i32 == 0")]
    for k in range(6):
        clauses += [
            clause(k, k + 1, f"n:i32 == {k}", x=plus(X, 1), y=plus(Y, 1)),
            clause(k, k + 1, f"n:i32 != {k}", x=plus(X, 2), y=plus(Y, 2)),
        ]
    clauses.append(clause(6, None, "x:i32 != y:i32"))
    found = solve([EACH] * 7, clauses, SECONDS)
    assert isinstance(found, Invariants), found
    assert all(keeps(found.labels, its) for its in clauses)
    assert said[0] == set()
    assert len(said) == 1 + min(parts, 7)
    assert sorted(n for its in said for n in its) == list(range(7))


def test_who_is_sure_of_a_solution_has_more_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas of what was merged come, also if the time for the others is over then."""
    now = [0.0]
    monkeypatch.setattr(spacer, "process_time", lambda: now[0])

    def sure() -> None:
        now[0] += SECONDS + 1.0

    clauses = counting(1)
    found = solve([EACH] * 7, clauses, SECONDS, sure=sure)
    assert isinstance(found, Invariants), found
    assert all(keeps(found.labels, its) for its in clauses)
    assert now == [SECONDS + 1.0]
    assert isinstance(solve([EACH] * 7, counting(1, 2), SECONDS, sure=sure), Derivation)
    assert now == [SECONDS + 1.0]


def test_what_is_merged_is_known_of_an_error() -> None:
    clauses = counting(1, seldom=2)
    found = solve([EACH] * 7, clauses, SECONDS)
    assert isinstance(found, Derivation)
    assert found.clauses[-1] == 9
    assert 4 in found.clauses


@pytest.mark.parametrize("head", range(4))
def test_any_relation_of_a_cycle_may_be_the_one_that_is_kept(
    monkeypatch: pytest.MonkeyPatch, head: int
) -> None:
    monkeypatch.setattr(spacer, "_WAYS", (True,))
    clauses = counting(1)
    assert left(clauses, {head}) == {head}
    found = solve([EACH] * 7, clauses, SECONDS, {head})
    assert isinstance(found, Invariants), found
    assert all(keeps(found.labels, its) for its in clauses)


def test_what_is_behind_a_merged_clause_with_several_ways_is_not_told_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spacer, "_WAYS", (True,))
    assert solve([EACH] * 7, counting(1, seldom=2), SECONDS) == Derivation(())


def test_relations_that_hold_together_are_kept() -> None:
    """Where states of two places lead on, neither of them is merged into what comes before."""
    known = (1, (X, Y, N))
    clauses = [
        clause(None, 0, "x:i32 == 0"),
        clause(None, 1, "x:i32 == 1"),
        Clause(0, 2, (), {}, (known,)),
        clause(2, None, "x:i32 == 2"),
    ]
    assert left(clauses, ()) == {0, 1}


def test_what_is_merged_in_several_goes_keeps_inputs_apart() -> None:
    """Three inputs of one name: merging two of them, and then the third one, makes none equal."""
    one = Reg("input", I32)
    clauses = [
        clause(0, 1, x=one),
        clause(1, 2, y=one),
        clause(2, 3, n=one),
        clause(3, None, "x:i32 != y:i32", "y:i32 != n:i32", "x:i32 != n:i32"),
    ]
    system = spacer._Spacer([EACH] * 4)
    rules = [system.rule(number, its) for number, its in enumerate(clauses)]
    for kept in ({0, 2, 3}, {0}):
        rules = merged(rules, (), system._context, kept)
    (rule,) = rules
    solver = z3.Solver(ctx=system._context)
    solver.add(*rule.guard)
    assert solver.check() == z3.sat


def left(clauses: list[Clause], heads: Collection[int]) -> set[int]:
    """The relations that the clauses are about when they are merged."""
    system = spacer._Spacer([EACH] * 7)
    rules = [system.rule(number, its) for number, its in enumerate(clauses)]
    found = merged(rules, heads, system._context)
    return {atom.relation for its in found for atom in its.atoms}


def test_no_time_is_no_answer() -> None:
    assert isinstance(solve([EACH] * 7, counting(1), 0.0), Unsolved)
