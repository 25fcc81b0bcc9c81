"""The checker of certificates of invariants of templates. NOTE(template-invariants),
NOTE(chosen-elements), NOTE(chosen-nodes), NOTE(joined-threads)

It works out by itself what steps threads have between the cuts that the certificate names, and asks
a solver that its formulas hold where threads begin, and are kept by the steps of all threads; that
no step from where they hold ends in an error or in marked undefined behaviour that is not left open
(`alarms`, `faults`), or at a bound of the tool; and that no step changes what is to be constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from abpress.analysis.facts import Facts
from abpress.config import Alarms, Place
from abpress.ir.bounds import bounds
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, walk
from abpress.ir.program import UNREACH_CALL, Fail, Fault, Overflow, Program
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, TRUE, Formula, conjuncts, substitute
from abpress.modular.templates.counting import COUNT, MOST_WEIGHT, ThreadCounter
from abpress.modular.templates.elements import arrays_of_elements
from abpress.modular.templates.nodes import nodes_of
from abpress.modular.templates.obligations import (
    Applied,
    Obligation,
    Obligations,
)
from abpress.modular.templates.paths import AccessAt, At, NotFollowed, ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Accepted, Rejected, Unchecked, require_program
from abpress.proof.judge import Judge
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.smt.answer import Answer
from abpress.smt.clauses import mentioned_in

_RACES = "no-data-race"

_OPERATORS = Const | Compare | Convert | Binary
"""What weights are made of, beside variables."""

PARTIAL_OPERATORS = ("/", "%", "<<", ">>")
"""They have no value for some operands: a weight always has one."""


def check_templates(program: Program, certificate: TemplateCertificate) -> Accepted:
    """Checks the certificate for the program; what it counts are places, and obligations. Raises
    Rejected and Unchecked, with the reason."""
    _require_errors(certificate)
    if certificate.alarms:
        raise Rejected(f"it leaves {len(certificate.alarms)} errors open")
    count = _checked(program, certificate)
    return Accepted(certificate.property, (DEFINED_SO_FAR,), len(certificate.labels), count)


def templates_left_open(
    program: Program, certificate: TemplateCertificate
) -> tuple[Alarms, frozenset[Place]]:
    """Checks what the certificate says of all but its alarms, and returns these; it says of no
    accesses that they meet none in conflict. Raises Rejected and Unchecked."""
    _require_errors(certificate)
    _checked(program, certificate)
    return Alarms(certificate.property, frozenset(certificate.alarms)), frozenset()


def _require_errors(certificate: TemplateCertificate) -> None:
    if certificate.property != UNREACH_CALL:
        raise Rejected("invariants of templates do not prove this property")


def check_apart(
    program: Program,
    certificate: TemplateCertificate,
    pairs: Iterable[tuple[AccessAt, AccessAt]],
) -> int:
    """Checks that, by what the certificate says, no two threads stand before a pair of accesses to
    a common byte; returns the number of obligations. Errors do not matter. NOTE(races-of-any),
    NOTE(races-behind-joins)
    Raises Rejected and Unchecked."""
    if certificate.property != _RACES:
        raise Rejected("what is said of threads is said of a program for another property")
    return _checked(program, certificate, pairs)


def _checked(
    program: Program,
    certificate: TemplateCertificate,
    pairs: Iterable[tuple[AccessAt, AccessAt]] = (),
) -> int:
    """The number of obligations that hold."""
    require_program(certificate.program, program)
    if program.signed_overflow is Overflow.ERROR:
        raise Rejected("invariants of templates do not prove this property")
    try:
        with Judge("int") as judge:
            return _InvariantChecker(program, certificate, judge).run(pairs)
    except NotFollowed as error:
        raise Rejected(f"steps lead past what it names: {error}") from error


class _InvariantChecker:
    """One run of the checker (mutable: the judge remembers what it was asked)."""

    def __init__(self, program: Program, certificate: TemplateCertificate, judge: Judge) -> None:
        self._program = program
        self._certificate = certificate
        self._labels = certificate.labels
        self._judge = judge
        facts = Facts.of(program)
        groups = certificate.groups
        beforehand = TemplateSteps(program, facts, groups=groups)
        arrays = [array for its in groups for array in its]
        elements = arrays_of_elements(program, beforehand.memory, allocated=True)
        may_be = {*elements, *beforehand.handles, *nodes_of(beforehand.memory)}
        if not all(groups) or len(set(arrays)) < len(arrays) or not set(arrays).issubset(may_be):
            raise Rejected(f"elements are not chosen so of {', '.join(arrays):.80}")
        numbers = beforehand.initial()
        constants: dict[str, Const] = {}
        for cell, n in certificate.constants.items():
            if cell not in numbers or numbers[cell].value != n:
                raise Rejected(f"{cell:.80} does not hold {n} at first")
            constants[cell] = numbers[cell]
        self._steps = TemplateSteps(program, facts, constants, groups=groups)
        width = 2 if any(len(key) > 1 for key in self._labels) else 1
        self._obligations = Obligations(self._steps, self._cuts(), width, self._counters())

    def _cuts(self) -> Mapping[str, tuple[int, ...]]:
        """The cuts that it names."""
        found: dict[str, tuple[int, ...]] = {}
        for key in self._labels:
            for name, i in key:
                template = self._program.templates.get(name)
                if template is None or not 0 <= i < len(template.locations):
                    raise Rejected(f"there is no place {name:.80} {i}")
                if len(key) == 1:
                    found[name] = (*found.get(name, ()), i)
        return found

    def _counters(self) -> tuple[ThreadCounter, ...]:
        for counter in self._certificate.counters:
            for at, weight in counter.weights.items():
                self._require_weight(at, weight)
        return self._certificate.counters

    def _require_weight(self, at: At, weight: Expr) -> None:
        """Rejects a weight that others may change, or that is large. NOTE(weighed-threads)"""
        if not isinstance(weight, Const):
            if at[0] not in self._program.templates or (at,) not in self._labels:
                raise Rejected(f"threads weigh something at {at}, which is no cut")
            own = {*self._steps.private(*at), *self._steps.elements.indices}
            its = tuple(walk(weight))
            if not all(isinstance(e, _OPERATORS) or e in own for e in its):
                raise Rejected(f"what threads weigh at {at} is not their own")
            if not all(isinstance(e.type, IntType) for e in its):
                raise Rejected(f"what threads weigh at {at} is no number of threads")
            if any(isinstance(e, Binary) and e.op in PARTIAL_OPERATORS for e in its):
                raise Rejected(f"what threads weigh at {at} may have no value")
        low, high = bounds(weight)
        if weight.type != COUNT or low <= -MOST_WEIGHT or high >= MOST_WEIGHT:
            raise Rejected("a counter counts too much at once")

    def run(self, pairs: Iterable[tuple[AccessAt, AccessAt]]) -> int:
        """The number of obligations, which all hold, with those for pairs of accesses."""
        self._well_formed()
        for its in self._obligations.steps.values():
            for step in its:
                for cell in self._certificate.constants:
                    if cell in step.values:
                        raise Rejected(f"{cell} is not constant: {_words(step)}")
        count = 0
        for obligation in chain(self._obligations.all(), self._obligations.races(pairs)):
            self._require(obligation)
            count += 1
        return count

    def _well_formed(self) -> None:
        """Rejects formulas over what is no variable there, and places without any."""
        keys = self._obligations.keys
        if set(keys) != self._labels.keys():
            raise Rejected("it does not say something of the places at which threads may stand")
        for key in keys:
            strange = mentioned_in(self._labels[key]) - set(self._obligations.variables(key))
            if strange:
                names = ", ".join(sorted(v.name for v in strange))
                raise Rejected(f"what it says of {key} is about {names:.80}")

    def _require(self, obligation: Obligation) -> None:
        step, goal = obligation.step, obligation.goal
        if goal is None:
            if step is not None and self._left_open(step):
                return
            wanted = FALSE
        else:
            if goal.key not in self._labels:
                raise Rejected(f"it says nothing of {goal.key}, to where threads come")
            wanted = self._said(goal)
        known = [*obligation.assumed, *map(self._said, obligation.known)]
        parts = frozenset(part for f in known for part in conjuncts(f) if part is not TRUE)
        for part in conjuncts(wanted):
            answer = self._judge.implied(parts, part)
            if answer is Answer.UNKNOWN:
                raise Unchecked(f"is it kept? {_words(step)}")
            if answer is Answer.NO:
                where = "an error, or a race," if goal is None else str(goal.key)
                raise Rejected(f"what is said of {where} does not follow: {_words(step)}")

    def _said(self, applied: Applied) -> Formula:
        return substitute(self._labels[applied.key], applied.values)

    def _left_open(self, step: ThreadStep) -> bool:
        """Whether the end of a step is left open, or no matter of this property."""
        assert step.error is not None
        name, i, k = step.error
        edge = self._program.templates[name].locations[i].edges[k]
        match edge.effects[-1]:
            case Fail(property):
                other = property != self._certificate.property
                return other or step.error in self._certificate.alarms
            case Fault():
                races = self._certificate.property == _RACES
                return races or step.error in self._certificate.faults
            case _:
                return False


def _words(step: ThreadStep | None) -> str:
    if step is None:
        return "where the program begins, or two threads stand before accesses"
    return f"by a step of {step.template} from {step.source} to {step.target}"
