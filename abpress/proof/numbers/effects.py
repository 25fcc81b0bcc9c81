"""What the effects of an edge do to numbers that are known, as the checker of numeric certificates
sees it. NOTE(numeric-facts)"""

from __future__ import annotations

from collections.abc import Callable

from abpress.analysis.points_to import Heap
from abpress.ir.expr import Expr, Reg
from abpress.ir.program import (
    Alloc,
    Assign,
    Cut,
    Effect,
    Enter,
    Havoc,
    Load,
    Spawn,
    Store,
    effect_target,
)
from abpress.ir.types import IntType
from abpress.modular.numbers.memory import NumericAccess, NumericMemory
from abpress.proof.certificate import Rejected
from abpress.proof.numbers.arithmetic import (
    Impossible,
    KnownNumbers,
    assign,
    forget,
    handed,
    inside,
    joined,
    span,
    sum_of,
    whole,
)
from abpress.proof.numbers.begins import BeginsToCount
from abpress.proof.numbers.certificate import NumericCertificate, Span
from abpress.proof.numbers.counting import WrittenCells


class NumericEffects:
    """The effects of a program's edges, under what a certificate says of cells that threads share.

    Mutable: what is `written` to cells that are bounded by counting is collected here, for the
    checker to take. `begin` is told which thread an edge creates, and the number that it is given.
    """

    def __init__(
        self,
        memory: NumericMemory,
        certificate: NumericCertificate,
        begins: BeginsToCount,
        begin: Callable[[str, Span | None], None],
    ) -> None:
        self._memory = memory
        self._shared = certificate.shared
        self._counted = frozenset(certificate.counted)
        self._begins = begins
        self._begin = begin
        self.written: list[WrittenCells] = []

    def all(self, cell: str) -> Span:
        """All that a cell may hold by its type."""
        return whole(self._memory.types[cell])

    def own(self, template: str, cell: str) -> bool:
        """Whether only threads of the template access a cell, each one its own."""
        return cell in self._memory.own[template]

    def tell(self, template: str, cell: str, value: Span) -> None:
        """What others may see must be in `shared`; what is counted is looked at later."""
        if cell in self._counted:
            return
        if cell not in self._shared or not inside(value, self._shared[cell]):
            raise Rejected(f"{template} may write {value} to {cell}, which is not in its bounds")

    def content(self, template: str, location: int, cell: str, known: KnownNumbers) -> Span | None:
        """What a cell may hold; None if it is not there yet."""
        if cell in known.cells:
            return known.cells[cell]
        prepared = self._begins.prepared(template, location, cell)
        if prepared or self.own(template, cell):
            return self.all(cell)
        return self._shared.get(cell)

    def apply(
        self,
        template: str,
        location: int,
        site: Heap,
        effect: Effect,
        known: KnownNumbers,
    ) -> None:
        """Changes what is known by an effect. Raises Impossible, and Rejected."""
        target = effect_target(effect)
        match effect:
            case Assign(r, value):
                assign(r, value, known)
                return
            case Load(r, address):
                self._load(template, location, r, address, known)
                return
            case Store(address, value):
                self._store(template, location, address, value, known)
            case Havoc(r, _, low, high) if isinstance(r.type, IntType):
                forget(r.name, known)
                least = r.type.minimum if low is None else max(low, r.type.minimum)
                most = r.type.maximum if high is None else min(high, r.type.maximum)
                known.regs[r.name] = least, most
                return
            case Enter(name):
                for cell, begun in self._memory.begun(template, name).items():
                    exact = cell in self._memory.exact
                    self._write(
                        template, location, NumericAccess((cell,), exact, True), begun, known
                    )
            case Alloc(zeroed=zeroed):
                for cell, begun in self._memory.allocated(site, zeroed).items():
                    exact = cell in self._memory.exact
                    self._write(
                        template, location, NumericAccess((cell,), exact, True), begun, known
                    )
            case Spawn(_, child, argument):
                self._begin(child, handed(argument, known))
            case Cut(reason):
                raise Rejected(f"a bound of the tool may be reached: {reason}")
            case _:
                pass
        if target is not None:
            forget(target.name, known)

    def _load(
        self, template: str, location: int, r: Reg, address: Expr, known: KnownNumbers
    ) -> None:
        forget(r.name, known)
        type = r.type
        if not isinstance(type, IntType):
            return
        access = self._memory.access(template, address, type.size)
        if not access.complete or not access.cells:
            return
        contents = [self.content(template, location, cell, known) for cell in access.cells]
        there = [value for value in contents if value is not None]
        if not there:
            raise Impossible
        value = there[0]
        for other in there[1:]:
            value = joined(value, other)
        if not inside(value, whole(type)):
            return
        known.regs[r.name] = value
        cell = access.cells[0]
        # A sum is bounded by the cells' bounds; what is hidden, or prepared, need not be in them.
        seen = cell in self._shared and inside(value, self._shared[cell])
        prepared = self._begins.prepared(template, location, cell)
        if len(access.cells) == 1 and seen and not prepared:
            known.sums[r.name] = ((access.cells[0], 1),), 0, 0
        if access.exact:
            known.cells[access.cells[0]] = value
            known.same[access.cells[0]] = r.name

    def _store(
        self, template: str, location: int, address: Expr, value: Expr, known: KnownNumbers
    ) -> None:
        access = self._memory.access(template, address, value.type.size)
        found, added = span(value, known), sum_of(value, known)
        for cell in access.cells:
            if self._begins.counts(template, location, cell):
                fits = found is not None and inside(found, self.all(cell))
                its = found if fits and found is not None else self.all(cell)
                self.written.append(
                    WrittenCells(cell, added if fits else None, its, template, location)
                )
        self._write(template, location, access, found, known, counted=False)
        if access.exact and isinstance(value, Reg) and known.cells[access.cells[0]] == found:
            known.same[access.cells[0]] = value.name

    def _write(
        self,
        template: str,
        location: int,
        access: NumericAccess,
        value: Span | None,
        known: KnownNumbers,
        counted: bool = True,
    ) -> None:
        for cell in access.cells:
            new = value if value is not None and inside(value, self.all(cell)) else self.all(cell)
            known.same.pop(cell, None)
            if self._begins.counts(template, location, cell):
                if counted:
                    self.written.append(WrittenCells(cell, None, new, template, location))
                bound = self._shared[cell]
                low, high = max(new[0], bound[0]), min(new[1], bound[1])
                new = (low, high) if low <= high else new
            if access.exact:
                known.cells[cell] = new
                continue
            if cell in known.cells:
                known.cells[cell] = joined(known.cells[cell], new)
            if not self.own(template, cell):
                self.tell(template, cell, new)
