"""What the memory effects of a thread do to what it knows, and what others notice of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from abpress.ir.bounds import bounds
from abpress.ir.expr import Binary, Expr, PtrAdd
from abpress.ir.program import Alloc
from abpress.ir.types import Cell, IntType, Layout, Scalar
from abpress.modular.elements import ElementSteps, Overwriting
from abpress.modular.expressions import OTHER_BITS, OWN_BIT, AtomEvaluator, copied
from abpress.modular.interference import Change, Globals, Interference
from abpress.modular.spots import MOST_CELLS, Aimed, Spot, Spots, made, same_size, site_name
from abpress.modular.state import Known
from abpress.modular.valuation import Variable
from abpress.modular.values import (
    ONE,
    ZERO,
    AddressOf,
    Atom,
    Number,
    Origin,
    OwnBit,
    Self,
    Thread,
    Translation,
    Value,
    limited,
    meet,
    seen_by_other,
    translated,
    union,
)
from abpress.semantics.outcome import FIRST_PAGE

_FAR = 1 << 30
"""No object is so large; what is moved farther may count as moved back."""


@dataclass(slots=True)
class Noticed:
    """What an analysis learns beside what is known behind an edge. Mutable.

    `doubts` are what withholds a proof; `repeated` the heap origins that have several objects.
    """

    globals: Globals = field(default_factory=Globals)
    doubts: dict[str, None] = field(default_factory=dict)
    repeated: set[Origin] = field(default_factory=set)


class MemorySteps:
    """The memory effects of one class of threads.

    `given` is what others do, `noticed` what this one does.
    """

    def __init__(
        self,
        spots: Spots,
        cls: int,
        given: Globals,
        interference: Interference,
        noticed: Noticed,
        occurrences: int,
    ) -> None:
        self._spots = spots
        self._classes = spots.classes
        self._cls = cls
        self._given = given
        self._interference = interference
        self._noticed = noticed
        self._occurrences = occurrences
        self._evaluator = AtomEvaluator(spots, cls)
        self._template = spots.classes.template(cls)
        self._elements = ElementSteps(spots, cls)

    def value(self, e: Expr, known: Known) -> Value:
        """The values of an expression where something is known."""
        return self._evaluator.value(e, known)

    def aims(self, address: Expr, known: Known) -> list[Aimed]:
        """Where an access by an address may go."""
        return self._aims(address, self._evaluator.value(address, known), known)

    def _aims(self, address: Expr, value: Value, known: Known) -> list[Aimed]:
        if value is None:
            return self._spots.anywhere(self._cls, address)
        found = []
        for atom in sorted(value, key=repr) if len(value) > 1 else value:
            match atom:
                case AddressOf(origin, offset, stride, own, fresh):
                    found.append(Aimed(origin, offset, stride, own, fresh))
                case Number() if _is_fault(atom):
                    pass
                case Number():
                    self._noticed.doubts.setdefault("an address is made of an integer")
                case _:
                    return self._spots.anywhere(self._cls, address)
        return list(self._near(address, found, known))

    def _near(self, address: Expr, aims: list[Aimed], known: Known) -> Iterator[Aimed]:
        """The same, by single offsets where the address is near one that is known, and so not in
        all of an object. NOTE(near-elements)"""
        base, low, high = _spread(address) if any(aim.stride for aim in aims) else (address, 0, 0)
        value = None if base == address else self._evaluator.value(base, known)
        begins = [atom for atom in value or () if isinstance(atom, AddressOf)]
        for aim in aims:
            layout = self._spots.layout(aim.origin)
            its = {atom.offset for atom in begins if atom.origin == aim.origin}
            exact = not any(atom.stride for atom in begins if atom.origin == aim.origin)
            if not aim.stride or layout is None or value is None or not (its and exact):
                yield aim
                continue
            least, most = max(0, min(its) + low), max(its) + high
            first = least + (aim.offset - least) % aim.stride
            offsets = range(first, most + 1, aim.stride)
            if most - least + aim.stride >= layout.size or len(offsets) > MOST_CELLS:
                yield aim
            else:
                yield from (replace(aim, offset=offset, stride=0) for offset in offsets)

    def _load(self, register: str, type: Scalar, address: Expr, known: Known) -> Known | None:
        at = self._evaluator.value(address, known)
        if _ends(at):
            return None
        value: Value = frozenset()
        aims = self._aims(address, at, known)
        exactly: Spot | None = None
        anything = False
        for aim in aims:
            followed = self._spots.followed(aim.origin, aim.own)
            touched = self._spots.touched(aim, type.size, not followed)
            for spot, cell, exact in touched:
                anything = True
                if exact and same_size(cell, type):
                    value = union(value, self._read(spot, followed, known, cell, type))
                    if len(aims) == len(touched) == 1 and followed and not aim.stride:
                        exactly = spot if cell.type == type else None
                else:
                    value = None
        if value is not None and not value and anything:
            return None  # what is there has not been found to exist
        if not value:
            value = None  # there is no such memory: a fault
        element = self._elements.element(address, aims, type, known)
        if element is not None:
            value = meet(value, known.get(element))
            if value is not None and not value:
                return None
        after = known.but([(register, value)])
        if exactly is not None:
            after = after.copying(register, exactly)
        elif element is not None and register not in element.address.names:
            after = after.copying(register, element)
        return after

    def _read(self, spot: Spot, followed: bool, known: Known, cell: Cell, type: Scalar) -> Value:
        if followed:
            value = known.get(spot)
        else:
            value = self._given.summaries.get(spot, frozenset())
            translate = seen_by_other(-1, self._cls, self._classes.unique)
            value = translated(value, translate)
        return _typed(value, cell.type, type)

    def _store(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        address: Expr,
        written: Expr,
        known: Known,
    ) -> Known | None:
        at = self._evaluator.value(address, known)
        if _ends(at):
            return None
        value = self._evaluator.value(written, known)
        aims = self._aims(address, at, known)
        known = self._given_away(written, value, known)
        value = self._evaluator.value(written, known)
        changes: list[tuple[Variable, Value]] = []
        exactly: Spot | None = None
        element = self._elements.element(address, aims, written.type, known)
        before = None if element is None else known.get(element)
        its = Overwriting(element)
        for aim in aims:
            whole = self._spots.covers(aim, written.type.size)
            for spot, cell, exact, followed in self._spots_of(aim, written.type.size):
                fits = exact and same_size(cell, written.type)
                new = _typed(value, written.type, cell.type) if fits else None
                named = element is None and followed and exact and not aim.stride
                held = known.get(spot) if named else before
                self._overwrite(
                    point, key, aim, spot, cell, known, its, held, new if whole else None
                )
                if followed:
                    strong = fits and len(aims) == 1 and not aim.stride
                    old = known.get(spot)
                    changes.append((spot, new if strong else union(old, new)))
                    if strong and cell.type == written.type:
                        exactly = spot
                bit = fits and _changes_own_bit(written, spot, known, self._evaluator)
                self._tell(point, key, spot, aim.own, known, new, bit)
        after = known.but([*changes, *its.changes(known)])
        register = getattr(written, "name", None)
        if isinstance(register, str) and register in known.values:
            if exactly is not None:
                after = after.copying(register, exactly)
            elif element is not None and element in after.values.elements:
                after = after.copying(register, element)
        return after

    def _spots_of(self, aim: Aimed, size: int) -> Iterator[tuple[Spot, Cell, bool, bool]]:
        """The spots of an access, followed ones and those of summaries, as they apply."""
        mine = aim.own or (aim.origin.kind == "local" and aim.origin.owner == self._cls)
        if self._spots.followed(aim.origin, mine):
            for spot, cell, exact in self._spots.touched(aim, size, False):
                # A pointer that others had may lead to the local variable of another thread.
                sure = aim.own or self._spots.singular(aim.origin)
                yield spot, cell, exact and sure, True
        else:
            for spot, cell, exact in self._spots.touched(aim, size, True):
                yield spot, cell, exact, False

    def _tell(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        spot: Spot,
        own: bool,
        known: Known,
        value: Value,
        bit: bool = False,
    ) -> None:
        """Tells others of a write."""
        if key is None:
            return
        told = self._noticed.globals
        singular = self._spots.singular(spot.origin)
        if singular or (spot.origin.kind == "local" and not own):
            told.change((point, spot, key), Change(spot, self._cls, known, value, bit))
        memory = self._spots.layout(spot.origin) is not None
        if memory and not (singular and self._spots.followed(spot.origin, False)):
            period = self._spots.period(spot.origin)
            offset = spot.offset % period if period else spot.offset
            told.summarise(Spot(spot.origin, offset), translated(value, _lasting(self._cls)))

    def _overwrite(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        aim: Aimed,
        spot: Spot,
        cell: Cell,
        known: Known,
        its: Overwriting,
        before: Value = None,
        value: Value = None,
    ) -> None:
        """Notes a write to a cell that threads may know by its address, and tells others of it."""
        if self._spots.told_apart(spot.origin, cell):
            each = self._spots.each(spot)
            its.add(each, before, value)
            if key is not None and not aim.fresh:
                change = Change(each, self._cls, known, value, False, before)
                self._noticed.globals.change((point, each, key), change)

    def _made(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        origin: Origin,
        initial: list[Value],
        known: Known,
    ) -> Known:
        """Where an object of the thread's own begins, with values in its cells."""
        layout = self._spots.layout(origin)
        if layout is None:
            return known
        changes: list[tuple[Variable, Value]] = []
        followed = self._spots.followed(origin, True)
        cells: dict[int, Value] = {}
        its = Overwriting()
        for cell in layout.cells if origin.kind == "local" else ():
            aim, spot = Aimed(origin, 0, 0, True), Spot(origin, cell.offset)
            self._overwrite(point, key, aim, spot, cell, known, its)
        changes += its.changes(known)
        for cell, value in zip(layout.cells, initial, strict=False):
            spot = Spot(origin, cell.offset)
            if followed:
                changes.append((spot, value))
                self._tell(point, key, spot, True, known, value)
            else:
                offset = cell.offset % (self._spots.period(origin) or 1)
                cells[offset] = union(cells.get(offset, frozenset()), value)
        for offset, value in cells.items():
            self._tell(point, key, Spot(origin, offset), True, known, value)
        return known.but(changes)

    def _alloc(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        effect: Alloc,
        known: Known,
    ) -> Known:
        origin = Origin("heap", self._cls, site_name(*point[1:]))
        passed = made(origin)
        if key is not None and known.get(passed) != ZERO:
            self._noticed.repeated.add(origin)
        layout = self._spots.layout(origin) or Layout(0, ())
        zero: Value = ZERO if effect.zeroed else None
        after = self._made(point, key, origin, [zero] * len(layout.cells), known)
        self._tell(point, key, passed, True, known, ONE)
        pointer = replace(self._spots.address(origin), fresh=True)
        after = _aged(after, frozenset({origin}))
        return after.but([(effect.target.name, frozenset({pointer})), (passed, ONE)])

    def _copy(
        self,
        point: tuple[int, int, int, int],
        key: tuple[object, ...] | None,
        to: Expr,
        of: Expr,
        size: int,
        known: Known,
    ) -> Known:
        targets, sources = self.aims(to, known), self.aims(of, known)
        changes: list[tuple[Variable, Value]] = []
        source = sources[0] if len(sources) == 1 and not sources[0].stride else None
        its = Overwriting()
        for aim in targets:
            for spot, cell, _, followed in self._spots_of(aim, size):
                self._overwrite(point, key, aim, spot, cell, known, its)
                value: Value = None
                if source is not None and not aim.stride and followed:
                    at = Spot(source.origin, source.offset + spot.offset - aim.offset)
                    layout = self._spots.layout(source.origin)
                    there = layout.index.get(at.offset) if layout is not None else None
                    if (
                        layout is not None
                        and there is not None
                        and layout.cells[there].type == cell.type
                        and aim.offset <= spot.offset
                        and spot.offset + cell.type.size <= aim.offset + size
                        and self._spots.followed(source.origin, source.own)
                    ):
                        value = known.get(at)
                sure = aim.own or self._spots.singular(aim.origin)
                if followed:
                    strong = len(targets) == 1 and not aim.stride and sure
                    changes.append((spot, value if strong else union(known.get(spot), value)))
                self._tell(point, key, spot, aim.own, known, value)
        return known.but([*changes, *its.changes(known)])

    def _given_away(self, e: Expr, value: Value, known: Known) -> Known:
        """What is known when others may find the value of an expression: then its objects are not
        fresh any more, nor are those that it may carry where nothing is known of it."""
        if value is None:
            origins = frozenset(aim.origin for aim in self._spots.anywhere(self._cls, e))
        else:
            origins = frozenset(
                atom.origin for atom in value if isinstance(atom, AddressOf) and atom.fresh
            )
        return _aged(known, origins)


def _ends(address: Value) -> bool:
    """Whether executions end before an access: they are looked at up to a fault."""
    return bool(address) and all(map(_is_fault, address or ()))


def _spread(address: Expr) -> tuple[Expr, int, int]:
    """An address from which another one is not farther than between two numbers: itself, where it
    may be moved by more than objects are large."""
    low, high, base = 0, 0, address
    while isinstance(base, PtrAdd):
        least, most = bounds(base.bytes)
        low, high, base = low + least, high + most, base.pointer
    return (base, low, high) if low >= -_FAR and high <= _FAR else (address, 0, 0)


def _is_fault(address: Atom) -> bool:
    """Whether nothing is there: NULL, or a member of what would be there."""
    return isinstance(address, Number) and -FIRST_PAGE < address.value < FIRST_PAGE


def _aged(known: Known, origins: frozenset[Origin]) -> Known:
    """Where the objects of these origins that were fresh are so no more."""
    origins = frozenset(origin for origin in origins if origin.kind == "heap")
    if not origins:
        return known
    changes: list[tuple[Variable, Value]] = []
    for variable, atoms in known.values.items():
        if any(isinstance(a, AddressOf) and a.fresh and a.origin in origins for a in atoms):
            older = frozenset(
                replace(a, fresh=False) if isinstance(a, AddressOf) and a.origin in origins else a
                for a in atoms
            )
            changes.append((variable, older))
    return known.refined(changes) if changes else known


def _lasting(cls: int) -> Translation:
    """What any thread may see later where one of the class sees an atom now."""

    def translate(atom: Atom) -> Atom | None:
        match atom:
            case Self():
                return Thread(cls, False)
            case Thread(k, _):
                return Thread(k, False)
            case AddressOf(o, offset, stride, _):
                return AddressOf(o, offset, stride, False)
            case OwnBit():
                return None
            case _:
                return atom

    return translate


def _typed(value: Value, of: Scalar, to: Scalar) -> Value:
    """The value when the bytes of one type are read as another one of the same size."""
    if value is None or of == to or not isinstance(to, IntType):
        return value
    return limited(
        Number(to.wrap(atom.value)) if isinstance(atom, Number) else atom for atom in value
    )


def _changes_own_bit(written: Expr, spot: Spot, known: Known, evaluator: AtomEvaluator) -> bool:
    """Whether the content of the cell is written back with one bit changed, the thread's own."""
    match written:
        case Binary("|", old, bit) if evaluator.value(bit, known) == OWN_BIT:
            return copied(old, known) == spot
        case Binary("&", old, bit) if evaluator.value(bit, known) == OTHER_BITS:
            return copied(old, known) == spot
        case _:
            return False
