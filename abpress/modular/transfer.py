"""One edge: from what a thread knows before it to what it knows behind it, and what it tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from abpress.analysis.registers import TID
from abpress.ir.expr import Expr, Reg
from abpress.ir.program import (
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Cut,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
    Fault,
    Finish,
    Free,
    Havoc,
    Join,
    Leave,
    Load,
    Spawn,
    Store,
    effect_target,
)
from abpress.ir.types import PtrType
from abpress.modular.addresses import AddressedCell, NamedAddress
from abpress.modular.expressions import copied
from abpress.modular.memory import MemorySteps
from abpress.modular.spots import Aimed, Spot, allocations, site_name, status
from abpress.modular.state import Known
from abpress.modular.valuation import Valuation, Variable
from abpress.modular.values import (
    ONE,
    ZERO,
    AddressOf,
    Atom,
    Number,
    Origin,
    Routine,
    Self,
    Thread,
    Value,
    meet,
    seen_by_child,
    seen_by_other,
    translated,
)

FINISHED: Value = frozenset({Number(2)})
_TOLD = (Number, AddressOf, Self, Thread, Routine)
"""Atoms of which it is known what addresses they are."""
_MOST_CHOICES = 4


@dataclass(frozen=True, slots=True)
class Accessed:
    """An access of an effect to memory: where it may go; and the address, of what threads hold that
    stand before the edge."""

    effect: int
    aims: tuple[Aimed, ...]
    size: int
    writes: bool
    address: NamedAddress | None = None


class ClassTransfer(MemorySteps):
    """The edges of one class of threads. `given` is what others do, `noticed` what this one does.

    With `occurrences` > 0 so many creations by one edge are told apart.
    """

    def before(self, edge: Edge, known: Known) -> Known | None:
        """What is known where the guard holds; None if it cannot."""
        return self._evaluator.assumed(edge.guard, known)

    def may_take(self, edge: Edge, states: Iterable[Known]) -> bool:
        """Whether its guard may hold in one of these states."""
        return any(self.before(edge, known) is not None for known in states)

    def behind(self, location: int, k: int, known: Known, key: tuple[object, ...]) -> Known | None:
        """What is known behind the edge; None if it cannot be taken, or the thread does not go on.

        `key` tells sets of states of one location apart.
        """
        edge = self._template.locations[location].edges[k]
        after = self.before(edge, known)
        for n, effect in enumerate(edge.effects):
            if after is None:
                return None
            after = self._effect((self._cls, location, k, n), effect, after, key)
        return after

    def effects(self, location: int, k: int, known: Known) -> Iterator[tuple[Effect, Known]]:
        """The effects of an edge, as far as they can be reached, each with what is known then."""
        edge = self._template.locations[location].edges[k]
        now = self.before(edge, known)
        for n, effect in enumerate(edge.effects):
            if now is None:
                return
            yield effect, now
            if n + 1 < len(edge.effects):
                now = self._effect((self._cls, location, k, n), effect, now, None)

    def accesses(
        self, location: int, k: int, known: Known, lifetimes: bool = False
    ) -> Iterator[tuple[Accessed, Known]]:
        """The accesses of an edge to memory, each with what is known before the edge; to free an
        object is one, and to begin or end other `lifetimes` may be one, of the whole object."""
        start = known
        for n, (effect, now) in enumerate(self.effects(location, k, known)):
            start = now if n == 0 else start
            match effect:
                case Load(target, address):
                    yield self._accessed(n, address, target.type.size, False, now), start
                case Store(address, value):
                    yield self._accessed(n, address, value.type.size, True, now), start
                case Copy(to, of, size):
                    yield self._accessed(n, to, size, True, now), start
                    yield self._accessed(n, of, size, False, now), start
                case _:
                    pass
            frees = isinstance(effect, Free) and not effect.automatic
            for aims in self._lives(effect, now) if lifetimes or frees else ():
                whole = tuple(replace(aim, offset=0, stride=1) for aim in aims)
                yield Accessed(n, whole, 1, True), start

    def _accessed(self, n: int, address: Expr, size: int, writes: bool, known: Known) -> Accessed:
        its = None if n else self._elements.address(address, known)
        return Accessed(n, tuple(self.aims(address, known)), size, writes, its)

    def _lives(self, effect: Effect, known: Known) -> Iterator[list[Aimed]]:
        """The objects whose lifetimes an effect begins or ends."""
        match effect:
            case Free(address):
                yield self.aims(address, known)
            case Enter(name) | Leave(name):
                yield [self._of_own(Origin("local", self._cls, name))]
            case Finish():
                for name in self._template.locals:
                    yield [self._of_own(Origin("local", self._cls, name))]
                for i, k, n, alloc in allocations(self._template):
                    if alloc.automatic:
                        yield [self._of_own(Origin("heap", self._cls, site_name(i, k, n)))]
            case _:
                pass

    def _of_own(self, origin: Origin) -> Aimed:
        return Aimed(origin, 0, 0, not self._spots.singular(origin))

    # -- effects --------------------------------------------------------------------------------

    def _effect(
        self,
        point: tuple[int, int, int, int],
        effect: Effect,
        known: Known,
        key: tuple[object, ...] | None,
    ) -> Known | None:
        """`key` None: nobody is told."""
        match effect:
            case Assign(target, value):
                return self._assign(target, value, known)
            case Havoc(target, _, low, high):
                chosen: Value = None
                if low is not None and high is not None and high - low < _MOST_CHOICES:
                    chosen = frozenset(Number(n) for n in range(low, high + 1))
                return known.but([(target.name, chosen)])
            case ChooseBit(target, _):
                return known.but([(target.name, None)])
            case Load(target, address):
                return self._load(target.name, target.type, address, known)
            case Store(address, value):
                return self._store(point, key, address, value, known)
            case Copy(to, of, size):
                return self._copy(point, key, to, of, size, known)
            case Enter(name):
                origin = Origin("local", self._cls, name)
                initial = self._spots.initial(self._template.locals[name], self._cls)
                return self._made(point, key, origin, initial, known)
            case Leave():
                return known
            case Alloc():
                return self._alloc(point, key, effect, known)
            case Free():
                return known
            case Spawn():
                return self._spawn(point, key, effect, known)
            case Join(target, thread):
                return self._join(target.name, thread, known)
            case Finish(result):
                self._finish(point, key, result, known)
                return None
            case Exit() | Fail() | Fault():
                return None
            case Cut(reason):
                if key is not None:
                    self._noticed.doubts.setdefault(reason)
                return None

    def _assign(self, target: Reg, e: Expr, known: Known) -> Known:
        value = self._evaluator.value(e, known)
        after = known.but([(target.name, value)])
        cell = copied(e, known)
        if cell is not None:
            names = cell.address.names if isinstance(cell, AddressedCell) else ()
            return after if target.name in names else after.copying(target.name, cell)
        if isinstance(target.type, PtrType) and not self._is_named(value):
            address = self._elements.assigned(target.name, e, known)
            if address is not None:
                return after.holding(target.name, address)
        return after

    def _is_named(self, value: Value) -> bool:
        """Whether it is the address of one byte of an object of which there are facts by name."""
        atoms = value or ()
        return len(atoms) == 1 and all(
            isinstance(a, AddressOf) and not a.stride and self._spots.followed(a.origin, a.own)
            for a in atoms
        )

    # -- threads --------------------------------------------------------------------------------

    def _spawn(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        effect: Spawn,
        known: Known,
    ) -> Known:
        child = self._child(point, effect, known)
        argument = self._evaluator.value(effect.argument, known)
        handed = self._handed_over(point, argument, known)
        known = self._given_away(effect.argument, argument, known)
        unique = self._classes.unique(child)
        spot = status(child)
        after = known.but([(spot, ONE)])
        if key is not None:
            if unique and known.get(spot) not in (ZERO, None):
                self._classes.many.add(child)
            self._tell(point, key, spot, True, known, ONE)
            translate = seen_by_child(self._cls)
            entry: dict[Variable, frozenset[Atom]] = {}
            for variable, atoms in after.values.items():
                if isinstance(variable, Spot) and self._spots.singular(variable.origin):
                    seen = translated(atoms, translate)
                    if seen is not None:
                        entry[variable] = seen
            argument = translated(argument, translate)
            if argument is not None:
                entry["$arg"] = frozenset(
                    replace(a, fresh=True) if isinstance(a, AddressOf) and a.origin in handed else a
                    for a in argument
                )
            self._noticed.globals.begin(child, Known(Valuation.of(entry)))
        return after.but([(effect.target.name, frozenset({Thread(child, True)}))])

    def _handed_over(
        self, point: tuple[int, int, int, int], argument: Value, known: Known
    ) -> set[Origin]:
        """The origins of the fresh objects of an argument that belong to the new thread from now
        on, as its creator keeps no address of them. NOTE(handed-over)"""
        its = [atom for atom in argument or () if isinstance(atom, AddressOf)]
        handed = {a.origin for a in its if a.fresh} - {a.origin for a in its if not a.fresh}
        handed = {origin for origin in handed if not self._spots.allocation(origin).automatic}
        if not handed:
            return handed
        _, location, k, n = point
        edge = self._template.locations[location].edges[k]
        liveness = self._spots.liveness(self._template.name)
        live = liveness.behind(edge)
        for later in reversed(edge.effects[n + 1 :]):
            live = liveness.before(later, live)
        target = effect_target(edge.effects[n])
        for name in live - {TID} - ({target.name} if target is not None else set()):
            handed -= self._reached(Reg(name, self._template.registers[name]), known)
        return handed

    def _reached(self, register: Reg, known: Known) -> set[Origin]:
        """The origins of objects of which a register may hold an address."""
        value = self._evaluator.value(register, known)
        if value is not None and all(isinstance(atom, _TOLD) for atom in value):
            return {atom.origin for atom in value if isinstance(atom, AddressOf)}
        return {aim.origin for aim in self._spots.anywhere(self._cls, register)}

    def _child(self, point: tuple[int, int, int, int], effect: Spawn, known: Known) -> int:
        """The class of the new thread: the first occurrence that is known not to be there yet."""
        site = (point[1], point[2])
        name = effect.template
        if not self._occurrences:
            return self._classes.created(self._cls, site, name, 0)
        for n in range(self._occurrences):
            child = self._classes.created(self._cls, site, name, n)
            if known.get(status(child)) == ZERO or not self._classes.unique(child):
                return child
        return self._classes.created(self._cls, site, name, None)

    def _join(self, register: str, thread: Expr, known: Known) -> Known | None:
        handle = self._evaluator.value(thread, known)
        if handle is not None and len(handle) == 1:
            (atom,) = handle
            if isinstance(atom, Thread) and self._classes.unique(atom.cls):
                end = self._given.ends.get(atom.cls)
                if end is None:
                    return None  # it has not been found to end
                return self._met(register, atom.cls, end, known)
        return known.but([(register, None)])

    def _met(self, register: str, cls: int, end: tuple[Known, Value], known: Known) -> Known | None:
        """What is known when a thread is known to have ended, as it leaves things."""
        facts, result = end
        facts = self._interference.closed(cls, facts)  # others may have gone on since
        translate = seen_by_other(cls, self._cls, self._classes.unique)
        more: list[tuple[Variable, Value]] = [(status(cls), FINISHED)]
        for variable, atoms in facts.values.items():
            seen = translated(atoms, translate)
            if seen is None or variable == status(cls):
                continue
            both = meet(known.get(variable), seen)
            if both is not None and not both:
                return None
            more.append((variable, both))
        return known.refined(more).but([(register, translated(result, translate))])

    def _finish(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        result: Expr,
        known: Known,
    ) -> None:
        if key is None:
            return
        left: dict[Variable, frozenset[Atom]] = {}
        for variable, atoms in known.values.items():
            if isinstance(variable, Spot):
                origin = variable.origin
                own = origin.kind == "local" and origin.owner == self._cls
                if self._spots.singular(origin) and not own:
                    left[variable] = atoms
        spot = status(self._cls)
        end = Known(Valuation.of(left))
        if self._classes.unique(self._cls):
            self._tell(point, key, spot, True, known, FINISHED)
            end = end.but([(spot, FINISHED)])
        self._noticed.globals.end(self._cls, end, self._evaluator.value(result, known))
