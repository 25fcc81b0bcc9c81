"""Threads that are alike: instances of one template that a program cannot tell apart by their ids.

NOTE(symmetric-threads). What is checked here is the part of it that the text of a program shows:
where the ids of such threads may get, and that nothing is done with them but what makes no
difference between one and another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from abpress.analysis.control import Control, Node
from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Function, Local, Static
from abpress.analysis.registers import ARGUMENT, TID, spawned_templates
from abpress.ir.expr import TRUE, Compare, Const, Expr, Reg, children, registers
from abpress.ir.paths import comes_again, reachable
from abpress.ir.program import (
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Edge,
    Effect,
    Enter,
    Havoc,
    Join,
    Load,
    Program,
    Spawn,
    Store,
    edges,
    effect_operands,
    effect_target,
    keeps_sets,
)
from abpress.ir.types import Layout

FAR = 1 << 31
"""No thread has such an id, or a greater one."""


class TellsApart(Exception):
    """Why threads are not alike."""


@dataclass(frozen=True, slots=True)
class Alike:
    """The `templates` whose threads are alike. Their ids, and those of the others that `main`
    creates, may be in `handles`, which `main` alone has to join them, and in `names`, which they
    say who they are by. `joins` are the locations of `main` before a join of a thread that a handle
    names, with the register of it, and `between` these and all on ways from one to another."""

    templates: tuple[str, ...]
    handles: frozenset[Node]
    names: frozenset[Node]
    joins: dict[int, str]
    between: frozenset[int]


def alike(facts: Facts) -> Alike:
    """The threads of a program that are alike. Raises TellsApart if there are none."""
    program = facts.program
    if keeps_sets(program):
        raise TellsApart("sets of threads")
    if any(program.main in spawned_templates(its) for its in program.templates.values()):
        raise TellsApart("main is created, too")
    templates = tuple(name for name in program.templates if _is_spawned_alike(program, name))
    if not templates:
        raise TellsApart("no threads of one function")
    return _Uses(facts, templates).found()


def begin_alike(facts: Facts, templates: Collection[str]) -> bool:
    """Whether threads of one of these templates are given the same argument, or look at none."""
    program = facts.program
    given: dict[str, set[Expr]] = {name: set() for name in templates}
    for _, edge in edges(program.templates[program.main]):
        for effect in edge.effects:
            if isinstance(effect, Spawn) and effect.template in given:
                given[effect.template].add(effect.argument)
    for name, arguments in given.items():
        if ARGUMENT not in facts.live[name][program.templates[name].entry]:
            return True
        if len(arguments) == 1 and not registers(next(iter(arguments))):
            return True
    return False


def _is_spawned_alike(program: Program, name: str) -> bool:
    """Whether `main` alone may create several threads of a template, and these create, join and own
    nothing."""
    spawns = [
        (template, location)
        for template in program.templates
        for location, edge in edges(program.templates[template])
        for effect in edge.effects
        if isinstance(effect, Spawn) and effect.template == name
    ]
    its = program.templates[name]
    if not spawns or name == program.main or its.locals:
        return False
    if any(isinstance(f, Spawn | Join | Alloc | Enter) for _, e in edges(its) for f in e.effects):
        return False
    main = program.templates[program.main]
    if any(template != program.main for template, _ in spawns):
        return False
    return len(spawns) > 1 or comes_again(main, spawns[0][1])


class _Uses:
    """Looks at all that is done with the ids of threads of some templates."""

    def __init__(self, facts: Facts, templates: tuple[str, ...]) -> None:
        self._facts = facts
        self._program = program = facts.program
        self._templates = templates
        self._control = control = Control(program, facts.points_to)
        main = program.templates[program.main]
        targets = [
            (main.name, effect.target.name)
            for _, edge in edges(main)
            for effect in edge.effects
            if isinstance(effect, Spawn)
        ]
        self._handles = control.reached(targets)
        self._names = control.reached((name, TID) for name in templates)
        self._ids = self._handles | self._names
        self._joins: dict[int, str] = {}

    def found(self) -> Alike:
        """The threads, if nothing tells them apart."""
        if self._handles & self._names:
            raise TellsApart("what a creation and what a thread says of its id meet")
        for node in self._ids:
            self._look_at_place(node)
        for name, template in self._program.templates.items():
            for location, edge in edges(template):
                self._refuse(self._escapes(name, edge.guard), "a condition on the id of a thread")
                for effect in edge.effects:
                    self._look_at(name, location, edge, effect)
        return Alike(
            self._templates, self._handles, self._names, self._joins, self._between_joins()
        )

    def _between_joins(self) -> frozenset[int]:
        """The locations of joins, and those on ways from one to another."""
        main = self._program.templates[self._program.main]
        joins = self._joins.keys()
        behind = reachable(main, joins)
        its = frozenset(k for k in behind if not joins.isdisjoint(reachable(main, [k])))
        for k in its:
            effects = [f for edge in main.locations[k].edges for f in edge.effects]
            self._refuse(any(isinstance(f, Spawn) for f in effects), "creations between joins")
        self._refuse(main.entry in its, "main begins between joins")
        return its

    def _refuse(self, refused: bool, why: str) -> None:
        if refused:
            raise TellsApart(why)

    # -- places ---------------------------------------------------------------------------------

    def _look_at_place(self, node: Node) -> None:
        its, where = node
        main = self._program.main
        if isinstance(its, str):
            self._refuse(its == "", "the id of a thread as its result")
            if where != TID:
                type = self._program.templates[its].registers.get(str(where))
                self._refuse(type != self._program.thread_id, "the id of a thread is converted")
            handle = node in self._handles
            self._refuse(handle and its != main, "a thread but main has what a creation returns")
            return
        match its:
            case Static(name):
                obj = self._program.objects[name]
            case Local(template, name) if template == main:
                obj = self._program.templates[template].locals[name]
            case _:
                raise TellsApart("the id of a thread in memory of another one, or of the heap")
        for cell, initial in zip(obj.layout.cells, obj.initial, strict=True):
            if where is None or where == cell.offset:
                self._refuse(cell.type != self._program.thread_id, "the id of a thread in parts")
                fresh = initial is None and node in self._handles
                self._refuse(not fresh and not _is_no_id(initial), "an id that is no thread's")

    def _touched(self, template: str, address: Expr, size: int) -> list[Node]:
        """The cells that an access may touch in which an id may be, and others as ("", "")."""
        found: list[Node] = []
        for target in self._facts.points_to.targets(template, address):
            if isinstance(target.object, Function):
                continue
            offsets = self._facts.points_to.cells(target, size)
            for offset in (None,) if offsets is None else offsets:
                found.append(self._as_id(target.object, offset))
        return found

    def _as_id(self, o: Static | Local | object, offset: int | None) -> Node:
        known = {n for n in self._ids if n[0] == o}
        its = {n for n in known if offset is None or n[1] in (None, offset)}
        return next(iter(its), ("", ""))

    # -- effects --------------------------------------------------------------------------------

    def _is_id(self, template: str, e: Expr) -> bool:
        return isinstance(e, Reg) and (template, e.name) in self._ids

    def _is_plain(self, e: Expr) -> bool:
        """Whether it is the id of who asks, or of no thread."""
        return (isinstance(e, Reg) and e.name == TID) or _is_no_id(e)

    def _escapes(self, template: str, e: Expr) -> bool:
        """Whether the value of an expression may depend on which thread an id is of."""
        if self._is_id(template, e):
            return True
        if isinstance(e, Compare) and e.op in ("==", "!="):
            sides = e.left, e.right
            if any(self._is_id(template, side) for side in sides):
                handle = any(
                    isinstance(s, Reg) and (template, s.name) in self._handles for s in sides
                )
                mine = [self._is_id(template, s) and not self._is_plain(s) for s in sides]
                if handle and all(mine):
                    return True
                return not all(m or self._is_plain(s) for m, s in zip(mine, sides, strict=True))
        return any(self._escapes(template, part) for part in children(e))

    def _look_at(self, template: str, location: int, edge: Edge, effect: Effect) -> None:
        target = effect_target(effect)
        gets = target is not None and (template, target.name) in self._ids
        match effect:
            case Assign(_, value):
                self._look_at_value(template, value, gets)
            case Load(its, address):
                self._refuse(self._escapes(template, address), "an address by an id")
                cells = self._touched(template, address, its.type.size)
                bad = gets and (not cells or ("", "") in cells)
                self._refuse(bad, "what is loaded is an id or something else")
                self._refuse(
                    not gets and any(cell != ("", "") for cell in cells), "an id is loaded in parts"
                )
            case Store(address, value):
                self._refuse(self._escapes(template, address), "an address by an id")
                cells = self._touched(template, address, value.type.size)
                its_ids = [cell for cell in cells if cell != ("", "")]
                self._look_at_value(template, value, bool(its_ids))
                mine = self._handles.intersection(its_ids)
                self._refuse(
                    bool(mine) and template != self._program.main, "another thread writes a handle"
                )
                self._refuse(
                    bool(its_ids) and value.type != self._program.thread_id, "an id in parts"
                )
            case Copy(to, of, size):
                cells = [*self._touched(template, to, size), *self._touched(template, of, size)]
                self._refuse(any(cell != ("", "") for cell in cells), "ids are copied in bulk")
                for e in (to, of):
                    self._refuse(self._escapes(template, e), "an address by an id")
            case Join(_, Reg(name)) if (template, name) in self._handles:
                self._refuse(gets, "a result is taken for an id")
                self._look_at_join(location, edge, effect)
                self._joins[location] = name
            case Havoc() | ChooseBit() | Alloc() if gets:
                raise TellsApart("an arbitrary value is taken for an id")
            case _:
                self._refuse(gets and not isinstance(effect, Spawn), "a value is taken for an id")
                for e in effect_operands(effect):
                    self._refuse(self._escapes(template, e), "the id of a thread is used")

    def _look_at_value(self, template: str, value: Expr, to_id: bool) -> None:
        """At what is written: an id as a whole, if an id may be there."""
        if self._is_id(template, value):
            self._refuse(not to_id, "an id gets where none is looked for")
        elif to_id:
            self._refuse(not self._is_plain(value), "a value is taken for an id")
        else:
            self._refuse(self._escapes(template, value), "a value depends on an id")

    def _look_at_join(self, location: int, edge: Edge, effect: Join) -> None:
        main = self._program.templates[self._program.main]
        its = main.locations[location]
        alone = len(its.edges) == 1 and not its.atomic and edge.guard == TRUE
        self._refuse(not alone or edge.effects != (effect,), "a join in a block")
        live = self._facts.live[main.name][edge.target]
        self._refuse(effect.target.name in live, "the result of a thread is used")


def _is_no_id(value: object) -> bool:
    """Whether it is a number that no thread has."""
    return isinstance(value, Const) and (value.value == 0 or value.value >= FAR)


def cells_of(
    kin: tuple[str, str] | Layout, layout: Layout, places: frozenset[Node]
) -> Iterator[int]:
    """The indices of the cells of an object of such kin (`ObjectInfo`) that are among places."""
    if isinstance(kin, Layout):
        return
    o = Local(*kin) if kin[0] else Static(kin[1])
    for k, cell in enumerate(layout.cells):
        if (o, cell.offset) in places or (o, None) in places:
            yield k
