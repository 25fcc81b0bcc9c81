"""Which cells a thread may rely on while others move; the analysis and the checker share it.

A cell is *kept* by a thread that stands somewhere if no other thread can write it meanwhile: what
the thread knows of it stays true. It is *hidden* if no other thread can read it, either: then what
is written need not be told yet. NOTE(held-cells)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from abpress.ir.program import Enter, Program, Store, edges
from abpress.modular.numbers.memory import NumericMemory
from abpress.modular.threads import SoleThreads


class NumericHolding:
    """What holds of the cells of a program. What is asked for often is remembered."""

    def __init__(self, program: Program, memory: NumericMemory) -> None:
        self.program = program
        self.memory = memory
        self.threads = SoleThreads(program)

    def undisturbed(self, template: str, location: int) -> bool:
        """Whether no other thread moves while one is there."""
        return self.threads.undisturbed(template, location)

    def keeps(self, template: str, location: int, cell: str) -> bool:
        """Whether no other thread can write the cell while one is there."""
        return self.hides(template, location, cell) or cell in self.kept[template]

    def hides(self, template: str, location: int, cell: str) -> bool:
        """Whether no other thread can access the cell while one is there."""
        return cell in self.memory.own[template] or self.undisturbed(template, location)

    @cached_property
    def kept(self) -> dict[str, frozenset[str]]:
        """Per template, the cells that, once there are several threads, only its thread writes, or
        none: each is one scalar."""
        writers: dict[str, set[str]] = {cell: set() for cell in self.memory.exact}
        for cell, template, location in self._writes():
            if cell in writers and not self.threads.is_alone(template, location):
                writers[cell].add(template)
        found: dict[str, frozenset[str]] = {}
        for name in self.program.templates:
            mine = {name} & self.threads.single
            found[name] = frozenset(cell for cell, its in writers.items() if its <= mine)
        return found

    @cached_property
    def counters(self) -> dict[str, frozenset[str]]:
        """Per template, the kept cells that only stores write."""
        begun = {
            cell
            for name, template in self.program.templates.items()
            for local in template.locals
            for cell in self.memory.begun(name, local)
        }
        return {name: cells - begun for name, cells in self.kept.items()}

    def _writes(self) -> Iterator[tuple[str, str, int]]:
        """Each cell that may be written, with template and location."""
        for name, template in self.program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects:
                    cells: tuple[str, ...] = ()
                    if isinstance(effect, Store):
                        size = effect.value.type.size
                        cells = self.memory.access(name, effect.address, size).cells
                    elif isinstance(effect, Enter):
                        cells = tuple(self.memory.begun(name, effect.object))
                    yield from ((cell, name, i) for cell in cells)
