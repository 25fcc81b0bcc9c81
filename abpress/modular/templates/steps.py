"""Steps of one thread of a template, over its registers and over cells that it shares with others.

A step leads from a *cut* of the template to a cut: along edges that only the thread itself can
notice, then over one that others may notice, with the atomic block that it begins, if it does. In
between nobody has to be interrupted, NOTE(template-invariants). What is not followed (pointers,
summaries of cells, values without a value yet) is arbitrary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from abpress.analysis.facts import Facts
from abpress.analysis.flow import loop_heads, reachable
from abpress.analysis.points_to import Local, Static
from abpress.analysis.registers import TID, maybe_undefined
from abpress.config import Place
from abpress.ir.expr import Compare, Const, Convert, Expr, Reg, rewrite, walk
from abpress.ir.passes.fold import Folder
from abpress.ir.passes.rewrite import node_count
from abpress.ir.program import (
    ENDING,
    Assign,
    Cut,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
    Fault,
    Finish,
    Havoc,
    Load,
    Overflow,
    Program,
    Spawn,
    Store,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType, PtrType
from abpress.logic.formula import FALSE, TRUE, Formula, holds, no_overflow
from abpress.modular.numbers.memory import NumericAccess, NumericMemory
from abpress.modular.threads import SoleThreads

MOST_STEPS = 400
"""Paths from one cut."""

MOST_NODES = 200
"""Operators of a value; larger ones are not followed."""

ARBITRARY = "?"
"""How the names of arbitrary values begin, and of nothing else."""


class NotFollowed(Exception):
    """Why the steps of a template cannot be told."""


@dataclass(frozen=True, slots=True)
class ThreadStep:
    """A step: where the `guard` holds the `values` of variables change, and threads of the
    templates `spawned` begin. It ends at the cut `target`, or is the end of the thread (None) or of
    the execution: `error` is the edge there that is an error, a fault or a bound of the tool. (Of
    steps that end the program otherwise nothing has to be shown: they are left out.)"""

    template: str
    source: int
    target: int | None
    guard: tuple[Formula, ...]
    values: Mapping[str, Expr]
    spawned: tuple[str, ...] = ()
    error: Place | None = None


@dataclass(slots=True)
class ThreadPath:
    """What has happened on a path (mutable). A register that is None has no value yet."""

    location: int
    registers: dict[str, Expr | None] = field(default_factory=dict)
    cells: dict[str, Expr] = field(default_factory=dict)
    guard: list[Formula] = field(default_factory=list)
    spawned: tuple[str, ...] = ()
    noticed: bool = False
    seen: frozenset[int] = frozenset()
    fresh: int = 0

    def copy(self) -> ThreadPath:
        """A path that goes on on its own."""
        return replace(
            self,
            registers=dict(self.registers),
            cells=dict(self.cells),
            guard=list(self.guard),
        )

    def arbitrary(self, type: IntType) -> Reg:
        """An arbitrary value."""
        self.fresh += 1
        return Reg(f"{ARBITRARY}{self.fresh} {type}", type)


class TemplateSteps:
    """The variables and steps of the templates of a program (what is asked for is remembered).

    `constants` are cells that are supposed to hold these numbers always. Without `follow` only
    registers are followed.
    """

    def __init__(
        self,
        program: Program,
        facts: Facts,
        constants: Mapping[str, Const] | None = None,
        follow: bool = True,
    ) -> None:
        self.program = program
        self.memory = NumericMemory(program, facts.points_to)
        self.threads = SoleThreads(program)
        self.constants = constants or {}
        self._facts = facts
        self._fold = Folder(Overflow.WRAP, {}).fold
        cells = _cells(program, self.memory, facts) if follow else ()
        self._followed = tuple(cell for cell in cells if cell not in self.constants)
        self._variables = frozenset(self._followed)
        self._undefined = {
            name: maybe_undefined(t, facts.live[name]) for name, t in program.templates.items()
        }

    # -- variables ------------------------------------------------------------------------------

    @property
    def shared(self) -> tuple[Reg, ...]:
        """The variables for cells that several threads may access."""
        own = set().union(*self.memory.own.values())
        return tuple(self._cell(c) for c in self._followed if c not in own)

    def private(self, template: str, location: int) -> tuple[Reg, ...]:
        """The variables that belong to a thread, where it stands."""
        registers = self.program.templates[template].registers
        live = self._facts.live[template][location] - self._undefined[template][location]
        found = [self._register(template, TID)] if TID in registers else []
        for name in sorted(live - {TID}):
            type = registers[name]
            if isinstance(type, IntType):
                found.append(Reg(_private(template, name), type))
        own = self.memory.own[template]
        return (*found, *(self._cell(c) for c in self._followed if c in own))

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
        return found

    def thread_id(self, template: str) -> Reg | None:
        """The variable for the id of a thread; None if it never looks at it."""
        has = TID in self.program.templates[template].registers
        return self._register(template, TID) if has else None

    def _register(self, template: str, name: str) -> Reg:
        return Reg(_private(template, name), self.program.templates[template].registers[name])

    def _cell(self, cell: str) -> Reg:
        return Reg(cell, self.memory.types[cell])

    # -- cuts -----------------------------------------------------------------------------------

    def cuts(self, template: str) -> tuple[int, ...]:
        """Cuts between which there are steps: the entry, where a thread comes to after what others
        may notice, and one location of each loop. Raises NotFollowed."""
        its = self.program.templates[template]
        locations = its.locations
        found, ends = {its.entry}, set[int]()
        seen = {(its.entry, False)}
        todo = list(seen)
        while todo:
            i, noticed = todo.pop()
            for edge in filter(goes_on, locations[i].edges):
                to = edge.target
                told = noticed or self._noticed(template, edge)
                if not locations[to].atomic:
                    if told:
                        found.add(to)
                    elif locations[i].atomic:
                        ends.add(to)
                following = to, told and locations[to].atomic
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
        never = {i for i, at in enumerate(locations) if not any(map(_may_hold, at.edges))}

        def heads() -> set[int]:
            return set(loop_heads(its, [i not in found | never for i in range(len(locations))]))

        if any(locations[i].atomic for i in heads()):
            found |= ends
        reached = reachable(its, [its.entry])
        return tuple(sorted(i for i in found | heads() if i in reached))

    def _noticed(self, template: str, edge: Edge) -> bool:
        """Whether others may notice an edge, or it may notice them: of what is followed."""
        if goes_on(edge) and self.threads.is_alone(template, edge.target):
            return False
        return any(self._is_noticed(template, effect) for effect in edge.effects)

    def _is_noticed(self, template: str, effect: Effect) -> bool:
        own = self.memory.own[template]
        match effect:
            case Load(r, address):
                cells = self.memory.access(template, address, r.type.size).cells
                return any(c in self._variables and c not in own for c in cells)
            case Store(address, value):
                # Also of a constant: others may see that it is none.
                cells = self.memory.access(template, address, value.type.size).cells
                return any(self._has(c) and c not in own for c in cells)
            case Enter(name):
                return any(self._has(c) and c not in own for c in self.memory.begun(template, name))
            case _:
                return isinstance(effect, Spawn | Finish | Exit)

    # -- steps ----------------------------------------------------------------------------------

    def steps(
        self, template: str, source: int, cuts: AbstractSet[int] | Sequence[int]
    ) -> tuple[ThreadStep, ...]:
        """The steps from a cut. Raises NotFollowed where a path leads past all cuts, or there are
        too many."""
        found = []
        for step in self._from(template, source, frozenset(cuts)):
            found.append(step)
            if len(found) > MOST_STEPS:
                raise NotFollowed(f"{template} has more than {MOST_STEPS} paths from {source}")
        return tuple(found)

    def _from(self, template: str, source: int, cuts: frozenset[int]) -> Iterator[ThreadStep]:
        locations = self.program.templates[template].locations
        if locations[source].atomic:
            raise NotFollowed(f"the cut {source} of {template} is in an atomic block")
        begin = ThreadPath(source)
        begin.registers.update(dict.fromkeys(self.program.templates[template].registers))
        for v in self.private(template, source):
            begin.registers[v.name.removeprefix(f"{template}:")] = v
        todo = [begin]
        while todo:
            path = todo.pop()
            at = path.location
            if path.seen and not locations[at].atomic:
                if at in cuts:
                    yield self._arrived(template, source, path)
                    continue
                if path.noticed:
                    raise NotFollowed(f"{template} comes to {at}, which is no cut")
            if at in path.seen:
                raise NotFollowed(f"{template} has a loop without a cut at {at}")
            for k in reversed(range(len(locations[at].edges))):
                step, following = self._edge(template, source, path, k)
                if step is not None:
                    yield step
                if following is not None:
                    todo.append(following)

    def _edge(
        self, template: str, source: int, before: ThreadPath, k: int
    ) -> tuple[ThreadStep | None, ThreadPath | None]:
        """What an edge leads to: the end of the step, or a longer path; neither if its guard does
        not hold."""
        at = before.location
        edge = self.program.templates[template].locations[at].edges[k]
        path = before.copy()
        guard = self._used(edge.guard, path)
        if guard is not None:
            self._assume(holds(guard), path)
        for effect in edge.effects:
            if isinstance(effect, ENDING):
                if isinstance(effect, Exit):
                    return None, None
                bad = isinstance(effect, Fail | Fault | Cut)
                step = self._ended(template, source, path, (template, at, k) if bad else None)
                return (step, None) if FALSE not in path.guard else (None, None)
            self._effect(template, effect, path)
        if FALSE in path.guard:
            return None, None
        path.noticed = path.noticed or self._noticed(template, edge)
        path.seen |= {at}
        path.location = edge.target
        return None, path

    def _arrived(self, template: str, source: int, path: ThreadPath) -> ThreadStep:
        values = self._changed_cells(path)
        before = {v.name for v in self.private(template, source)}
        for v in self.private(template, path.location):
            assert isinstance(v.type, IntType)
            name = v.name.removeprefix(f"{template}:")
            if v.name in self.memory.types:
                continue
            value = v if name == TID else path.registers[name]
            if value is None:
                value = path.arbitrary(v.type)
            if value != v or v.name not in before:
                values[v.name] = value
        guard = tuple(path.guard)
        return ThreadStep(template, source, path.location, guard, values, path.spawned)

    def _ended(
        self, template: str, source: int, path: ThreadPath, error: Place | None
    ) -> ThreadStep:
        values = self._changed_cells(path)
        return ThreadStep(template, source, None, tuple(path.guard), values, path.spawned, error)

    def _changed_cells(self, path: ThreadPath) -> dict[str, Expr]:
        return {c: v for c, v in path.cells.items() if v != self._content(c)}

    def _content(self, cell: str) -> Expr:
        """What a cell holds at the begin of a step."""
        return self.constants.get(cell) or self._cell(cell)

    # -- effects --------------------------------------------------------------------------------

    def _effect(self, template: str, effect: Effect, path: ThreadPath) -> None:
        target = effect_target(effect)
        match effect:
            case Assign(r, Reg(name)) if isinstance(r.type, IntType) and name != TID:
                path.registers[r.name] = path.registers[name]  # a copy of no value is none
                return
            case Assign(r, value):
                path.registers[r.name] = self._used(value, path)
                return
            case Load(r, address):
                path.registers[r.name] = self._loaded(template, r, address, path)
                return
            case Store(address, value):
                access = self.memory.access(template, address, value.type.size)
                self._store(access, self._used(value, path), path)
                return
            case Havoc(r, _, low, high) if isinstance(r.type, IntType):
                value = path.arbitrary(r.type)
                path.registers[r.name] = value
                if low is not None:
                    self._assume(holds(Compare(">=", value, Const(low, r.type))), path)
                if high is not None:
                    self._assume(holds(Compare("<=", value, Const(high, r.type))), path)
                return
            case Enter(name):
                for cell, (low, high) in self.memory.begun(template, name).items():
                    if cell in self.memory.types and self._has(cell):
                        type = self.memory.types[cell]
                        begun = Const(low, type) if low == high else path.arbitrary(type)
                        path.cells[cell] = begun
            case Spawn(_, child, _):
                path.spawned += (child,)
            case _:
                pass
        for e in effect_operands(effect):
            self._used(e, path)
        if target is not None:
            path.registers[target.name] = None

    def _has(self, cell: str) -> bool:
        return cell in self._followed or cell in self.constants

    def _loaded(self, template: str, r: Reg, address: Expr, path: ThreadPath) -> Expr | None:
        self._used(address, path)
        access = self.memory.access(template, address, r.type.size)
        if not isinstance(r.type, IntType) or not access.exact or not self._has(access.cells[0]):
            return None
        cell = access.cells[0]
        value = path.cells.get(cell) or self._content(cell)
        return value if value.type == r.type else self._fold(Convert(value, r.type))

    def _store(self, access: NumericAccess, value: Expr | None, path: ThreadPath) -> None:
        for cell in filter(self._has, access.cells):
            type = self.memory.types[cell]
            if access.exact and value is not None and isinstance(value.type, IntType):
                new = value if value.type == type else self._fold(Convert(value, type))
            else:
                new = path.arbitrary(type)
            path.cells[cell] = new

    def _used(self, e: Expr, path: ThreadPath) -> Expr | None:
        """The value of an expression, which is looked at; None if it is not followed. Executions
        end where it overflows."""
        for sub in walk(e):
            if not isinstance(sub, Reg) or not isinstance(sub.type, IntType):
                continue
            if path.registers[sub.name] is None:
                path.registers[sub.name] = path.arbitrary(sub.type)
        if any(isinstance(sub.type, PtrType) for sub in walk(e)):
            return None

        def leaf(sub: Expr) -> Expr:
            found = path.registers[sub.name] if isinstance(sub, Reg) else sub
            assert found is not None
            return found

        value = self._fold(rewrite(e, leaf))
        if self.program.signed_overflow is not Overflow.WRAP:
            self._assume(no_overflow(value), path)
        return value if node_count(value) <= MOST_NODES else None

    def _assume(self, f: Formula, path: ThreadPath) -> None:
        if f is not TRUE and f not in path.guard:
            path.guard.append(f)


def _cells(program: Program, memory: NumericMemory, facts: Facts) -> Iterator[str]:
    """The cells that stand for one scalar of a variable that always has a value."""
    for name in program.objects:
        if Static(name) not in facts.undefined:
            yield from (cell for cell in memory.static(name) if cell in memory.exact)
    for template, its in program.templates.items():
        for name in its.locals:
            if Local(template, name) not in facts.undefined:
                yield from (c for c in memory.begun(template, name) if c in memory.exact)


def _may_hold(edge: Edge) -> bool:
    """Whether its guard is not the number 0: who goes no further stands before such edges."""
    return not (isinstance(edge.guard, Const) and edge.guard.value == 0)


def _private(template: str, register: str) -> str:
    """The name of the variable for a register of a thread."""
    return f"{template}:{register}"
