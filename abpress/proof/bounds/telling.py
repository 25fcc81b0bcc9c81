"""What the checker of accesses asks a solver, and what threads may tell each other.
NOTE(valid-accesses)"""

from __future__ import annotations

from collections.abc import Mapping

from abpress.ir.expr import Expr
from abpress.logic.formula import FALSE, Formula, conj
from abpress.modular.bounds.memory import AccessMemory
from abpress.proof.bounds.certificate import BoundsCertificate, Places
from abpress.proof.bounds.terms import Pointed, among, between, multiple
from abpress.proof.bounds.walk import EdgeWalk
from abpress.proof.certificate import Rejected, Unchecked
from abpress.proof.judge import Judge
from abpress.smt.answer import Answer


class TellingChecks:
    """Whether what is said of a thread follows, and what is told others is in `always`. There is a
    judge for each template."""

    def __init__(
        self, memory: AccessMemory, certificate: BoundsCertificate, judges: Mapping[str, Judge]
    ) -> None:
        self._memory = memory
        self._certificate = certificate
        self._always = certificate.always
        self._judges = judges

    def may_be_told(self, places: Places) -> bool:
        """Whether others may be told of the places: no object is fresh, and each name means one."""
        return all(self._memory.objects.may_be_told(o) for o, *_ in places)

    def require(self, template: str, walk: EdgeWalk, goal: Formula, what: str) -> None:
        """Raises Rejected, or Unchecked, unless the goal follows."""
        answer = self.follows(template, walk, goal)
        if answer is Answer.UNKNOWN:
            raise Unchecked(f"{what}: the solver does not know")
        if answer is Answer.NO:
            raise Rejected(what)

    def follows(self, template: str, walk: EdgeWalk, goal: Formula) -> Answer:
        """Whether the goal follows; names of registers are those of the template."""
        if walk.impossible:
            return Answer.YES
        return self._judges[template].implied(frozenset(walk.known), goal)

    def told(
        self, walk: EdgeWalk, cell: str, value: Expr | None, pointed: Pointed | None, what: str
    ) -> None:
        """What is written while there are several threads must be in `always`."""
        if self._memory.is_alone(walk.template, walk.location):
            return
        self.in_bounds(walk, cell, value, pointed, what)

    def in_bounds(
        self, walk: EdgeWalk, cell: str, value: Expr | None, pointed: Pointed | None, what: str
    ) -> None:
        """What a cell gets must be among what it may hold. Raises Rejected and Unchecked."""
        content = self._always.get(cell)
        if isinstance(content, frozenset):
            told = pointed is not None and self.may_be_told(pointed[0])
            goal = among(pointed, content) if told and pointed is not None else FALSE
            self.require(walk.template, walk, goal, what)
        elif content is not None:
            assert value is not None
            self.require(walk.template, walk, conj(between(value, content)), what)
        for name, modulus, rest in self._certificate.rests:
            if name == cell:
                assert value is not None
                self.require(walk.template, walk, multiple(value, modulus, rest), what)
