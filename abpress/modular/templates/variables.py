"""The variables of threads of templates: their registers, and cells that they share.
NOTE(template-invariants), NOTE(chosen-nodes)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Local, Static
from abpress.analysis.registers import ARGUMENT, TID, maybe_undefined
from abpress.ir.expr import Const, Expr, Reg
from abpress.ir.program import Program, Spawn, edges, effect_target
from abpress.ir.types import INT, IntType, PtrType
from abpress.logic.formula import Formula
from abpress.modular.numbers.memory import NumericMemory
from abpress.modular.templates.elements import OFFSET, ChosenElements, Groups
from abpress.modular.templates.handle_arrays import HandleArray, handle_arrays
from abpress.modular.templates.joined import ChosenThreads
from abpress.modular.templates.nodes import NODE, ChosenNodes, nodes_of
from abpress.modular.templates.paths import ThreadStep, private_name
from abpress.modular.threads import SoleThreads


class TemplateVariables:
    """The variables of the templates of a program (what is asked for is remembered).

    `constants` are cells that are supposed to hold these numbers always. Of the arrays of these
    `groups` a chosen element is followed; of those of `handles`, of which it may be, it is where
    they are named; so are chosen nodes. Without `follow` only registers are followed.
    The `memory` is that of the program, which is made if it is left out.
    """

    def __init__(
        self,
        program: Program,
        facts: Facts,
        constants: Mapping[str, Const] | None = None,
        follow: bool = True,
        groups: Groups = (),
        memory: NumericMemory | None = None,
    ) -> None:
        self.program = program
        self.memory = memory or NumericMemory(program, facts.points_to)
        self.threads = SoleThreads(program)
        self.constants = constants or {}
        self._facts = facts
        handles = handle_arrays(program, facts, self.threads, self.memory) if groups else {}
        handles = {name: its for name, its in handles.items() if self._has_one_cell(its)}
        asked = {name: handles[name] for its in groups for name in its if name in handles}
        undefined = {o.name for o in facts.undefined if isinstance(o, Static)} - asked.keys()
        places = nodes_of(self.memory)
        nodes = [places[name] for its in groups for name in its if name in places]
        self.nodes = ChosenNodes(program, facts.points_to, self.memory, nodes, self.content)
        defined = [[a for a in its if a not in undefined] for its in groups]
        defined = [its for its in defined if its]
        self.elements = ChosenElements(program, facts.points_to, self.memory, defined, asked)
        alone = {its[0] for its in defined if len(its) == 1}
        self.chosen_threads = ChosenThreads(program, self.memory, asked, alone)
        self.handles = handles
        cells = (*_cells(program, self.memory, facts), *self.elements.cells) if follow else ()
        cells += (*(v.name for v in self.nodes.held), *self.nodes.types)
        self._followed = tuple(cell for cell in cells if cell not in self.constants)
        self._variables = frozenset(self._followed)
        self.plain = IntType(8 * program.pointer_size, False)
        self._pointers: dict[tuple[str, str], IntType | None] = {}
        self._private: dict[tuple[str, int], tuple[Reg, ...]] = {}
        self._steps: dict[tuple[str, int, frozenset[int]], tuple[ThreadStep, ...]] = {}
        self._undefined = _undefined(program, facts)

    def _has_one_cell(self, array: HandleArray) -> bool:
        """Whether what an array holds is followed by one element."""
        places = (*self.memory.repeated.values(), *self.memory.allocated_elements.values())
        name = array.name.removeprefix(f"{array.template}:")
        apart = name not in self.program.templates[array.template].registers
        return apart and any(map(array.has, places))

    # -- variables ------------------------------------------------------------------------------

    @cached_property
    def shared(self) -> tuple[Reg, ...]:
        """The variables for cells that several threads may access, and for which elements these
        are of arrays."""
        own = set().union(*map(self.own, self.program.templates))
        cells = (self._cell(c) for c in self._followed if c not in own)
        return (*cells, *self.elements.indices)

    @property
    def always(self) -> tuple[Formula, ...]:
        """What holds of shared variables at any time."""
        return self.elements.always

    def own(self, template: str) -> AbstractSet[str]:
        """The cells that only threads of a template access, each its own ones."""
        return self.memory.own[template] | self.chosen_threads.cells(template)

    def private(self, template: str, location: int) -> tuple[Reg, ...]:
        """The variables that belong to a thread, where it stands."""
        found = self._private.get((template, location))
        if found is None:
            found = self._private[template, location] = self._listed(template, location)
        return found

    def _listed(self, template: str, location: int) -> tuple[Reg, ...]:
        registers = self.program.templates[template].registers
        undefined = self._undefined[template][location]
        found = [self._register(template, TID)] if TID in registers else []
        for name in sorted(self._facts.live[template][location] - {TID}):
            type = registers[name]
            told = type if isinstance(type, IntType) else self.type_of_pointer(template, name)
            is_none = name in undefined and not self.nodes.follows(template, Reg(name, type))
            if told is not None and not is_none:
                found.append(Reg(private_name(template, name), told))
        for name in (*self.elements.read_last(template), *self.nodes.read_last):
            found.append(Reg(private_name(template, name), INT))
        for name in self.chosen_threads.registers(template):
            found.append(Reg(private_name(template, name), INT))
        own = self.own(template)
        return (*found, *(self._cell(c) for c in self._followed if c in own))

    def type_of_pointer(self, template: str, register: str) -> IntType | None:
        """The type of the variable for a pointer: its offset in an array of which an element is
        chosen, whether it is to the chosen node, or the number that it is; None if it is not
        followed."""
        key = template, register
        if key not in self._pointers:
            type = self.program.templates[template].registers[register]
            found = None
            if isinstance(type, PtrType):
                targets = self._facts.points_to.targets(template, Reg(register, type))
                into = self.elements.is_into({t.object for t in targets})
                if self.nodes.follows(template, Reg(register, type)):
                    found = NODE
                elif not targets:
                    found = self.plain
                elif into and self.elements.only_offset(template, Reg(register, type)) is None:
                    found = OFFSET
            self._pointers[key] = found
        return self._pointers[key]

    def may_have_no_value(self, template: str, location: int, register: str) -> bool:
        """Whether a register may hold no value where a thread stands."""
        return register in self._undefined[template][location]

    def initial(self) -> Mapping[str, Const]:
        """What shared cells hold at first, as far as that is one number."""
        found: dict[str, Const] = {}
        for name in self.program.objects:
            for cell in self.memory.static(name):
                low, high = self.memory.initial[cell]
                if cell in self._followed and low == high:
                    found[cell] = Const(low, self.memory.types[cell])
        return found | dict(self.nodes.initial)

    def thread_id(self, template: str) -> Reg | None:
        """The variable for the id of a thread; None if it never looks at it."""
        has = TID in self.program.templates[template].registers
        return self._register(template, TID) if has else None

    def _register(self, template: str, name: str) -> Reg:
        return Reg(private_name(template, name), self.program.templates[template].registers[name])

    def _cell(self, cell: str) -> Reg:
        return Reg(cell, self.nodes.types.get(cell) or self.memory.types[cell])

    def has(self, cell: str) -> bool:
        """Whether what a cell holds is followed, or supposed to be one number."""
        return cell in self._followed or cell in self.constants

    def content(self, cell: str) -> Expr:
        """What a cell holds at the begin of a step."""
        return self.constants.get(cell) or self._cell(cell)


def _cells(program: Program, memory: NumericMemory, facts: Facts) -> Iterator[str]:
    """The cells that stand for one scalar of a variable that always has a value."""
    for name in program.objects:
        if Static(name) not in facts.undefined:
            yield from (cell for cell in memory.static(name) if cell in memory.exact)
    for template, its in program.templates.items():
        for name in its.locals:
            if Local(template, name) not in facts.undefined:
                yield from (c for c in memory.begun(template, name) if c in memory.exact)


def _undefined(program: Program, facts: Facts) -> Mapping[str, tuple[frozenset[str], ...]]:
    """Per template and location the registers that may hold no value; what a thread is given is one
    if some creation of such a thread may pass on no value."""
    found = {name: maybe_undefined(t, facts.live[name]) for name, t in program.templates.items()}
    unknown = {program.main}
    for name, template in program.templates.items():
        for i, edge in edges(template):
            for effect in edge.effects:
                if isinstance(effect, Spawn) and isinstance(effect.argument, Reg):
                    its = effect.argument.name
                    written = {r.name for e in edge.effects if (r := effect_target(e)) is not None}
                    if its in found[name][i] or its in written:
                        unknown.add(effect.template)
    for name in program.templates.keys() - unknown:
        live = facts.live[name]
        found[name] = maybe_undefined(program.templates[name], live, (TID, ARGUMENT))
    return found
