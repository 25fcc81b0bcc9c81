"""Questions about formulas, answered by z3 and remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import z3
from z3 import z3core

from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, TRUE, Formula, Kind, neg, variables
from abpress.smt.answer import OPPOSITE, Answer
from abpress.smt.interruption import interruptible_question
from abpress.smt.table import ENCODINGS
from abpress.smt.terms import Term

RLIMIT = 20_000_000
"""Steps of z3 that one question may take, some seconds. Not a time: NOTE(determinism)."""


class Undecided(Exception):
    """z3 gave up within its limit."""


@dataclass(slots=True)
class QueryStatistics:
    """What was asked and how it was answered (mutable)."""

    queries: int = 0
    cache_hits: int = 0
    checks: int = 0
    unknown: int = 0
    z3_seconds: float = 0.0


_OUT_OF_MEMORY = re.compile("out of memory|memout|max. memory")
"""How z3 says that it could not get memory."""

_ANSWERS = {1: Answer.YES, -1: Answer.NO, 0: Answer.UNKNOWN}


class Prover:
    """Answers questions under one encoding.

    `rlimit` is what one question may cost, in z3's own units; `seed` is that of its random choices.
    Equal questions in an equal order get equal answers. All methods may raise NotExact (another
    encoding can say the formulas) and UnsupportedError (none can).
    """

    def __init__(self, encoding: str, rlimit: int = RLIMIT, seed: int = 0) -> None:
        self.encoding = encoding
        self.statistics = QueryStatistics()
        self._translation = ENCODINGS[encoding]()
        self._terms = self._translation.terms
        self._rlimit = rlimit
        self._seed = seed
        self._answering: Any = None
        self._entailed: dict[tuple[frozenset[Formula], Formula], Answer] = {}
        self._satisfiable: dict[frozenset[Formula], Answer] = {}
        self._marks: list[Term] = []
        self._asserted: frozenset[Formula] | None = None

    @cached_property
    def _c(self) -> Any:
        return self._terms.c

    @cached_property
    def _solver(self) -> Any:
        """The solver, which begins with the first question that needs it."""
        return self._prepared(z3.SimpleSolver(ctx=self._terms.context))

    @cached_property
    def _s(self) -> Any:
        return self._solver.solver

    def _prepared(self, solver: Any) -> Any:
        solver.set("random_seed", self._seed)
        solver.set("rlimit", self._rlimit)
        return solver

    # -- questions ------------------------------------------------------------------------------

    def entails(self, assumptions: Iterable[Formula], goal: Formula) -> Answer:
        """Whether `goal` holds wherever all assumptions hold."""
        known = frozenset(assumptions)
        self.statistics.queries += 1
        answer = self._entailed.get((known, goal))
        if answer is not None:
            self.statistics.cache_hits += 1
            return answer
        if _obvious(known, goal):
            answer = Answer.YES
        else:
            answer = OPPOSITE[self._check(known, neg(goal))]
        self._entailed[known, goal] = answer
        return answer

    def satisfiable(self, formulas: Iterable[Formula]) -> Answer:
        """Whether all formulas can hold at once."""
        known = frozenset(formulas)
        self.statistics.queries += 1
        answer = self._satisfiable.get(known)
        if answer is not None:
            self.statistics.cache_hits += 1
            return answer
        if contradictory(known) or known <= {TRUE}:
            answer = Answer.NO if known - {TRUE} else Answer.YES
        else:
            answer = self._check(known)
        self._satisfiable[known] = answer
        return answer

    def model(self, formulas: Iterable[Formula]) -> dict[str, int] | None:
        """Values of all integer variables with which all formulas hold; None if there are none.

        The value of a pointer says only which pointers are equal. Raises Undecided.
        """
        asserted = _ordered(frozenset(formulas))
        self.statistics.queries += 1
        names = sorted(frozenset().union(*map(variables, asserted)))
        terms = [self._translation.asserted(f) for f in asserted]
        self._retract()
        z3core.Z3_solver_push(self._c, self._s)
        try:
            for term in terms:
                z3core.Z3_solver_assert(self._c, self._s, term)
            answer = self._run()
            if answer is Answer.UNKNOWN:
                raise Undecided
            return self._values(names) if answer is Answer.YES else None
        finally:
            z3core.Z3_solver_pop(self._c, self._s, 1)

    def counterexample(
        self, assumptions: Iterable[Formula], goal: Formula
    ) -> dict[str, int] | None:
        """As `model`, where all assumptions hold and the goal does not. Of equal assumptions
        several goals are best asked one after the other."""
        known = frozenset(assumptions)
        self.statistics.queries += 1
        self._assert(known)
        term = self._translation.asserted(neg(goal))
        z3core.Z3_solver_push(self._c, self._s)
        try:
            z3core.Z3_solver_assert(self._c, self._s, term)
            answer = self._run()
            if answer is Answer.UNKNOWN:
                raise Undecided
            if answer is Answer.NO:
                return None
            return self._values(sorted(variables(goal).union(*map(variables, known))))
        finally:
            z3core.Z3_solver_pop(self._c, self._s, 1)

    def core(
        self, formulas: Sequence[Formula], always: Sequence[Formula] = ()
    ) -> tuple[int, ...] | None:
        """Ascending indices of formulas that cannot hold at once; None if all can.

        What is in `always` holds, too. No index can be left out, as far as z3 decides that within
        its limit. Raises Undecided.
        """
        self.statistics.queries += 1
        terms = [self._translation.asserted(f) for f in formulas]
        background = [self._translation.asserted(f) for f in always]
        while len(self._marks) < len(terms):
            self._marks.append(self._terms.proposition(f"mark!{len(self._marks)}"))
        self._retract()
        z3core.Z3_solver_push(self._c, self._s)
        try:
            for term in background:
                z3core.Z3_solver_assert(self._c, self._s, term)
            for mark, term in zip(self._marks, terms, strict=False):
                implied = self._terms.apply("implies", mark, term)
                z3core.Z3_solver_assert(self._c, self._s, implied)
            found = self._core(range(len(terms)))
            return None if found is None else self._reduced(found)
        finally:
            z3core.Z3_solver_pop(self._c, self._s, 1)

    # -- z3 -------------------------------------------------------------------------------------

    def _check(self, known: frozenset[Formula], more: Formula = TRUE) -> Answer:
        """Whether all formulas can hold at once. The known ones stay asserted for the next time."""
        c, s = self._c, self._s
        self._assert(known)
        if more is TRUE:
            return self._run()
        term = self._translation.asserted(more)
        z3core.Z3_solver_push(c, s)
        z3core.Z3_solver_assert(c, s, term)
        answer = self._run()
        z3core.Z3_solver_pop(c, s, 1)
        return answer

    def _assert(self, known: frozenset[Formula]) -> None:
        """Leaves these formulas asserted, and nothing else."""
        if known != self._asserted:
            terms = [self._translation.asserted(f) for f in _ordered(known)]
            self._retract()
            z3core.Z3_solver_push(self._c, self._s)
            self._asserted = known
            z3core.Z3_solver_assert(self._c, self._s, self._terms.all(terms))

    def _retract(self) -> None:
        """Leaves nothing asserted."""
        if self._asserted is not None:
            z3core.Z3_solver_pop(self._c, self._s, 1)
            self._asserted = None

    def _run(self, assumed: Sequence[Term] = ()) -> Answer:
        begin = perf_counter()
        result = self._asked(self._s, assumed)
        self.statistics.z3_seconds += perf_counter() - begin
        self.statistics.checks += 1
        self._answering = self._solver
        if result == 0:
            return self._second_opinion(assumed)
        return _ANSWERS[result]

    def _second_opinion(self, assumed: Sequence[Term]) -> Answer:
        """What z3's other solver says, which simplifies more and remembers nothing."""
        begin = perf_counter()
        solver = self._answering = self._prepared(z3.Solver(ctx=self._terms.context))
        solver.add(self._solver.assertions())
        result = self._asked(solver.solver, assumed)
        self.statistics.z3_seconds += perf_counter() - begin
        self.statistics.checks += 1
        answer = _ANSWERS[result]
        self.statistics.unknown += answer is Answer.UNKNOWN
        return answer

    def _asked(self, solver: Any, assumed: Sequence[Term]) -> int:
        """What a solver (a raw reference) says of what is asserted and assumed; a key of _ANSWERS.

        Who interrupts this has to see to it that the answer is not used: it may be that of z3's
        having been interrupted. Raises MemoryError, which is no answer either.
        """
        array = (z3.Ast * len(assumed))(*assumed)
        try:
            with interruptible_question(self._terms.context):
                if assumed:
                    check = z3core.Z3_solver_check_assumptions
                    result = int(check(self._c, solver, len(assumed), array))
                else:
                    result = int(z3core.Z3_solver_check(self._c, solver))
        except z3.Z3Exception as error:
            if _OUT_OF_MEMORY.search(str(error)):
                raise MemoryError from error
            raise
        if result == 0:
            reason = z3core.Z3_solver_get_reason_unknown(self._c, solver)
            if _OUT_OF_MEMORY.search(reason):
                raise MemoryError
        return result

    def _values(self, names: Iterable[str]) -> dict[str, int]:
        model = self._answering.model()
        values = {}
        for name in names:
            if name not in self._translation.variables:
                continue  # an array
            term, type = self._translation.variables[name]
            number = model.eval(z3.ExprRef(term, self._terms.context), model_completion=True)
            value = number.as_long()
            values[name] = type.wrap(value) if isinstance(type, IntType) else value
        return values

    def _core(self, indices: Sequence[int]) -> tuple[int, ...] | None:
        """As `core`, among the formulas of which the marks are asserted; not reduced."""
        marks = [self._marks[i] for i in indices]
        answer = self._run(marks)
        if answer is Answer.UNKNOWN:
            raise Undecided
        if answer is Answer.YES:
            return None
        core = self._answering.unsat_core()
        found = {mark.decl().name() for mark in core}
        return tuple(i for i in indices if f"mark!{i}" in found)

    def _reduced(self, core: tuple[int, ...]) -> tuple[int, ...]:
        """The core without what can be left out, tried from the last on."""
        for i in reversed(core):
            if i in core:
                rest = tuple(j for j in core if j != i)
                try:
                    smaller = self._core(rest)
                except Undecided:
                    continue
                core = core if smaller is None else smaller
        return core


def contradictory(known: frozenset[Formula]) -> bool:
    """Whether formulas contradict one another by their looks."""
    return FALSE in known or any(neg(f) in known for f in known)


def _obvious(known: frozenset[Formula], goal: Formula) -> bool:
    """Whether an entailment follows from its looks."""
    if goal in known or goal is TRUE or FALSE in known:
        return True
    match goal.kind:
        case Kind.ALL:
            return known.issuperset(goal.parts)
        case Kind.ANY:
            return not known.isdisjoint(goal.parts)
        case _:
            return False


def _ordered(formulas: Iterable[Formula]) -> list[Formula]:
    return sorted(formulas, key=lambda f: f.order)
