"""One element of each array that threads share: where it is, and whether a thread has read it last.
NOTE(chosen-elements)

Which element that is is chosen once and for all, and nothing is known of the choice. What it holds
is followed as any cell is; what other elements hold is arbitrary. So there is a variable for the
number of the element, and for each template one that tells whether a thread that has read elements
has read that one last. Pointers into such an array are followed by their offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from abpress.analysis.points_to import AbstractObject, PointsTo, Static, name_of
from abpress.ir.bounds import bounds, exact_bounds, scalar_bounds
from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, PtrAdd, Reg
from abpress.ir.intervals import within
from abpress.ir.program import Load, Program, Store, edges
from abpress.ir.sums import add_number, number_apart, rewrite_sums
from abpress.ir.types import INDEX, INT
from abpress.logic.connectives import between
from abpress.logic.formula import FALSE, Formula, conjuncts, holds
from abpress.modular.numbers.memory import NumericMemory, Repeated
from abpress.modular.templates.handle_arrays import HandleArray
from abpress.modular.templates.paths import ThreadPath, fold

OFFSET = INDEX
"""The type of offsets into an object."""

_NEAR = scalar_bounds(INT)
"""Offsets are less than 2 GiB, up or down, or behaviour is undefined. By a longer distance one may
move where pointers have 32 bits: then it wraps around."""


def arrays_of_elements(
    program: Program, memory: NumericMemory, allocated: bool = False
) -> tuple[str, ...]:
    """The static objects of which elements may be chosen: threads other than the first one access
    elements that hold integers. Also those that are `allocated`: only which element is accessed is
    followed there, and not what it holds."""
    found: set[str] = set()
    arrays = _arrays if not allocated else _every_array
    for name, template in program.templates.items():
        if name != program.main:
            for _, edge in edges(template):
                for effect in edge.effects:
                    found.update(arrays(memory, name, effect))
    return tuple(sorted(found))


def _every_array(memory: NumericMemory, template: str, effect: object) -> Iterator[str]:
    yield from _arrays(memory, template, effect)
    for cell in _accessed(memory, template, effect):
        if cell in memory.allocated_elements:
            yield name_of(memory.allocated_elements[cell].object)


def _accessed(memory: NumericMemory, template: str, effect: object) -> tuple[str, ...]:
    match effect:
        case Load(r, address):
            return memory.access(template, address, r.type.size).cells
        case Store(address, value):
            return memory.access(template, address, value.type.size).cells
        case _:
            return ()


def _arrays(memory: NumericMemory, template: str, effect: object) -> Iterator[str]:
    for cell in _accessed(memory, template, effect):
        its = memory.repeated.get(cell)
        if its is not None and isinstance(its.object, Static):
            yield its.object.name


Groups = Sequence[Sequence[str]]
"""Names of arrays, of handles, too; of those of one group the same element is chosen."""


class ChosenElements:
    """The chosen elements of groups of those arrays of which there may be any, and of arrays of
    `handles`, of which it does not matter what was read last. (What is asked for often is
    remembered.)"""

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        memory: NumericMemory,
        groups: Groups,
        handles: Mapping[str, HandleArray],
    ) -> None:
        self._program = program
        self._handles = handles
        self._memory = memory
        self._points_to = points_to
        may_be = {*handles, *(arrays_of_elements(program, memory, True) if groups else ())}
        self._numbers = {array: f"[{its[0]}]" for its in groups for array in its if array in may_be}
        allocated = {
            cell: place
            for cell, place in memory.allocated_elements.items()
            if self._array(place) in self._numbers
        }
        self._cells = {
            cell: place
            for cell, place in (*memory.repeated.items(), *allocated.items())
            if self._array(place) in (handles if cell in allocated else self._numbers)
        }
        self._allocated = {c: place for c, place in allocated.items() if c not in self._cells}
        its = (*self._cells.values(), *allocated.values())
        self._objects = frozenset(place.object for place in its)
        self._readers = frozenset(self._reading())

    def _array(self, place: Repeated) -> str:
        """The name of the array with a place, which is one of its own if it has handles."""
        its = (name for name, array in self._handles.items() if array.has(place))
        return next(its, name_of(place.object))

    def is_placed(self, cell: str) -> bool:
        """Whether it is a cell of elements of which one may be chosen, whatever it holds."""
        return cell in self._cells or cell in self._allocated

    def __contains__(self, cell: str | None) -> bool:
        """Whether it is a cell of a chosen element."""
        return cell in self._cells

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the chosen elements."""
        return tuple(self._cells)

    @property
    def indices(self) -> tuple[Reg, ...]:
        """The variables for the numbers of the chosen elements."""
        return tuple(Reg(name, INT) for name in sorted(set(self._numbers.values())))

    @property
    def always(self) -> tuple[Formula, ...]:
        """That there are elements of these numbers, in some array of each group."""
        counts: dict[str, int] = {}
        for place in self._cells.values():
            name = self._index(place).name
            counts[name] = max(self._count(place), counts.get(name, 0))
        for place in self._allocated.values():  # of any number of elements
            counts[self._index(place).name] = INT.maximum + 1
        bounds = ((Reg(name, INT), n) for name, n in sorted(counts.items()))
        return tuple(f for v, n in bounds for f in conjuncts(between(v, 0, n - 1)))

    def _count(self, place: Repeated) -> int:
        array = self._array(place)
        if array in self._handles:
            return self._handles[array].count
        return -(-self._program.objects[array].layout.size // place.stride)

    def index_of(self, cell: str) -> Reg:
        """The variable for the number of the chosen element with a cell."""
        return self._index(self._cells[cell])

    def _index(self, place: Repeated) -> Reg:
        return Reg(self._numbers[self._array(place)], INT)

    # -- what was read last ---------------------------------------------------------------------

    def _reading(self) -> Iterator[tuple[str, str]]:
        for name, template in self._program.templates.items():
            for _, edge in edges(template):
                for effect in edge.effects:
                    if isinstance(effect, Load):
                        for cell in _accessed(self._memory, name, effect):
                            if cell in self._cells and self._is_read_last(cell):
                                yield name, self.index_of(cell).name

    def _is_read_last(self, cell: str) -> bool:
        """Whether it matters which element with such a cell was read last."""
        return self._array(self._cells[cell]) not in self._handles

    def read_last(self, template: str) -> tuple[str, ...]:
        """The registers of a thread, beside its own ones, that tell whether it has read the chosen
        element last, of all elements of a group: then they hold 1."""
        return tuple(sorted(register for name, register in self._readers if name == template))

    def note_read(self, cell: str, path: ThreadPath) -> None:
        """Notes on a path that an element was read, the chosen one or another."""
        if self._is_read_last(cell):
            path.registers[self.index_of(cell).name] = Const(int(path.chosen), INT)

    def all_read_last(self, template: str, path: ThreadPath) -> Iterator[Formula]:
        """That of each group the chosen element was read last."""
        for register in self.read_last(template):
            value = path.registers[register]
            assert value is not None
            yield holds(Compare("==", value, Const(1, INT)))

    # -- where pointers point -------------------------------------------------------------------

    def is_into(self, objects: Collection[AbstractObject]) -> bool:
        """Whether a pointer to these objects is one into one of the arrays, and nowhere else."""
        return len(objects) == 1 and all(o in self._objects for o in objects)

    def only_offset(self, template: str, pointer: Reg) -> int | None:
        """The offset that a pointer has wherever it is used, if that is one."""
        targets = self._points_to.targets(template, pointer)
        exact = all(self._points_to.in_first_element(target.object) for target in targets)
        offsets = {target.offset for target in targets}
        return offsets.pop() if exact and len(offsets) == 1 else None

    def offset(
        self,
        template: str,
        address: Expr,
        path: ThreadPath,
        used: Callable[[Expr, ThreadPath], Expr | None],
    ) -> Expr | None:
        """The offset of an address in its array; None if it is not followed."""
        match address:
            case Addr(_, offset):
                return Const(offset, INDEX)
            case Reg(name):
                only = self.only_offset(template, address)
                if only is not None:
                    return Const(only, INDEX)
                value = path.registers[name]
                is_offset = value is not None and value.type == OFFSET
                return value if is_offset else None
            case PtrAdd(pointer, distance):
                base = self.offset(template, pointer, path, used)
                by = used(distance, path)
                if base is None or by is None:
                    return None
                whole = rewrite_sums(fold(Binary("+", base, Convert(by, INDEX))))
                may_wrap = self._program.pointer_size < INDEX.size and not within(bounds(by), _NEAR)
                return Convert(Convert(whole, INT), INDEX) if may_wrap else whole
            case _:
                return None

    def is_chosen(self, cell: str, offset: Expr) -> Formula:
        """That an access to a cell of an array at such an offset is to the chosen element."""
        place = self._cells.get(cell) or self._allocated[cell]
        if isinstance(offset, Const):
            number, beside = divmod(offset.value - place.offset, place.stride)
            return FALSE if beside else holds(Compare("==", self._index(place), Const(number, INT)))
        index = Convert(self._index(place), INDEX)
        rest, n = number_apart(offset)
        by = place.offset - n
        match rest:
            case Binary("*", factor, Const(place.stride)) if by % place.stride == 0:
                if within(exact_bounds(rest), scalar_bounds(INDEX)):
                    return _equal(factor, index, by // place.stride)
        return _equal(rest, Binary("*", index, Const(place.stride, INDEX)), by)


def _equal(a: Expr, b: Expr, more: int) -> Formula:
    """That an index, or offset, is another one and a number."""
    return holds(Compare("==", a, add_number(b, more)))
