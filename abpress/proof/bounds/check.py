"""The checker of certificates of accesses. NOTE(valid-accesses)

A certificate is accepted if all of this holds, edge by edge:

- *start*: the first thread begins where the certificate says; what is said of a new thread follows
  from what its creator knows, and is about cells that nobody else writes;
- *own steps*: behind an edge that can be taken, one of the stands at its target holds;
- *others*: a stand is about registers and cells that no other thread can write while one stands
  there; what is stored where there may be several threads is in `always`, and so is what cells hold
  when the first thread comes there;
- *ends*: what is said of the end of the only thread of a template follows where it ends, and is
  about cells that nobody writes afterwards, NOTE(ends);
- *accesses*: every load, store and copy is within an object that lives there, but for those of the
  edges that are named as left open (`alarms`).

Of the engine it shares the names of objects and cells, and which cells are held where
(`AccessMemory`); what follows from what, a solver says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Heap
from abpress.config import Alarms, Place
from abpress.ir.expr import Const, Reg
from abpress.ir.program import (
    Edge,
    Exit,
    Overflow,
    Program,
    Spawn,
    goes_on,
)
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, Formula, conj
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.effects import OWN_ID
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import carried, indexed_by
from abpress.modular.handed import ARGUMENT
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand
from abpress.proof.bounds.effects import PROPERTY, EffectChecks
from abpress.proof.bounds.pointers import PointerChecks
from abpress.proof.bounds.telling import TellingChecks
from abpress.proof.bounds.terms import NOT_MOVED, initially
from abpress.proof.bounds.walk import EdgeWalk
from abpress.proof.bounds.well_formed import WellFormed
from abpress.proof.bounds.written import NumberChecks
from abpress.proof.certificate import Accepted, Rejected, Unchecked, require_program
from abpress.proof.judge import Judge
from abpress.proof.modular import check_states
from abpress.semantics.naming import MAIN
from abpress.smt.answer import Answer


def check_bounds(
    program: Program, certificate: BoundsCertificate, facts: Facts | None = None
) -> Accepted:
    """Checks the certificate for the program. Raises Rejected and Unchecked, with the reason."""
    if certificate.alarms:
        raise Rejected(f"it leaves {len(certificate.alarms)} accesses open")
    return _checked(program, certificate, facts)


def bounds_left_open(
    program: Program, certificate: BoundsCertificate
) -> tuple[Alarms, frozenset[Place]]:
    """Checks what the certificate says of all but its alarms, and returns these; it says of no
    accesses that they meet none in conflict. Raises Rejected and Unchecked."""
    _checked(program, certificate, None)
    return Alarms(certificate.property, frozenset(certificate.alarms)), frozenset()


def valid_if_asked(
    program: Program,
    certificate: BoundsCertificate,
    facts: Facts,
    apart: PlacesApart | None,
    expired: Callable[[], bool],
) -> frozenset[Place]:
    """The accesses left open that a check of the certificate would find valid if they were not:
    what follows only from several differences at once, or from a product."""
    with ExitStack() as ends:
        judges = {name: ends.enter_context(Judge("int")) for name in program.templates}
        checker = _AccessChecker(program, certificate, facts, judges, apart)
        alarms = certificate.alarms
        return frozenset(place for place in alarms if not expired() and checker.is_valid(place))


def _checked(program: Program, certificate: BoundsCertificate, facts: Facts | None) -> Accepted:
    require_program(certificate.program, program)
    if certificate.property != PROPERTY:
        raise Rejected(f"facts about accesses do not prove {certificate.property:.80}")
    claims = certificate.claims
    apart = None if claims is None else PlacesApart(check_states(program, claims))
    with ExitStack() as ends:
        # Names of registers are their template's.
        judges = {name: ends.enter_context(Judge("int")) for name in program.templates}
        facts = facts or Facts.of(program)
        return _AccessChecker(program, certificate, facts, judges, apart).run()


class _AccessChecker:
    """One run of the checker (mutable)."""

    def __init__(
        self,
        program: Program,
        certificate: BoundsCertificate,
        facts: Facts,
        judges: Mapping[str, Judge],
        apart: PlacesApart | None,
    ) -> None:
        self._program = program
        self._certificate = certificate
        self._memory = AccessMemory(program, facts, apart)
        self._memory.set_private(certificate.private)
        self._tells = tells = TellingChecks(self._memory, certificate, judges)
        self._pointers = PointerChecks(
            self._memory,
            certificate,
            lambda walk, goal: tells.follows(walk.template, walk, goal) is Answer.YES,
            lambda walk, name, pointed, what: tells.in_bounds(walk, name, None, pointed, what),
        )
        self._numbers = NumberChecks(self._memory, certificate, tells)
        self._always = certificate.always
        self._effects = EffectChecks(
            program,
            certificate,
            self._memory,
            tells,
            self._pointers,
            self._numbers,
            frozenset(certificate.alarms),
        )
        self._wraps = program.signed_overflow is Overflow.WRAP
        self._types = self._memory.types

    def run(self) -> Accepted:
        certificate = self._certificate
        stands = certificate.stands
        WellFormed(self._program, certificate, self._memory, self._pointers, self._types).require()
        self._start()
        for (template, location), its_stands in stands.items():
            for k, edge in enumerate(self._program.templates[template].locations[location].edges):
                for stand in its_stands:
                    self._edge(template, location, k, edge, stand)
        accesses = self._effects.accesses
        return Accepted(PROPERTY, (DEFINED_SO_FAR,), sum(map(len, stands.values())), accesses)

    def is_valid(self, place: Place) -> bool:
        """Whether an edge that is left open keeps what is required of those that are not."""
        template, location, k = place
        edge = self._program.templates[template].locations[location].edges[k]
        self._effects.left_open = frozenset(self._certificate.alarms) - {place}
        try:
            for stand in self._certificate.stands.get((template, location), ()):
                self._edge(template, location, k, edge, stand)
        except (Rejected, Unchecked):
            return False
        return True

    # -- start ----------------------------------------------------------------------------------

    def _start(self) -> None:
        main = self._program.main
        entry = self._program.templates[main].entry
        walk = self._walk(main, entry)
        for name in self._memory.cells:
            initial = self._memory.cells[name].initial
            pointed = initially(initial)
            if pointed is not None:
                walk.pointers[name] = pointed
            elif isinstance(initial, Const) and isinstance(initial.type, IntType):
                walk.values[name] = initial
        own = self._program.templates[main].registers.get(OWN_ID)
        if isinstance(own, IntType):
            walk.values[OWN_ID] = Const(MAIN, own)
        self._pointers.start(walk)
        self._numbers.start(walk)
        if not self._memory.is_alone(main, entry):
            self._publish(main, walk, "before the program begins")
        self._arrive(main, main, entry, walk, f"{main} does not begin")

    def _walk(self, template: str, location: int) -> EdgeWalk:
        types = self._types[template]
        always, rests = self._always, self._certificate.rests
        return EdgeWalk(self._memory, template, location, types, always, rests, self._wraps)

    # -- edges ----------------------------------------------------------------------------------

    def _edge(self, template: str, location: int, k: int, edge: Edge, stand: BoundsStand) -> None:
        if not self._memory.taken(template, location, k):
            return
        walk = self._walk(template, location)
        walk.begin(stand)
        walk.written = self._numbers.written(template, stand)
        walk.suppose(edge.guard)
        if walk.impossible or FALSE in walk.known:
            return
        for n, effect in enumerate(edge.effects):
            if isinstance(effect, Spawn):
                self._spawn(walk, edge, effect)
            else:
                self._effects.apply(walk, edge, Heap(template, location, k, n), effect)
            walk.written = self._memory.addresses.behind(template, walk.written, effect)
        if not goes_on(edge):
            if self._memory.is_alone(template, location):
                self._pointers.publish(walk, walk.unshared, f"behind {edge.position}")
            end = self._certificate.ends.get(template)
            if end is not None and not isinstance(edge.effects[-1], Exit):
                goal = self._said(walk, end)
                self._tells.require(
                    template, walk, goal, f"{template} ends otherwise at {edge.position}"
                )
            return
        alone = self._memory.is_alone(template, location)
        if alone and not self._memory.is_alone(template, edge.target):
            self._publish(template, walk, f"behind {edge.position}")
        what = f"behind {template} {location} {k}"
        self._arrive(template, template, edge.target, walk, what)

    def _arrive(
        self, creator: str, template: str, location: int, walk: EdgeWalk, what: str
    ) -> None:
        """Requires that one of the stands follows; `creator` has the registers that are meant."""
        for name in sorted(self._memory.ended(template, location)):
            end = self._certificate.ends.get(name)
            if end is not None:
                walk.known.update(map(walk.difference, end.differences))
                for cell, places in end.pointers.items():
                    walk.pointers.setdefault(cell, (places, NOT_MOVED))
        for stand in self._certificate.stands.get((template, location), ()):
            goal = self._said(walk, stand)
            if goal is not FALSE and self._tells.follows(creator, walk, goal) is Answer.YES:
                return
        self._tells.require(
            creator, walk, FALSE, f"{what}: nothing that is said of {template} {location} follows"
        )

    def _said(self, walk: EdgeWalk, stand: BoundsStand) -> Formula:
        """The formula of what a stand says."""
        flags = (walk.flag(name, value) for name, value in stand.flags.items())
        if not walk.unshared <= set(stand.fresh) or stand.same.items() - walk.same.items():
            return FALSE
        if not self._numbers.written(walk.template, stand) <= walk.written:
            return FALSE
        pointers = (walk.among(name, places) for name, places in stand.pointers.items())
        indices = map(walk.index, filter(None, map(indexed_by, sorted(stand.numbers()))))
        numbers = (*map(walk.difference, stand.differences), *map(walk.rest, stand.rests))
        wrapped = map(walk.wrapped, stand.wrapped)
        return conj((*flags, *pointers, *indices, *numbers, *wrapped))

    def _publish(self, template: str, walk: EdgeWalk, where: str) -> None:
        """What cells hold when the first thread is created must be in `always`."""
        self._pointers.publish(walk, walk.unshared, where)
        for cell in dict.fromkeys((*self._always, *(x for x, *_ in self._certificate.rests))):
            if cell.endswith("@count") or cell not in self._memory.cells:
                continue
            type = self._types[template][cell]
            value = walk.values.get(cell, Reg(cell, type)) if isinstance(type, IntType) else None
            pointed = walk.pointers.get(cell)
            what = f"what {cell} holds {where} is not among what it may hold"
            self._tells.in_bounds(walk, cell, value, pointed, what)

    def _spawn(self, walk: EdgeWalk, edge: Edge, effect: Spawn) -> None:
        self._pointers.publish(walk, walk.unshared, f"at {edge.position}")
        number = self._effects.handed(walk, effect.argument)
        self._effects.forget(walk, effect.target)
        if self._memory.is_alone(walk.template, walk.location):
            self._publish(walk.template, walk, f"at {edge.position}")
        child = effect.template
        entry = self._program.templates[child].entry
        holds = self._memory.holds
        begun = self._walk(child, entry)
        given = carried(ARGUMENT)
        begun.types = {**self._types[walk.template]}
        begun.known, begun.fresh = set(walk.known), walk.fresh
        types = self._types[walk.template]
        for name in self._types[child].keys() - self._memory.cells.keys():
            if isinstance(types.get(name), IntType):
                begun.values[name] = begun.variable(types[name])
        begun.values |= {n: v for n, v in walk.values.items() if holds(child, entry, n)}
        if given in self._types[child]:
            type = begun.types[given] = self._types[child][given]
            begun.values[given] = begun.variable(type) if number is None else number
        begun.written = self._memory.addresses.handed(walk.template, walk.written, effect)
        begun.pointers = {n: p for n, p in walk.pointers.items() if holds(child, entry, n)}
        passed = walk.address(effect.argument)
        if passed is not None and self._tells.may_be_told(passed[0]):
            begun.pointers[ARGUMENT] = passed
        for stand in self._certificate.stands.get((child, entry), ()):
            if (
                stand.flags
                or stand.wrapped
                or not all(n == given or holds(child, entry, n) for n in stand.numbers())
            ):
                raise Rejected(f"{child} knows of its registers where it begins")
        self._arrive(walk.template, child, entry, begun, f"{child} does not begin")
