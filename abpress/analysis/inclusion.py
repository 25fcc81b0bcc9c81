"""A solver of inclusion constraints between sets of pointers, for `abpress.analysis.points_to`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abpress.ir.types import Cell

MAX_OFFSETS = 8
"""Known offsets of one object in one set; more become one unknown offset."""

MAX_COPIED = 64
"""Cells that a copy relates one by one; a larger copy mixes the cells."""

Pointer = tuple[int, int | None]
"""(object number, offset), the offset None where it is not known."""


class Solver:
    """Sets of pointers (nodes, by number) and the constraints between them. Mutable.

    `moved(pointer, shift)` is the pointer moved by a distance (None: any); `cells(pointer, size)`
    are the cells of an access, None for any. An object has a node per cell that is accessed at a
    known offset, a node that includes what is read at an unknown one, and a node for what is
    written there.
    """

    def __init__(
        self,
        moved: Callable[[Pointer, int | None], Pointer],
        cells: Callable[[Pointer, int], Sequence[Cell] | None],
    ) -> None:
        self._moved = moved
        self._cells = cells
        self._sets: list[dict[Pointer, None]] = []
        self._known: list[dict[int, int]] = []  # per node: object -> its known offsets
        self._new: list[list[Pointer]] = []
        self._supersets: list[dict[tuple[int, int | None], None]] = []
        self._uses: list[list[Callable[[Pointer], None]]] = []
        self._todo: list[int] = []
        self._cell_nodes: dict[tuple[int, int], int] = {}
        self._any: dict[int, tuple[int, int]] = {}

    # -- nodes ----------------------------------------------------------------------------------

    def node(self) -> int:
        """A new empty set."""
        self._sets.append({})
        self._known.append({})
        self._new.append([])
        self._supersets.append({})
        self._uses.append([])
        return len(self._sets) - 1

    def pointers(self, node: int) -> Sequence[Pointer]:
        """What is in the set."""
        return tuple(self._sets[node])

    def cell(self, number: int, offset: int) -> int:
        """The content of the cell of an object."""
        node = self._cell_nodes.get((number, offset))
        if node is None:
            node = self._cell_nodes[number, offset] = self.node()
            self.include(node, self.any_read(number))
            self.include(self.any_written(number), node)
        return node

    def any_read(self, number: int) -> int:
        """The content of all cells of an object."""
        return self._unknown(number)[0]

    def any_written(self, number: int) -> int:
        """What is written to unknown cells of an object."""
        return self._unknown(number)[1]

    def _unknown(self, number: int) -> tuple[int, int]:
        nodes = self._any.get(number)
        if nodes is None:
            nodes = self._any[number] = (self.node(), self.node())
            self.include(nodes[1], nodes[0])
        return nodes

    # -- constraints ----------------------------------------------------------------------------

    def add(self, node: int, pointer: Pointer) -> None:
        """Puts the pointer into the set."""
        number, offset = pointer
        content = self._sets[node]
        if pointer in content or (number, None) in content:
            return
        if offset is not None:
            known = self._known[node].get(number, 0) + 1
            self._known[node][number] = known
            if known > MAX_OFFSETS:
                pointer = (number, None)
        content[pointer] = None
        if not self._new[node]:
            self._todo.append(node)
        self._new[node].append(pointer)

    def include(self, subset: int, superset: int, shift: int | None = 0) -> None:
        """Demands that what is in `subset`, moved by `shift`, is in `superset`."""
        if (subset == superset and shift == 0) or (superset, shift) in self._supersets[subset]:
            return
        self._supersets[subset][superset, shift] = None
        for pointer in tuple(self._sets[subset]):
            self.add(superset, pointer if shift == 0 else self._moved(pointer, shift))

    def load(self, address: int, target: int, size: int) -> None:
        """Demands that `target` includes what is read at `address`."""

        def use(pointer: Pointer) -> None:
            cells = self._cells(pointer, size)
            if cells is None:
                self.include(self.any_read(pointer[0]), target)
            else:
                for cell in cells:
                    self.include(self.cell(pointer[0], cell.offset), target)

        self._use(address, use)

    def store(self, address: int, value: int, size: int) -> None:
        """Demands that what is at `address` includes `value`."""

        def use(pointer: Pointer) -> None:
            cells = self._cells(pointer, size)
            if cells is None:
                self.include(value, self.any_written(pointer[0]))
            else:
                for cell in cells:
                    self.include(value, self.cell(pointer[0], cell.offset))

        self._use(address, use)

    def copy(self, target: int, source: int, size: int) -> None:
        """Demands that `target` includes, place by place, what is at `source`."""

        def use_target(to: Pointer) -> None:
            for of in self.pointers(source):
                self._copy(to, of, size)

        def use_source(of: Pointer) -> None:
            for to in self.pointers(target):
                self._copy(to, of, size)

        self._use(target, use_target)
        self._use(source, use_source)

    def _copy(self, target: Pointer, source: Pointer, size: int) -> None:
        read, start, goal = self._cells(source, size), source[1], target[1]
        if read is None or start is None or goal is None or len(read) > MAX_COPIED:
            self.include(self.any_read(source[0]), self.any_written(target[0]))
            return
        distance = goal - start
        for cell in read:
            content = self.cell(source[0], cell.offset)
            cells = self._cells((target[0], cell.offset + distance), cell.type.size)
            if cells is None:
                self.include(content, self.any_written(target[0]))
            else:
                for to in cells:
                    self.include(content, self.cell(target[0], to.offset))

    def _use(self, address: int, use: Callable[[Pointer], None]) -> None:
        self._uses[address].append(use)
        for pointer in tuple(self._sets[address]):
            use(pointer)

    # -- the solution ---------------------------------------------------------------------------

    def solve(self) -> None:
        """Makes every set its least solution."""
        while self._todo:
            node = self._todo.pop()
            new, self._new[node] = self._new[node], []
            for pointer in new:
                for use in self._uses[node]:
                    use(pointer)
                for superset, shift in tuple(self._supersets[node]):
                    self.add(superset, pointer if shift == 0 else self._moved(pointer, shift))
