"""Unsequenced accesses to one scalar of which one is a write: undefined behaviour (C11 6.5p2).

Accesses by different calls, or by a call and what stands beside it, are sequenced, if in an order
that is left open. Whether two accesses are to the same scalar may depend on the execution: then
the graph compares the addresses, of accesses in conditionals only if they have happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abpress.ir.expr import FALSE, TRUE, Addr, Binary, Compare, Expr, Reg, negate
from abpress.ir.program import AccessKind, Assign, Effect, Fault, GuardKind
from abpress.ir.types import INT
from abpress_frontend.lower.accesses import Access, accesses, same_scalar
from abpress_frontend.lower.ctypes import Bits
from abpress_frontend.lower.flow import region
from abpress_frontend.lower.graph import Draft, GraphBuilder
from abpress_frontend.lower.pointing import Pointing
from abpress_frontend.lower.sequencing import Evaluation, Kind, Part

MOST = 64
"""Parts with more accesses than this, which copy large objects, are not looked into."""


@dataclass(eq=False, slots=True)
class _Touch:
    """A variable that is a register, or memory, is read or written in a part. In a conditional this
    happens where an execution takes one of the edges `on`; elsewhere, in all executions."""

    writes: bool
    register: Reg | None
    access: Access | None
    bits: Bits | None
    on: tuple[Draft, ...]
    happened: Reg | None = None


def report_unsequenced(
    name: str, graph: GraphBuilder, evaluation: Evaluation, pointing: Pointing, old: int
) -> bool:
    """Puts faults where unsequenced accesses of the evaluation are to one scalar. Locations
    from number `old` on were made after it. Returns whether every execution has a fault."""
    report = _Report(name, graph, evaluation, pointing, old)
    report.find()
    return report.write()


class _Report:
    """What is found in one evaluation."""

    def __init__(
        self, name: str, graph: GraphBuilder, evaluation: Evaluation, pointing: Pointing, old: int
    ) -> None:
        self.name = name
        self.graph = graph
        self.evaluation = evaluation
        self.pointing = pointing
        self.old = old
        self.always: str | None = None
        self.tests: list[tuple[Expr, str]] = []
        self.records: list[Assign] = []

    def find(self) -> None:
        """Compares the parts whose order is open."""
        before = self.evaluation.sequenced()
        touches = [list(self._touches(part, False)) for part in self.evaluation.parts]
        for j, second in enumerate(touches):
            if not second or before[j].bit_count() == j:
                continue
            for i in range(j):
                if not before[j] >> i & 1:
                    for a in touches[i]:
                        for b in second:
                            if a.writes or b.writes:
                                self._compare(a, b)

    def _touches(self, part: Part, conditional: bool) -> Iterator[_Touch]:
        if part.kind is Kind.READ:
            on = tuple(self.graph.out[part.start]) if conditional else ()
            yield _Touch(False, part.register, None, None, on)
        elif part.kind is Kind.BRANCHING:
            for evaluation in part.inner:
                for inner in evaluation.parts:
                    yield from self._touches(inner, True)
        elif part.kind is not Kind.CALL:
            found: list[_Touch] = []
            for at in region(self.graph, part, self.old):
                for draft in self.graph.out[at]:
                    found += self._of_edge(draft, part, conditional)
            if len(found) <= MOST:
                yield from found

    def _of_edge(self, draft: Draft, part: Part, conditional: bool) -> Iterator[_Touch]:
        on = (draft,) if conditional else ()
        for effect in draft.effects:
            if isinstance(effect, Assign) and not effect.target.name.startswith("%"):
                yield _Touch(True, effect.target, None, None, on)
        for access in accesses(self.name, draft, self.pointing):
            yield _Touch(access.writes, None, access, part.bits, on)

    def _compare(self, a: _Touch, b: _Touch) -> None:
        if a.register is not None or b.register is not None:
            if a.register == b.register and a.register is not None:
                self._found(a, b, a.register.name.partition("#")[0], [])
            return
        assert a.access is not None and b.access is not None
        same = same_scalar(a.access, b.access)
        if same is False or (a.bits != b.bits and (a.bits or b.bits)):
            return
        base = a.access.address
        what = base.object if isinstance(base, Addr) else "an object"
        test: list[Expr] = [] if same else [Compare("==", a.access.address, b.access.address)]
        self._found(a, b, what, test)

    def _found(self, a: _Touch, b: _Touch, what: str, test: list[Expr]) -> None:
        """Both are to the same scalar if the test holds and both happen."""
        message = f"unsequenced accesses to {what}, one of which writes"
        happened = [self._happened(t) for t in (a, b) if t.on]
        conditions = [*happened, *test]
        if not conditions:
            self.always = self.always or message
            return
        condition = conditions[0]
        for more in conditions[1:]:
            condition = Binary("&", condition, more)
        self.tests.append((condition, message))

    def _happened(self, touch: _Touch) -> Expr:
        """A register that is 1 if the access has happened, else 0."""
        if touch.happened is None:
            touch.happened = self.graph.temporary(INT)
            for draft in touch.on:
                draft.effects = (*draft.effects, Assign(touch.happened, TRUE))
            self.records.append(Assign(touch.happened, FALSE))
        return touch.happened

    # -- the graph ----------------------------------------------------------------------------

    def write(self) -> bool:
        """Changes the graph."""
        evaluation, end = self.evaluation, self.evaluation.end
        if self.always is not None:
            always = self._edge(evaluation.start, TRUE, Fault(self.always))
            self.graph.out[evaluation.start] = [always]
            return True
        if not self.tests or end is None:
            return False
        check = self._location()
        _end_at(self.graph, evaluation, end, check, self.old)
        for condition, message in self.tests:
            following, fault = self._location(), self._location()
            self.graph.out[check] = [
                self._edge(fault, condition),
                self._edge(following, negate(condition)),
            ]
            self.graph.out[fault] = [self._edge(fault, TRUE, Fault(message))]
            check = following
        self.graph.out[check] = [self._edge(end, TRUE, *self.records)]
        if self.records:  # they are 0 before the evaluation, too
            begin = self._location()
            self.graph.out[begin] = self.graph.out[0]
            self.graph.out[0] = [self._edge(begin, TRUE, *self.records)]
        return False

    def _location(self) -> int:
        return self.graph.more(self.evaluation.calls, self.evaluation.blocks)

    def _edge(self, target: int, guard: Expr, *effects: Effect) -> Draft:
        at = self.evaluation.position
        return Draft(target, guard, GuardKind.BRANCH, effects, at, AccessKind.PLAIN, 0)


def _end_at(graph: GraphBuilder, evaluation: Evaluation, end: int, new: int, old: int) -> None:
    """Lets the evaluation, and those that end with it, end at another location."""
    evaluation.end = new
    for part in evaluation.parts:
        if part.end != end:
            continue
        for at in list(region(graph, part, old)):
            for draft in graph.out[at]:
                if draft.target == end and not draft.ends:
                    draft.target = new
        part.end = new
        for inner in part.inner:
            if inner.end == end:
                _end_at(graph, inner, end, new, old)
