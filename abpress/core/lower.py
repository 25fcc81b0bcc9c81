"""Programs as words for the native core.

Code is made for each location (`lower_templates`, `lower_expressions`); here are the tables beside
it. It mirrors `abpress.semantics.codegen`, from which it takes what a step is, and where arbitrary
values are chosen; `native/machine.c` executes it. `REFUSED` says what is not lowered; some things
are only seen when they happen (`docs/core.md` has them).
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from abpress.analysis.racing import Masks
from abpress.analysis.waiting import QuietCycles
from abpress.core.code import DEAD, CannotLower, type_word, word
from abpress.core.lower_templates import NAMES, CoreTables, CoreTemplate
from abpress.errors import NOWHERE, Position
from abpress.ir.program import Initial
from abpress.ir.types import WAITING, Layout, Scalar
from abpress.properties import PASSING, VISITED, Aspect
from abpress.semantics.choices import Domain
from abpress.semantics.context import Code, Context
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.local_states import FIRST_REGISTER
from abpress.semantics.memory import DEAD as DEAD_CELL
from abpress.semantics.naming import MAIN, ObjectInfo

if TYPE_CHECKING:
    from abpress.search.symmetric import SymmetricStates

MOST_CELLS = 1 << 14
"""Cells at fixed places; a program of more is not lowered."""

MOST_RACING = 1 << 9
"""Kinds of accesses that may race."""

MOST_CLASSES = 8
"""Kinds of threads that count as equal."""


@dataclass(frozen=True, slots=True)
class CoreProgram:
    """A program for the core. `positions` are those of its locations, by their numbers (pcs)."""

    words: array[int]
    positions: tuple[Position, ...]
    domains: tuple[Domain | None, ...]
    ends: Mapping[str, int]


def lower(
    system: Interpreter,
    looks_at: Collection[Aspect] = (),
    awaits: bool = False,
    foresees: bool = False,
    symmetric: SymmetricStates | None = None,
) -> CoreProgram:
    """The program of an interpreter, with its bounds, as words for the core; with what properties
    look at; `awaits`: loops that only wait are waiting, NOTE(useless-rounds); `foresees`: with what
    threads may access later; `symmetric`: with which threads count as equal.

    Raises CannotLower, with the reason and the place.
    """
    return _CoreLowering(system, looks_at, awaits, foresees, symmetric).lowered()


class _CoreLowering:
    def __init__(
        self,
        system: Interpreter,
        looks_at: Collection[Aspect],
        awaits: bool,
        foresees: bool,
        symmetric: SymmetricStates | None,
    ) -> None:
        self.system = system
        self.symmetric = symmetric
        self.looks_at = looks_at
        self.awaits = awaits
        self.futures = system.foresight.futures if foresees else None
        self.context: Context = system.context
        names = (n for code in self.context.codes.values() for n in code.template.registers)
        self.all = CoreTables(self.context, len(NAMES) + len(dict.fromkeys(names)))
        self.out = self.all.out
        self.out.most = self.all.slots

    def lowered(self) -> CoreProgram:
        context, all = self.context, self.all
        if context.dynamic > MOST_CELLS:
            raise CannotLower(f"more than {MOST_CELLS:,} cells")
        if self.symmetric is not None and self.symmetric.classes > MOST_CLASSES:
            raise CannotLower(f"more than {MOST_CLASSES} kinds of equal threads")
        for code in context.codes.values():
            if self._fixed(code):
                continue
            for name, local in code.template.locals.items():
                if not local.layout.cells:
                    raise CannotLower("a local object of no cells", local.position)
                all.locals[code.template.name, name] = len(all.locals)
                all.layout(local.layout, local.position)
        for code in context.codes.values():
            CoreTemplate(all, code).lower()
        for at in all.jumps:
            self.out.code[at][1] = all.starts[self.out.code[at][1]]
        positions = tuple(map(context.position, range(context.pcs)))
        words = array("q", self._words())
        return CoreProgram(words, positions, tuple(self.out.domains), all.ends)

    def _fixed(self, code: Code) -> bool:
        return self.context.single_main and code.template.name == self.context.program.main

    # -- the words ------------------------------------------------------------------------------

    def _words(self) -> list[int]:
        context, program = self.context, self.context.program
        codes = list(context.codes.values())
        infos = {info.number: info for info in context.objects.placed()}
        for info in infos.values():
            self.all.layout(info.layout, NOWHERE)
        objects = context.objects.count
        waits, racing, races = self._looked_at()
        cycles = self._cycles()
        out, templates = self.out, list(context.codes)
        locals = [self._local(template, name) for template, name in self.all.locals]
        words = [
            context.dynamic,
            context.pcs,
            len(out.code),
            objects,
            len(codes),
            out.most,
            len(self.all.layouts),
            len(out.domains),
            len(self.all.locals),
            context.options.max_threads,
            context.last_thread or 0,
            8 * program.pointer_size,
            templates.index(program.main),
            sum(not kind.isdisjoint(self.looks_at) for kind in (VISITED, PASSING)),
            len(races),
            0 if self.futures is None else self.futures.count + 1,
            0 if self.symmetric is None else self.symmetric.classes,
        ]
        words += self._content()
        for layout in self.all.layouts:
            words += _layout(layout)
        for number in range(objects):
            words += self._object(infos.get(number))
        for pc in range(context.pcs):
            frame = self.all.frames[pc]
            compound = self.system.foresight.begins_block(pc)
            words += [self.all.starts[pc], self.system.starts_invisibly(pc) | compound << 1]
            words += [waits[pc], racing[pc], *cycles[pc], len(frame), *frame]
        for row in races:
            words += row
        words += (code.first_pc + code.template.entry for code in codes)
        for local in locals:
            words += local
        for domain in out.domains:
            values = [] if domain is None else [word(value) for value in domain.values]
            words += [2 if domain is None else int(domain.loss is not None), len(values), *values]
        words += self._later()
        words += self._equal_threads()
        for instruction in out.code:
            words += instruction
        return words

    def _later(self) -> list[int]:
        """What may be accessed later: the fields of cells at fixed places, of lives of objects
        there, of heap objects by their layouts, and of local objects; and by pc the fields that
        may be touched, those that may be written, and where a thread may come to."""
        its, context = self.futures, self.context
        if its is None:
            return []
        cells, lives = [0] * context.dynamic, [0] * context.objects.count
        for info in context.objects.placed():
            assert info.slot is not None
            *inside, lives[info.number] = its.fields(info.kin, info.layout)
            cells[info.slot : info.slot + len(inside)] = inside
        words = cells + lives
        for layout in self.all.layouts:
            words += its.fields(layout, layout)
        for template, name in self.all.locals:
            local = context.program.templates[template].locals[name]
            words += its.fields((template, name), local.layout)
        for sets in (its.touched, its.written):
            for fields in sets:
                words += _set(fields << 1, its.count + 1)
        for points in its.points:
            words += _set(points, context.pcs)
        return words

    def _equal_threads(self) -> list[int]:
        """Where ids of threads that count as equal may be: in cells; and by pc the class of who
        stands there, from 1 on, what `main` has to do with joins, and in which of its registers."""
        its = self.symmetric
        if its is None:
            return []
        words = _places(its.id_cells)
        for pc in range(self.context.pcs):
            words += [its.class_at(pc) + 1, its.between_joins(pc) | its.joins_at(pc) << 1]
            words += _places([(k - FIRST_REGISTER, handle) for k, handle in its.ids_at(pc)])
        return words

    def _cycles(self) -> list[list[int]]:
        """By pc what the location has to do with cycles without writes (`LoopPlace`): the number of
        those that it is on, from 1 on; whether threads remember that they were there, and whether
        it is a source; what is alive of its own cells, how many there are, and they; how many
        sources it has, and they."""
        numbers: dict[QuietCycles, int] = {}
        found = []
        for pc in range(self.context.pcs):
            its = self.system.local.place_of(pc) if self.awaits else None
            if its is None:
                found.append([0] * 5)
                continue
            cycles = its.cycles
            number = 0 if cycles is None else numbers.setdefault(cycles, len(numbers) + 1)
            remembered = cycles is not None and cycles.remembered
            row = [number, remembered | its.source << 1, sum(1 << k for k in its.alive)]
            row.append(len(its.own))
            for k, offset in its.own:
                row += [-1 if k is None else k - FIRST_REGISTER, offset]
            found.append([*row, len(its.sources), *sorted(its.sources)])
        return found

    def _looked_at(self) -> tuple[list[int], list[int], list[list[int]]]:
        """By pc, whether threads may wait for others alone, and the kind of what they are about to
        access, from 1 on; of the kinds, whether two of them may race."""
        pcs = range(self.context.pcs)
        waits, racing = [0 for _ in pcs], [0 for _ in pcs]
        if Aspect.CIRCLE in self.looks_at:
            waits = [int(self.system.circles.may_wait(pc)) for pc in pcs]
        kinds: dict[Masks, int] = {}
        if Aspect.RACE in self.looks_at:
            at = self.system.standing.masks
            racing = [
                0 if (its := at[pc]) is None else kinds.setdefault(its, len(kinds) + 1)
                for pc in pcs
            ]
        if len(kinds) > MOST_RACING:
            raise CannotLower(f"more than {MOST_RACING} kinds of accesses that may race")
        return waits, racing, [[int(one.races(other)) for other in kinds] for one in kinds]

    def _content(self) -> list[int]:
        """The cells at fixed places in the initial state."""
        cells: list[int] = [0] * self.context.dynamic
        for info in self.context.objects.placed():
            assert info.slot is not None
            for j, cell in enumerate(info.layout.cells, info.slot):
                value = self.context.initial[j]
                cells[j] = DEAD if value is DEAD_CELL else word(value, cell.type)
        return cells

    def _object(self, info: ObjectInfo | None) -> list[int]:
        if info is None or info.slot is None:
            return [-1, -1, 0, 0]
        number = self.all.layouts[info.layout]
        first = [
            word(value, cell.type)
            for value, cell in zip(info.initial, info.layout.cells, strict=True)
        ]
        return [info.slot, number, int(info.mortal), int(info.readonly), *first]

    def _local(self, template: str, name: str) -> list[int]:
        local = self.context.program.templates[template].locals[name]
        values = [
            self._initial(template, value, cell.type, local.position)
            for value, cell in zip(local.initial, local.layout.cells, strict=True)
        ]
        return [self.all.layouts[local.layout], *values]

    def _initial(self, template: str, value: Initial, type: Scalar, position: Position) -> int:
        locals = self.context.program.templates[template].locals
        if value is not None and getattr(value, "object", None) in locals:
            raise CannotLower("a local object that begins with the address of one", position)
        return word(self.context.content(value, type, None, MAIN), type)


def _places(ids: Collection[tuple[int, bool]]) -> list[int]:
    """How many places there are, and each with whether it has handles."""
    return [len(ids), *(at << 1 | handle for at, handle in sorted(ids))]


def _set(bits: int, members: int) -> list[int]:
    """A set of so many members in words of 32 bits."""
    return [bits >> k & (1 << 32) - 1 for k in range(0, members, 32)]


def _layout(layout: Layout) -> list[int]:
    words = [layout.size, len(layout.cells)]
    for cell in layout.cells:
        users = 0 if not cell.users else 2 if cell.path.endswith(WAITING) else 1
        words += [cell.offset, type_word(cell.type), users]
    return words
