"""The checker of numeric certificates. NOTE(numeric-facts)

A certificate is accepted if all of this holds, edge by edge:

- *start*: the first thread begins where the certificate says, and so does every thread that is
  created, knowing nothing but the number that it is given; what cells hold at first is among what
  they may hold;
- *own steps*: behind an edge that can be taken, one of the stands at its target holds;
- *others*: where other threads may move, nothing is claimed of cells that they may write but what
  `shared` says, and what is stored is in `shared` before they can see it, NOTE(hidden-cells);
- *growth*: cells that are bounded by counting stay in `shared` by the writes that there are;
- *checks*: no operation overflows where it stands, or the edge is proved locally; of a certificate
  about errors that the program marks: no edge with one can be taken, or it is proved locally.

What is left open is named (`alarms`).

Of the engine it shares the names of cells (`NumericMemory`), and which of them others may access
where (`NumericHolding`), for which it checks the claims about single threads that the certificate
has; it has its own arithmetic.
"""

from __future__ import annotations

from collections.abc import Collection

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Heap
from abpress.config import Alarms, Place
from abpress.ir.expr import Expr
from abpress.ir.program import (
    NO_OVERFLOW,
    UNREACH_CALL,
    Exit,
    Fail,
    Overflow,
    Program,
    effect_operands,
    goes_on,
)
from abpress.ir.types import IntType
from abpress.modular.apart import PlacesApart
from abpress.modular.handed import ARGUMENT
from abpress.modular.numbers.cells import Cells
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.numbers.memory import NumericMemory
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Accepted, Rejected, require_location, require_program
from abpress.proof.modular import check_states
from abpress.proof.numbers.arithmetic import (
    Impossible,
    KnownNumbers,
    inside,
    met,
    span,
    suppose,
    whole,
)
from abpress.proof.numbers.begins import BeginsToCount
from abpress.proof.numbers.certificate import NumericCertificate, Span, Stand
from abpress.proof.numbers.counting import Counts, WrittenCells, exceeded
from abpress.proof.numbers.effects import NumericEffects
from abpress.proof.numbers.local import LocalProofs, violated_at

PROVED = (NO_OVERFLOW, UNREACH_CALL)
"""What numeric facts can prove."""


def check_numbers(
    program: Program, certificate: NumericCertificate, facts: Facts | None = None
) -> Accepted:
    """Checks the certificate for the program. Raises Rejected and Unchecked, with the reason."""
    if certificate.alarms:
        raise Rejected(f"it leaves {len(certificate.alarms)} checks open")
    return _checked(program, certificate, facts)


def numbers_left_open(
    program: Program, certificate: NumericCertificate
) -> tuple[Alarms, frozenset[Place]]:
    """Checks what the certificate says of all but its alarms, and returns these; it says of no
    accesses that they meet none in conflict. Raises Rejected and Unchecked."""
    _checked(program, certificate, None)
    return Alarms(certificate.property, frozenset(certificate.alarms)), frozenset()


def _checked(program: Program, certificate: NumericCertificate, facts: Facts | None) -> Accepted:
    require_program(certificate.program, program)
    if certificate.property not in PROVED:
        raise Rejected(f"numeric facts do not prove {certificate.property:.80}")
    if program.signed_overflow is Overflow.WRAP:
        raise Rejected("numeric facts do not say what signed numbers are that wrap around")
    return _Checker(program, certificate, facts or Facts.of(program)).run()


class _Checker:
    """One run of the checker (mutable)."""

    def __init__(self, program: Program, certificate: NumericCertificate, facts: Facts) -> None:
        self._program = program
        self._certificate = certificate
        self._memory = NumericMemory(program, facts.points_to)
        claims = certificate.claims
        apart = None if claims is None else PlacesApart(check_states(program, claims))
        self._holding = NumericHolding(program, self._memory, apart)
        self._shared = certificate.shared
        self._counted = frozenset(certificate.counted)
        self._writes: list[WrittenCells] = []
        self._begins = BeginsToCount(self._holding, self._counted)
        self._effects = NumericEffects(self._memory, certificate, self._begins, self._begin)
        self._local: set[Place] = set()
        self._checked: set[Place] = set()
        self._exact = Cells()
        """Cells that were found to be one scalar each."""

    def run(self) -> Accepted:
        certificate = self._certificate
        for cell in (*certificate.shared, *certificate.counted):
            if cell not in self._memory.types:
                raise Rejected(f"there is no cell {cell:.80}")
        if not self._counted <= certificate.shared.keys():
            raise Rejected("a cell is bounded by counting, and has no bounds")
        for (template, location), stands in certificate.stands.items():
            require_location(self._program, template, location)
            for stand in stands:
                self._well_formed(template, location, stand)
        self._start()
        for (template, location), stands in certificate.stands.items():
            for stand in stands:
                for k in range(len(self._program.templates[template].locations[location].edges)):
                    self._edge(template, location, k, stand)
        first = self._begins.first()
        counts = Counts(self._holding, certificate.stands)
        beyond = exceeded(first, self._writes, counts, self._shared)
        if beyond is not None:
            raise Rejected(f"{beyond} may leave its bounds by what is written to it")
        self._prove_locally()
        stands_in_all = sum(map(len, certificate.stands.values()))
        property = certificate.property
        return Accepted(property, (DEFINED_SO_FAR,), stands_in_all, len(self._checked))

    def _prove_locally(self) -> None:
        certificate = self._certificate
        left = self._local - set(certificate.alarms)
        if not left:
            return
        if not left <= set(certificate.local):
            place = min(left - set(certificate.local))
            raise Rejected(violated_at(self._program, certificate.property, place))
        proofs = LocalProofs(
            self._holding, certificate.stands, self._shared, self._counted, certificate.property
        )
        for place in sorted(left):
            proofs.require(place)

    def _well_formed(self, template: str, location: int, stand: Stand) -> None:
        """Rejects claims of cells that others may change, and of what is not there."""
        registers = self._program.templates[template].registers
        for name in (*stand.regs, *stand.sums, *stand.same.values()):
            if name not in registers:
                raise Rejected(f"{template} has no register {name:.80}")
        alone = self._holding.undisturbed(template, location)
        for cell, *_ in stand.cells.differing(self._exact):
            if cell not in self._memory.exact:
                raise Rejected(f"{cell:.80} is not one cell")
        self._exact = stand.cells
        for cell in () if alone else stand.cells:
            if not self._holding.keeps(template, location, cell):
                raise Rejected(f"{template} claims {cell} at {location}, where others may move")
        for cell in stand.same:
            if cell not in stand.cells:
                raise Rejected(f"{template} copies {cell:.80}, of which it claims nothing")

    # -- start ----------------------------------------------------------------------------------

    def _start(self) -> None:
        program, memory = self._program, self._memory
        entry = program.templates[program.main].entry
        known = KnownNumbers({}, Cells(), {}, {})
        held = self._holding.undisturbed(program.main, entry)
        for name in program.objects:
            for cell in memory.static(name):
                if held and cell in memory.exact:
                    known.cells[cell] = memory.initial[cell]
                else:
                    self._effects.tell(program.main, cell, memory.initial[cell])
        self._arrive(program.main, entry, known, f"{program.main} does not begin")

    def _begin(self, child: str, number: Span | None) -> None:
        """A thread begins that knows nothing but the number that it is given."""
        entry = self._program.templates[child].entry
        given = {} if number is None else {ARGUMENT: number}
        self._arrive(child, entry, KnownNumbers(given, Cells(), {}, {}), f"{child} does not begin")

    # -- edges ----------------------------------------------------------------------------------

    def _edge(self, template: str, location: int, k: int, stand: Stand) -> None:
        edge = self._program.templates[template].locations[location].edges[k]
        place = template, location, k
        known = KnownNumbers(
            dict(stand.regs), stand.cells.copy(), dict(stand.same), dict(stand.sums)
        )
        self._evaluate(place, edge.guard, known)
        if not self._holding.taken(*place):
            return
        self._effects.written = []
        try:
            either: list[Collection[str]] = [self._counted, known.cells]
            few, many = sorted(either, key=len)
            for cell in [cell for cell in few if cell in many]:
                if self._begins.counts(template, location, cell):
                    known.cells[cell] = met(known.cells[cell], self._shared[cell])
            suppose(edge.guard, known)
            for n, effect in enumerate(edge.effects):
                for e in effect_operands(effect):
                    self._evaluate(place, e, known)
                if isinstance(effect, Fail) and effect.property == self._certificate.property:
                    self._local.add(place)
                    self._checked.add(place)
                self._effects.apply(template, location, Heap(*place, n), effect, known)
        except Impossible:
            # The operations before were evaluated all the same, and what was told is in bounds.
            return
        finally:
            self._writes += self._effects.written
        target = edge.target if goes_on(edge) else None
        self._begins.note(template, location, target, known.cells)
        if not goes_on(edge):
            if not isinstance(edge.effects[-1], Exit):  # nobody moves when the program has ended
                self._publish(template, None, known)
            return
        self._publish(template, edge.target, known)
        self._arrive(template, edge.target, known, f"behind {template} {location} {k}")

    def _evaluate(self, place: Place, e: Expr, known: KnownNumbers) -> None:
        before = len(known.unsafe)
        span(e, known)
        if self._certificate.property == NO_OVERFLOW:
            if len(known.unsafe) > before:
                self._local.add(place)
            self._checked.add(place)

    def _arrive(self, template: str, location: int, known: KnownNumbers, what: str) -> None:
        stands = self._certificate.stands.get((template, location), ())
        if not any(self._implies(template, location, known, stand) for stand in stands):
            raise Rejected(f"{what}: nothing that is said of {template} {location} follows")

    def _implies(self, template: str, location: int, known: KnownNumbers, stand: Stand) -> bool:
        registers = self._program.templates[template].registers
        for name, claim in stand.regs.items():
            type, value = registers[name], known.regs.get(name)
            if value is None and isinstance(type, IntType):
                value = whole(type)
            if value is None or not inside(value, claim):
                return False
        for cell, claim, value in stand.cells.differing(known.cells):
            value = value or self._effects.content(template, location, cell, known)
            if value is not None and not inside(value, claim):
                return False
        for cell, value, claimed in known.cells.differing(stand.cells):
            if claimed is not None or cell in self._counted or self._effects.own(template, cell):
                continue
            if cell not in self._shared or not inside(value, self._shared[cell]):
                return False
        if any(known.same.get(cell) != register for cell, register in stand.same.items()):
            return False
        for name, (terms, low, high) in stand.sums.items():
            mine = known.sums.get(name)
            if mine is None or mine[0] != terms or not inside(mine[1:], (low, high)):
                return False
        return True

    def _publish(self, template: str, target: int | None, known: KnownNumbers) -> None:
        """Others see what cells hold that are not hidden where the thread comes to, or all if it
        comes nowhere, and may write those that it does not keep."""
        if target is not None and self._holding.undisturbed(template, target):
            return
        cells = [cell for cell in known.cells if not self._effects.own(template, cell)]
        for cell, hidden, kept in self._holding.held(template, target, cells):
            if not hidden:
                self._effects.tell(template, cell, known.cells[cell])
            if not kept:
                del known.cells[cell]
                known.same.pop(cell, None)
