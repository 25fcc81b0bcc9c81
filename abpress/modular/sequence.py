"""The program in which a thread runs where it is joined, where no two threads ever conflict.

What the first thread has created may then run at once, to its end, in the step in which it is
joined; and what a thread does before it is joined is what it would do if it ran alone right after
its creation. NOTE(one-after-another)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from abpress.analysis.facts import Facts
from abpress.ir.expr import FALSE, Addr, Expr, Reg, rewrite
from abpress.ir.passes.prune import prune
from abpress.ir.passes.rewrite import map_operands, retargeted, with_effects
from abpress.ir.paths import reachable
from abpress.ir.program import (
    Alloc,
    Assign,
    Edge,
    Effect,
    Enter,
    Exit,
    Finish,
    GuardKind,
    Havoc,
    Join,
    Leave,
    Location,
    MemoryObject,
    Program,
    Spawn,
    Template,
    edges,
    effect_target,
)
from abpress.ir.types import Scalar
from abpress.modular.analysis import Solution
from abpress.modular.synchronised import never_conflict
from abpress.modular.values import Thread, Value

ENDED = "a thread has ended"
"""How the program ends where nothing comes after what a thread has done."""

Sites = Mapping[tuple[int, int], int]
"""Edges of the first thread, each with the class of the threads that it creates, or joins."""


def in_sequence(solution: Solution) -> Program | None:
    """The program with one thread that violates what the program does, by what is known of single
    threads; None if that is not known."""
    created = _created(solution)
    joined = None if created is None else _joined(solution)
    if created is None or joined is None or not never_conflict(solution):
        return None
    return prune(_Sequence(solution, created, joined).program())


def _created(solution: Solution) -> Sites | None:
    """Where which class is created, if only the first thread creates threads, one at each edge, of
    which it may tell addresses apart only where no other thread does."""
    program, classes = solution.program, solution.classes
    main = program.templates[program.main]
    found: dict[tuple[int, int], int] = {}
    for c in classes.listed[1:]:
        if c.parent != 0 or not classes.unique(c.number) or c.site in found:
            return None
        found[c.site] = c.number
    others = [classes.template(number) for number in found.values()]
    if not found or any(t.name == main.name or not _is_plain(t) for t in others):
        return None
    touching = Facts.of(program).touching
    for template in (main, *others):
        if any(True for _, e in edges(template) for _ in touching.told_apart(template.name, e)):
            return None
    return found


def _is_plain(template: Template) -> bool:
    """Whether threads neither create nor join any, and own nothing that ends with them but their
    local objects."""
    return not any(
        isinstance(effect, Spawn | Join) or (isinstance(effect, Alloc) and effect.automatic)
        for _, edge in edges(template)
        for effect in edge.effects
    )


def _joined(solution: Solution) -> Sites | None:
    """Where which class is joined, if that is known wherever threads are joined, and each class is
    joined once at most on each path."""
    transfer = solution.transfer(0)
    main = solution.classes.template(0)
    found: dict[tuple[int, int], int] = {}
    for (cls, location), parts in solution.known.items():
        for k in range(len(main.locations[location].edges)) if cls == 0 else ():
            for known in parts.values():
                for effect, now in transfer.effects(location, k, known):
                    if isinstance(effect, Join):
                        its = _thread(solution, transfer.value(effect.thread, now))
                        if its is None or found.setdefault((location, k), its) != its:
                            return None
    for (location, k), cls in found.items():
        behind = reachable(main, [main.locations[location].edges[k].target])
        if any(other == cls and at in behind for (at, _), other in found.items()):
            return None
    return found


def _thread(solution: Solution, handle: Value) -> int | None:
    """The class of the only thread of which a value is the id."""
    match tuple(handle or ()):
        case (Thread(cls, True),) if solution.classes.unique(cls):
            return cls
        case _:
            return None


class _Sequence:
    """Makes the program (mutable)."""

    def __init__(self, solution: Solution, created: Sites, joined: Sites) -> None:
        self._solution = solution
        self._created = created
        self._joined = joined
        self._program = program = solution.program
        self._main = main = program.templates[program.main]
        self._locations: list[Location] = list(main.locations)
        self._registers: dict[str, Scalar] = dict(main.registers)
        self._locals: dict[str, MemoryObject] = dict(main.locals)

    def program(self) -> Program:
        """The program."""
        self._stuck = self._add(Edge(0, FALSE, GuardKind.ASSUME))
        for i, location in enumerate(self._main.locations):
            its = tuple(self._edge(i, k, edge) for k, edge in enumerate(location.edges))
            self._locations[i] = Location(its, location.atomic)
        main = replace(
            self._main,
            locations=tuple(self._locations),
            registers=self._registers,
            locals=self._locals,
        )
        return replace(self._program, templates={main.name: main})

    def _edge(self, i: int, k: int, edge: Edge) -> Edge:
        """An edge of the first thread; one that it never takes leads nowhere."""
        transfer = self._solution.transfer(0)
        if not transfer.may_take(edge, self._solution.known.get((0, i), {}).values()):
            return replace(with_effects(edge, ()), target=self._stuck)
        for n, effect in enumerate(edge.effects):
            before, after = edge.effects[:n], edge.effects[n + 1 :]
            match effect:
                case Spawn():
                    begun = self._spawned(self._created[i, k], effect)
                    then = self._add(with_effects(Edge(edge.target, position=edge.position), after))
                    first = self._copy(self._created[i, k], None)
                    alone = Edge(first, position=edge.position)
                    self._locations[then] = Location((*self._locations[then].edges, alone))
                    return replace(with_effects(edge, (*before, *begun)), target=then)
                case Join(target):
                    then = self._add(with_effects(Edge(edge.target, position=edge.position), after))
                    first = self._copy(self._joined[i, k], (target, then))
                    return replace(with_effects(edge, before), target=first)
                case _:
                    pass
        return edge

    def _add(self, *its: Edge) -> int:
        self._locations.append(Location(its))
        return len(self._locations) - 1

    def _spawned(self, cls: int, effect: Spawn) -> Iterator[Effect]:
        """What the creation of a thread leaves in registers: an id of which nothing is known."""
        yield Havoc(effect.target, "a thread")
        types = self._solution.classes.template(cls).registers
        for name, value in (("$tid", effect.target), ("$arg", effect.argument)):
            if name in types:
                yield Assign(self._register(cls, Reg(name, types[name])), value)

    def _register(self, cls: int, register: Reg) -> Reg:
        mine = Reg(f"{register.name} of {cls}", register.type)
        self._registers[mine.name] = mine.type
        return mine

    def _copy(self, cls: int, joined: tuple[Reg, int] | None) -> int:
        """A copy of what a thread does; it leads to where the thread is joined, if it is, with the
        thread's result in a register."""
        template = self._solution.classes.template(cls)
        first = len(self._locations)
        own = {name: f"{name} of {cls}" for name in template.locals}

        def leaf(e: Expr) -> Expr:
            if isinstance(e, Reg):
                return self._register(cls, e)
            if isinstance(e, Addr) and e.object in own:
                return replace(e, object=own[e.object])
            return e

        def expression(e: Expr) -> Expr:
            return rewrite(e, leaf)

        for name, local in template.locals.items():
            initial = tuple(
                replace(v, object=own.get(v.object, v.object)) if isinstance(v, Addr) else v
                for v in local.initial
            )
            self._locals[own[name]] = replace(local, name=own[name], initial=initial)

        def effect_of(effect: Effect) -> Iterator[Effect]:
            match effect:
                case Enter(name) | Leave(name):
                    yield replace(effect, object=own[name])
                case Finish(result):
                    if joined is None:
                        yield Exit(ENDED)
                        return
                    yield Assign(joined[0], expression(result))
                    yield from (Leave(name) for name in own.values())
                case _:
                    target = effect_target(effect)
                    its = map_operands(effect, expression)
                    yield its if target is None else retargeted(its, self._register(cls, target))

        for location in template.locations:
            copied = []
            for edge in location.edges:
                target = first + edge.target
                if edge.effects and isinstance(edge.effects[-1], Finish) and joined is not None:
                    target = joined[1]
                effects = tuple(e for effect in edge.effects for e in effect_of(effect))
                copied.append(
                    replace(edge, target=target, guard=expression(edge.guard), effects=effects)
                )
            self._locations.append(Location(tuple(copied), location.atomic))
        return first + template.entry
