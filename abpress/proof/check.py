"""The checker of certificates. It shares with the engine the semantics and the solver, no more.

A certificate is accepted if, from the root on,

- *initiation*: the initial state has the root's place, and satisfies its label;
- *consecution*: every step of every expanded thread is impossible under the node's label, or leads
  to a child of the same place as its successor, whose label it implies;
- *covers*: what covers a node has the same place, and a label that the node's label implies; or it
  has one, and implies it, where threads that are alike are one another, NOTE(symmetric-covers);
- *safety*: every step that ends in a violation of a property that is proved, in undefined behaviour
  or at a bound is impossible;
- *states*: at every expanded node it is impossible, where a property looks at that, that threads
  are left and all of them wait for one another, that some do, or that two stand before accesses
  that race;
- *expansion*: every node is covered, or expanded in all threads, or in threads that suffice, and
  no thread is put off for ever (`abpress.proof.conditions`).

It is neither accepted nor rejected if the solver does not answer a question on which that depends.
Steps, their successors and what is known in a place are computed here, from the program. If the
certificate says that accesses are synchronised, it has the facts that show it, which are checked
first, NOTE(synchronised-accesses).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from abpress.analysis.facts import Facts
from abpress.config import Alarms
from abpress.ir.program import Program
from abpress.logic.formula import Formula, neg
from abpress.proof.allocation import accepted_by_text
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import (
    Accepted,
    Certificate,
    CertifiedNode,
    Rejected,
    Texts,
    place_digest,
    require,
    require_program,
)
from abpress.proof.conditions import CONDITIONS, SYMMETRIC, WITH_FORMULAS, WITHOUT_RACES
from abpress.proof.consequences import Consequences
from abpress.proof.expansion import CheckedTree, goes_on
from abpress.proof.judge import Judge
from abpress.proof.others import CoversByOthers, symmetric_system
from abpress.proof.partial import left_open_by, read_partial
from abpress.proof.shown import SHOWN
from abpress.proof.vocabulary import Vocabulary, read_formula
from abpress.properties import PROPERTIES, Aspect, asked
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.naming import MAIN
from abpress.semantics.outcome import Options, no_overflow
from abpress.smt.answer import Answer
from abpress.smt.table import ENCODINGS
from abpress.symbolic.discrete import Discrete, EndShown, SymbolicStep
from abpress.symbolic.exchange import SymmetricSystem
from abpress.symbolic.system import SymbolicSystem

_SEEN = frozenset({Aspect.STEP, Aspect.LOSS, *SHOWN})

PROVABLE = frozenset(p.name for p in PROPERTIES.values() if p.looks_at <= _SEEN)
"""The properties that only steps, threads that wait, and races violate; certificates do not speak
of other states and ends."""

_REJECTED: Mapping[EndShown, str] = {
    EndShown.DEADLOCK: "all threads may wait for one another",
    EndShown.CIRCLE: "threads may wait in a circle for one another",
    EndShown.RACE: "two threads may stand before accesses that race",
}

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
"""The last part of the name of a thread."""


def check(program: Program, certificate: Certificate) -> Accepted:
    """Checks the certificate for the program. Raises Rejected and Unchecked, with the reason."""
    require_program(certificate.program, program)
    by_text = accepted_by_text(program, certificate)
    if by_text is not None:
        return by_text
    for name in certificate.properties():
        if name not in PROVABLE:
            raise Rejected(f"the property {name:.80} is not known")
    if certificate.reduction not in CONDITIONS:
        raise Rejected(f"the reduction {certificate.reduction:.80} is not known")
    if certificate.encoding not in ENCODINGS:
        raise Rejected(f"the encoding {certificate.encoding:.80} is not known")
    looks_at = asked(certificate.properties()).looks_at
    if certificate.reduction in WITH_FORMULAS and looks_at != {Aspect.STEP}:
        raise Rejected(f"the reduction {certificate.reduction} keeps errors only")
    if Aspect.RACE in looks_at and certificate.reduction in WITHOUT_RACES:
        raise Rejected(f"the reduction {certificate.reduction} does not keep data races")
    if certificate.symmetric and looks_at != {Aspect.STEP}:
        raise Rejected("where threads are alike, steps are kept only")
    if certificate.symmetric and certificate.reduction not in SYMMETRIC:
        raise Rejected(f"the reduction {certificate.reduction} does not go with threads alike")
    known = [left_open_by(program, read_partial(data)) for data in certificate.facts]
    apart = frozenset(chain.from_iterable(places for _, places in known))
    for place in certificate.synchronised:
        if place not in apart:
            raise Rejected(
                "no facts show that accesses meet none in conflict: {} {} {}".format(*place)
            )
    with Judge(certificate.encoding) as judge:
        alarms = [alarms for alarms, _ in known]
        return _CertificateChecker(program, certificate, alarms, judge).run()


class _CertificateChecker:
    """One run of the checker (mutable)."""

    def __init__(
        self, program: Program, certificate: Certificate, alarms: Sequence[Alarms], judge: Judge
    ) -> None:
        self._program = program
        self._certificate = certificate
        looks_at = asked(certificate.properties()).looks_at
        losses = Aspect.LOSS in looks_at
        self._looks_for = [what for aspect, what in SHOWN.items() if aspect in looks_at]
        racing = next((a.places for a in alarms if Aspect.RACE in _looks_at(a.property)), None)
        options = Options(
            certificate.input_domain,
            certificate.max_threads,
            losses=losses,
            racing=racing,
            open=tuple((its.property, its.places) for its in alarms),
        )
        facts = Facts.of(program).without(certificate.synchronised)
        interpreter = Interpreter(program, options, facts=facts)
        tracked = frozenset(certificate.tracked)
        self._symmetric: SymmetricSystem | None = None
        if certificate.symmetric:
            self._symmetric = symmetric_system(program, options, interpreter, tracked)
        self._system = self._symmetric or SymbolicSystem(program, options, interpreter, tracked)
        _name_threads(interpreter, certificate.threads)
        self._judge = judge
        self._formulas = [read_formula(text, program) for text in certificate.formulas]
        vocabulary = Vocabulary(self._system, self._formulas)
        self._known = Consequences(self._system, vocabulary, judge)
        self._digests: dict[Discrete, str] = {}
        self._texts: Texts = {}
        self._tree = CheckedTree(self._system, vocabulary.names, self._go_on, self._implied_by_step)
        self._discrete = self._tree.discrete  # of the nodes that were reached
        self._labels: dict[int, tuple[Formula, ...]] = {}
        self._todo: list[int] = []
        self._by_others = CoversByOthers(self._symmetric, self._tree, self._labels, self._known)
        self._assumptions: dict[str, None] = {DEFINED_SO_FAR: None} if alarms else {}
        self._steps = 0

    def run(self) -> Accepted:
        root, facts = self._system.initial()
        if not self._is_at(0, root):
            raise Rejected("the root is not where the program begins")
        self._require_alike(0, None, root)
        self._reach(0, root)
        known = self._known.given(root, facts)
        for formula in self._labels[0]:
            require(
                self._judge.implied(known, self._known.settled(root, formula)),
                f"the label of the root does not hold initially: {formula}",
            )
        while self._todo or self._by_others:
            if not self._todo:
                self._by_others.check_one()
                continue
            n = self._todo.pop()
            node = self._node(n)
            if node.covered_by is None:
                self._expanded(n, node)
            elif node.moves:
                self._by_others.add(n, node.covered_by, node.moves)
            else:
                self._covered(n, node.covered_by)
        CONDITIONS[self._certificate.reduction](self._tree)
        return Accepted(
            self._certificate.property, tuple(self._assumptions), len(self._discrete), self._steps
        )

    # -- nodes ----------------------------------------------------------------------------------

    def _node(self, n: int) -> CertifiedNode:
        if n >= len(self._certificate.nodes):
            raise Rejected(f"there is no node {n}")
        return self._certificate.nodes[n]

    def _is_at(self, n: int, d: Discrete) -> bool:
        """Whether node n has the place of `d`."""
        if n in self._discrete:
            return self._discrete[n] == d
        place, places = self._node(n).place, self._certificate.places
        if place >= len(places):
            raise Rejected(f"node {n}: there is no place {place}")
        if d not in self._digests:
            self._digests[d] = place_digest(d, self._texts)
        return places[place].digest == self._digests[d]

    def _reach(self, n: int, d: Discrete) -> None:
        """Queues node n, which stands for states with the discrete part `d`, to be checked."""
        if n in self._discrete:
            return
        self._discrete[n] = d
        label = self._node(n).label
        if max(label, default=-1) >= len(self._formulas):
            raise Rejected(f"node {n}: there is no formula {max(label)}")
        self._labels[n] = tuple(self._formulas[k] for k in label)
        self._todo.append(n)

    def _covered(self, n: int, by: int) -> None:
        d = self._discrete[n]
        if not self._is_at(by, d):
            raise Rejected(f"node {n} is covered by node {by}, which has another place")
        self._reach(by, d)
        known = self._known.given(d, self._labels[n])
        for formula in self._labels[by]:
            require(
                self._judge.implied(known, self._known.settled(d, formula)),
                f"node {n} does not imply what covers it, node {by}: {formula}",
            )
        self._tree.coverers[n] = by

    def _require_alike(self, n: int, before: Discrete | None, d: Discrete) -> None:
        """Rejects a place in which `main` may tell threads apart by its joins."""
        why = "" if self._symmetric is None else self._symmetric.failure(before, d)
        if why:
            raise Rejected(f"node {n}: threads can be told apart: {why}")

    def _expanded(self, n: int, node: CertifiedNode) -> None:
        d = self._discrete[n]
        threads = () if self._system.ended(d) is not None else self._system.threads(d)
        by_name = {self._system.name(t): t for t in threads}
        expanded = node.expanded or {}
        for name in expanded:
            if name not in by_name:
                raise Rejected(f"node {n}: there is no thread {name} to be expanded")
        self._tree.expanded[n] = tuple(by_name[name] for name in expanded)
        self._tree.children[n] = []
        missing = tuple(by_name[name] for name in by_name if name not in expanded)
        if missing:
            self._tree.missing[n] = missing
        known = self._known.given(d, self._labels[n])
        for what in self._looks_for:
            self._show(n, d, known, what)
        for name, children in expanded.items():
            for step in self._system.steps(d, by_name[name]):
                its = [
                    (m, None if (name, k) not in node.when else self._formula(node.when[name, k]))
                    for k, (path, m) in enumerate(children)
                    if path == step.edges
                ]
                self._step(n, known, step, its)
            self._note_overflow(d, known, by_name[name])

    def _show(self, n: int, d: Discrete, known: frozenset[Formula], what: EndShown) -> None:
        """Rejects a node whose states may show this: threads wait for ever,
        NOTE(no-thread-goes-on), or two stand before accesses that race, NOTE(races-in-trees)."""
        for end in self._system.shown(d, what) if self._system.ended(d) is None else ():
            guard = frozenset(self._known.settled(d, f) for f in end.guard)
            impossible = self._judge.impossible(known, guard)
            require(impossible, f"node {n}: {_REJECTED[what]}")

    def _go_on(self, n: int, threads: Iterable[int]) -> Answer:
        """Whether some thread can do a step after which the program goes on, in all states."""
        d = self._discrete[n]
        steps = (step for t in threads for step in self._system.steps(d, t))
        goal = self._known.settled(d, goes_on(steps))
        return self._judge.implied(self._known.given(d, self._labels[n]), goal)

    # -- steps ----------------------------------------------------------------------------------

    def _step(
        self,
        n: int,
        known: frozenset[Formula],
        step: SymbolicStep,
        children: list[tuple[int, Formula | None]],
    ) -> None:
        """Rejects a step that is possible and not taken care of."""
        self._steps += 1
        d = self._discrete[n]
        violation, proved = step.violation, self._certificate.properties()
        if step.fault is None and violation and violation.property not in proved:
            return
        guard = frozenset(self._known.settled(d, f) for f in step.guard)
        name = f"node {n}: the step of {self._system.name(step.thread)} at {self._where(d, step)}"
        if step.violation is not None or step.fault is not None:
            violated = step.violation.property if step.violation is not None else ""
            what = step.fault or f"violates {violated}"
            require(self._judge.impossible(known, guard), f"{name} is not excluded: {what}")
            return
        reason = "has no child"
        found = Answer.NO
        elsewhere: set[Formula] = set()  # where it leads to none of the children so far
        for m, when in children:
            if not self._is_at(m, step.successor):
                continue
            self._require_alike(m, d, step.successor)
            self._reach(m, step.successor)
            where = known | guard
            if when is not None:
                where |= {self._known.settled(d, when)}
            answer, formula = self._known.implied_after(d, where, step, self._labels[m])
            if answer is Answer.YES:
                if when is not None:
                    self._tree.when[n, len(self._tree.children[n])] = when
                    elsewhere.add(self._known.settled(d, neg(when)))
                self._tree.children[n].append((step, m))
                if when is None:
                    return
            elif found is Answer.NO:
                found, reason = answer, f"does not imply the label of node {m}: {formula}"
        excluded = self._judge.impossible(known, guard | elsewhere)
        if excluded is not Answer.YES:
            require(excluded if found is Answer.NO else found, f"{name} {reason}")

    def _formula(self, k: int) -> Formula:
        """The formula under which a step leads to a child."""
        if self._certificate.reduction not in WITH_FORMULAS:
            raise Rejected(f"the reduction {self._certificate.reduction} has no such formulas")
        if k >= len(self._formulas):
            raise Rejected(f"there is no formula {k}")
        return self._formulas[k]

    def _implied_by_step(
        self, n: int, step: SymbolicStep, when: Formula, goals: Iterable[Formula]
    ) -> Answer:
        """Whether the goals hold in all states of a node in which a step is possible, and a formula
        holds."""
        d = self._discrete[n]
        known = self._known.given(d, (*self._labels[n], *step.guard, when))
        answers = (self._judge.implied(known, self._known.settled(d, goal)) for goal in goals)
        return next((answer for answer in answers if answer is not Answer.YES), Answer.YES)

    def _note_overflow(self, d: Discrete, known: frozenset[Formula], t: int) -> None:
        """Notes the assumption that the thread's step does not overflow, unless that is proved."""
        for f, where in self._system.overflows(d, t).items():
            settled = frozenset({self._known.settled(d, f)})
            if self._judge.impossible(known, settled) is not Answer.YES:
                self._assumptions[no_overflow(where)] = None

    def _where(self, d: Discrete, step: SymbolicStep) -> str:
        """Where the step begins."""
        if not step.edges:
            return "an unknown place"
        template = self._program.templates[d.thread(step.thread).template]
        location, edge = step.edges[0]
        return str(template.locations[location].edges[edge].position)


def _looks_at(property: str) -> frozenset[Aspect]:
    return PROPERTIES[property].looks_at


def _name_threads(interpreter: Interpreter, names: tuple[str, ...]) -> None:
    """Gives the threads the ids that the certificate wants. Raises Rejected."""
    ids = {interpreter.views.thread_name(MAIN): MAIN}
    if not names or names[0] not in ids:
        raise Rejected("the first thread is not main")
    for name in names[1:]:
        creator, _, number = name.rpartition(".")
        if creator not in ids or not _NUMBER.fullmatch(number) or name in ids:
            raise Rejected(f"no thread can be called {name:.80}")
        ids[name] = interpreter.context.threads.child(ids[creator], int(number))
