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
from abpress.ir.expr import Compare, Const, Convert, Expr, Reg
from abpress.ir.program import (
    VALID_DEREF,
    Alloc,
    Assign,
    Copy,
    Cut,
    Edge,
    Effect,
    Exit,
    Fault,
    Finish,
    Havoc,
    Load,
    Overflow,
    Program,
    Spawn,
    Store,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType, PtrType
from abpress.logic.formula import FALSE, Formula, conj, holds
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.effects import OWN_ID
from abpress.modular.bounds.indexed import indexed_by
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import COUNT, count_of
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand
from abpress.proof.bounds.pointers import PointerChecks
from abpress.proof.bounds.telling import TellingChecks
from abpress.proof.bounds.walk import (
    NOT_MOVED,
    EdgeWalk,
    Pointed,
    between,
    converted,
    initially,
    wide_type,
)
from abpress.proof.bounds.well_formed import WellFormed
from abpress.proof.certificate import Accepted, Rejected, Unchecked, require_program
from abpress.proof.judge import Judge
from abpress.proof.modular import check_states
from abpress.semantics.naming import MAIN
from abpress.smt.answer import Answer

PROPERTY = VALID_DEREF


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
        self._always = certificate.always
        self._left_open = frozenset(certificate.alarms)
        self._wraps = program.signed_overflow is Overflow.WRAP
        self._types = self._memory.types
        self._accesses = 0

    def run(self) -> Accepted:
        certificate = self._certificate
        stands = certificate.stands
        WellFormed(self._program, certificate, self._memory, self._pointers, self._types).require()
        self._start()
        for (template, location), its_stands in stands.items():
            for k, edge in enumerate(self._program.templates[template].locations[location].edges):
                for stand in its_stands:
                    self._edge(template, location, k, edge, stand)
        return Accepted(PROPERTY, (DEFINED_SO_FAR,), sum(map(len, stands.values())), self._accesses)

    def is_valid(self, place: Place) -> bool:
        """Whether an edge that is left open keeps what is required of those that are not."""
        template, location, k = place
        edge = self._program.templates[template].locations[location].edges[k]
        self._left_open = frozenset(self._certificate.alarms) - {place}
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
        walk.suppose(edge.guard)
        if walk.impossible or FALSE in walk.known:
            return
        for n, effect in enumerate(edge.effects):
            self._effect(walk, edge, Heap(template, location, k, n), effect)
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
        pointers = (walk.among(name, places) for name, places in stand.pointers.items())
        indices = map(walk.index, filter(None, map(indexed_by, sorted(stand.numbers()))))
        numbers = (*map(walk.difference, stand.differences), *map(walk.rest, stand.rests))
        return conj((*flags, *pointers, *indices, *numbers))

    # -- effects --------------------------------------------------------------------------------

    def _effect(self, walk: EdgeWalk, edge: Edge, site: Heap, effect: Effect) -> None:
        at = site.template, site.location
        match effect:
            case Assign(target, value):
                self._assign(walk, target, value)
            case Load(target, address):
                self._access(walk, site, address, target.type.size)
                self._load(walk, effect, target, address, site.edge)
            case Store(address, value):
                self._access(walk, site, address, value.type.size, True)
                if not self._pointers.store(walk, effect, at, f"at {edge.position}"):
                    self._store(walk, edge, address, value)
            case Copy(target_, source, size):
                if size:
                    self._access(walk, site, target_, size, True)
                    self._access(walk, site, source, size)
                self._pointers.copy(walk, target_, source, at, f"at {edge.position}")
            case Havoc(target, _, low, high) if isinstance(target.type, IntType):
                variable = walk.variable(target.type)
                least = target.type.minimum if low is None else low
                most = target.type.maximum if high is None else high
                walk.known.update(between(variable, (least, most)))
                self._set(walk, target.name, variable, None)
            case Alloc():
                self._allocate(walk, edge, site, effect)
            case Spawn(target, child, argument):
                self._spawn(walk, edge, target, child, argument)
            case Finish(result):
                self._pointers.publish_carried(walk, result, f"at {edge.position}")
            case Cut(reason):
                self._tells.require(
                    walk.template, walk, FALSE, f"a bound of the tool may be reached: {reason}"
                )
            case Fault(kind, property) if property == PROPERTY:
                if (site.template, site.location, site.edge) not in self._left_open:
                    what = f"{kind} may happen at {edge.position}"
                    self._tells.require(walk.template, walk, FALSE, what)
            case _:
                target_of = effect_target(effect)
                if target_of is not None:
                    self._forget(walk, target_of)

    def _set(self, walk: EdgeWalk, name: str, value: Expr | None, pointed: Pointed | None) -> None:
        walk.values.pop(name, None)
        walk.pointers.pop(name, None)
        walk.overwritten(name)
        if value is not None:
            walk.values[name] = value
        if pointed is not None:
            walk.pointers[name] = pointed

    def _forget(self, walk: EdgeWalk, r: Reg) -> None:
        self._set(walk, r.name, walk.variable(r.type), None)

    def _assign(self, walk: EdgeWalk, target: Reg, value: Expr) -> None:
        if value == target:
            return
        if isinstance(target.type, PtrType):
            self._set(walk, target.name, None, walk.address(value))
        elif isinstance(value, Reg) and value.name in self._memory.wild[walk.template]:
            self._forget(walk, target)
        else:
            self._set(walk, target.name, walk.evaluate(value), None)

    def _load(self, walk: EdgeWalk, effect: Load, target: Reg, address: Expr, k: int) -> None:
        cells, exact = self._memory.reached(walk.template, address, target.type.size)
        if not exact:
            self._pointers.read(walk, effect)
            return
        cell = cells[0]
        type = self._types[walk.template][cell]
        if isinstance(type, PtrType):
            pointed = walk.pointers.get(cell)
            content = self._always.get(cell)
            alone = self._memory.is_alone(walk.template, walk.location)
            if pointed is None and not alone and isinstance(content, frozenset):
                pointed = content, NOT_MOVED
            if pointed is not None:
                places, moved = pointed
                read = self._memory.read(walk.template, walk.location, k, cell, places)
                walk.impossible |= bool(places) and not read
                pointed = read, moved
            self._set(walk, target.name, None, pointed)
        else:
            value = walk.values.get(cell, Reg(cell, type))
            its = value if type == target.type else Convert(value, target.type)
            self._set(walk, target.name, its, None)

    def _store(self, walk: EdgeWalk, edge: Edge, address: Expr, value: Expr) -> None:
        cells, exact = self._memory.reached(walk.template, address, value.type.size)
        for cell in cells:
            type = self._types[walk.template][cell]
            what = f"what is written to {cell} at {edge.position} is not among what it may hold"
            if isinstance(type, PtrType):
                pointed = walk.address(value)
                self._tells.told(walk, cell, None, pointed, what)
                told = pointed is not None and self._pointers.may_be_in_cell(walk, pointed[0])
                self._set(walk, cell, None, pointed if exact and told else None)
                continue
            wild = isinstance(value, Reg) and value.name in self._memory.wild[walk.template]
            new: Expr = walk.variable(type) if wild else walk.evaluate(value)
            if new.type != type:
                new = Convert(new, type)
            self._tells.told(walk, cell, new, None, what)
            self._set(walk, cell, new if exact else walk.variable(type), None)

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

    def _allocate(self, walk: EdgeWalk, edge: Edge, site: Heap, effect: Alloc) -> None:
        object = self._pointers.allocate(walk, effect, site, f"at {edge.position}")
        count = count_of(object)
        type = wide_type(effect.count.type)
        number = converted(walk.evaluate(effect.count), type)
        least = self._always.get(count)
        if isinstance(least, tuple):
            what = f"what is allocated at {edge.position} may be smaller"
            enough = holds(Compare(">=", number, Const(least[0], type)))
            self._tells.require(walk.template, walk, enough, what)
        fits = conj(between(number, (COUNT.minimum, COUNT.maximum)))
        exact = self._memory.is_one(count)
        exact = exact and self._tells.follows(walk.template, walk, fits) is Answer.YES
        self._set(walk, count, Convert(number, COUNT) if exact else walk.variable(COUNT), None)
        self._set(walk, effect.target.name, None, (frozenset({(object, 0, 0)}), NOT_MOVED))

    def _spawn(self, walk: EdgeWalk, edge: Edge, target: Reg, child: str, argument: Expr) -> None:
        self._pointers.publish(walk, walk.unshared, f"at {edge.position}")
        self._forget(walk, target)
        if self._memory.is_alone(walk.template, walk.location):
            self._publish(walk.template, walk, f"at {edge.position}")
        entry = self._program.templates[child].entry
        holds = self._memory.holds
        begun = self._walk(child, entry)
        begun.types = self._types[walk.template]
        begun.known, begun.fresh = set(walk.known), walk.fresh
        types = self._types[walk.template]
        for name in self._types[child].keys() - self._memory.cells.keys():
            if isinstance(types.get(name), IntType):
                begun.values[name] = begun.variable(types[name])
        begun.values |= {n: v for n, v in walk.values.items() if holds(child, entry, n)}
        begun.pointers = {n: p for n, p in walk.pointers.items() if holds(child, entry, n)}
        passed = walk.address(argument)
        if passed is not None and self._tells.may_be_told(passed[0]):
            begun.pointers["$arg"] = passed
        for stand in self._certificate.stands.get((child, entry), ()):
            if stand.flags or not all(holds(child, entry, n) for n in stand.numbers()):
                raise Rejected(f"{child} knows of its registers where it begins")
        self._arrive(walk.template, child, entry, begun, f"{child} does not begin")

    # -- accesses -------------------------------------------------------------------------------

    def _access(
        self, walk: EdgeWalk, site: Heap, address: Expr, size: int, writes: bool = False
    ) -> None:
        place = site.template, site.location, site.edge
        if place in self._left_open:
            return
        self._accesses += 1
        goal = walk.access(address, size, writes)
        edge = self._program.templates[site.template].locations[site.location].edges[site.edge]
        what = f"the access at {edge.position} may be invalid"
        self._tells.require(walk.template, walk, goal, what)
