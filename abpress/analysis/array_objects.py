"""Objects that are one array variable each, instead of a variable or known content per cell.

An object that is accessed at an index that is not known would be a case for each of its cells. If
it has more than a few, and all are integers of one type, it is an array instead (for constant
indices, too). That an index is not known is guessed: where inputs, or elements of such arrays, flow
into an address, flow-insensitively. Any set of objects is right.

Not among them are objects of which bytes are copied (undefined bytes stay undefined then, and get a
value each), that are accessed as something else, or that hold the ids of threads.

An object of the heap whose number of elements is computed from such values is *unbounded*: it may
have a variable for that number, too. Some of them are no arrays where the number is known, because
they are accessed as something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from abpress.analysis.control import Control, Node
from abpress.analysis.points_to import AbstractObject, Heap, Local, PointsTo, Static
from abpress.ir.expr import Expr, registers
from abpress.ir.program import (
    Alloc,
    ChooseBit,
    Copy,
    Effect,
    Havoc,
    Initial,
    Load,
    Program,
    Store,
    Template,
)
from abpress.ir.types import IntType, Layout, Scalar

SMALL = 32
"""An object with at most so many cells is no array."""


class ArrayObjects(NamedTuple):
    """The objects that are arrays if they have more than SMALL cells, and those whose number of
    elements may not be known."""

    all: frozenset[AbstractObject]
    unbounded: frozenset[AbstractObject]


def element_type(layout: Layout) -> IntType | None:
    """The type of the cells if they are integers of one type, one after the other."""
    if not layout.cells:
        return None
    type = layout.cells[0].type
    if not isinstance(type, IntType) or layout.size != len(layout.cells) * type.size:
        return None
    regular = all(c.type == type and c.offset == k * type.size for k, c in enumerate(layout.cells))
    return type if regular else None


def arrays(program: Program, points_to: PointsTo, control: Control) -> ArrayObjects:
    """The objects that are taken for arrays."""
    elements = {o: type for o, type in _elements(program) if not control.holds_ids(o)}
    countable = frozenset(elements)
    uses: list[tuple[str, Expr, tuple[AbstractObject, ...]]] = []
    counts: list[tuple[str, Expr, Heap]] = []
    starts: set[Node] = set()
    for name, template in program.templates.items():
        for i, k, n, effect in _effects(template):
            if isinstance(effect, Alloc):
                counts.append((name, effect.count, Heap(name, i, k, n)))
            arbitrary = _arbitrary(effect)
            if arbitrary is not None:
                starts.add((name, arbitrary))
            for address, type in _accesses(effect):
                targets = tuple(t.object for t in points_to.targets(name, address))
                for o in targets:
                    if o in elements and not _fits(type, elements[o]):
                        del elements[o]
                uses.append((name, address, targets))
    found: set[AbstractObject] = set()
    unbounded: set[AbstractObject] = set()
    while True:
        varying = control.influenced(starts)
        unbounded.update(
            o
            for name, count, o in counts
            if o in countable and any((name, r) in varying for r in registers(count))
        )
        more = {
            o
            for name, address, targets in uses
            if any((name, r) in varying for r in registers(address))
            for o in targets
            if o in elements and o not in found
        }
        more |= {o for o in unbounded if o in elements and o not in found}
        known = len(starts)
        found |= more
        starts.update(node for o in more | unbounded for node in control.cells(o))
        if not more and len(starts) == known:
            return ArrayObjects(frozenset(found), frozenset(unbounded))


def _elements(program: Program) -> Iterator[tuple[AbstractObject, IntType]]:
    """The objects whose cells are integers of one type, with all or none of them defined."""
    shapes: list[tuple[AbstractObject, Layout, tuple[Initial, ...], int]] = []
    for o in program.objects.values():
        shapes.append((Static(o.name), o.layout, o.initial, SMALL))
    for template in program.templates.values():
        for o in template.locals.values():
            shapes.append((Local(template.name, o.name), o.layout, o.initial, SMALL))
        for i, k, n, effect in _effects(template):
            if isinstance(effect, Alloc):
                heap = Heap(template.name, i, k, n)
                shapes.append((heap, effect.element, (), 0))
    for origin, layout, initial, least in shapes:
        type = element_type(layout)
        undefined = sum(value is None for value in initial)
        if type is not None and len(layout.cells) > least and undefined in (0, len(initial)):
            yield origin, type


def _effects(template: Template) -> Iterator[tuple[int, int, int, Effect]]:
    """All effects, each after the numbers of its location, of its edge, and its own."""
    for i, location in enumerate(template.locations):
        for k, edge in enumerate(location.edges):
            for n, effect in enumerate(edge.effects):
                yield i, k, n, effect


def _arbitrary(effect: Effect) -> str | None:
    """The integer register that gets an arbitrary value by the effect, if one does."""
    match effect:
        case Havoc(target, _, low, high) if low is None or low != high:
            return target.name if isinstance(target.type, IntType) else None
        case ChooseBit(target, _):
            return target.name
        case _:
            return None


def _accesses(effect: Effect) -> Iterator[tuple[Expr, Scalar | None]]:
    """The addresses that an effect reads or writes, and as what; None for bytes."""
    match effect:
        case Load(target, address):
            yield address, target.type
        case Store(address, value):
            yield address, value.type
        case Copy(to, of, _):
            yield to, None
            yield of, None
        case _:
            pass


def _fits(type: Scalar | None, element: IntType) -> bool:
    return isinstance(type, IntType) and type.size == element.size
