"""Ranges of inputs from the conditions that follow: `x = nondet(); assume(0 <= x && x < 4)`.

From each input without a range all paths are followed along edges that no other thread can
observe, with the interval of input values that take the path. Paths on which this thread stops
for good are dropped: an assumption that does not hold, the end of the program (unless all paths
lead there), a loop that does nothing. The range is the hull of the intervals with which the other
paths go on. What an input of one value is, and what main has written before there are other
threads, is known on the way: of `s == t && s == 0`, `s` tells `t`.

Precondition: the program is well-formed. Preserves violations, deadlocks and faults: on a dropped
path the thread does nothing that others can observe, and a thread that can move but is not
scheduled leaves the others the same executions. (A waiting ASSUME is no deadlock, a loop is none,
the end of the program is none.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from abpress.ir.expr import Addr, Const, Expr, Reg, registers, rewrite
from abpress.ir.intervals import Interval, hull
from abpress.ir.passes.alone import locations_alone
from abpress.ir.passes.fold import Folder
from abpress.ir.passes.interval import restrict
from abpress.ir.passes.rewrite import may_fault, node_count
from abpress.ir.program import (
    Assign,
    ChooseBit,
    Edge,
    Effect,
    Enter,
    Exit,
    GuardKind,
    Havoc,
    Load,
    Location,
    Program,
    Store,
    Template,
)
from abpress.ir.types import IntType

MOST_EDGES = 400
"""Edges followed for one input; behind them nothing is known."""

MOST_ROUNDS = 4
"""In each of them one input tells ranges of others."""

LARGEST_VALUE = 16
"""Nodes of a value that is followed."""

Values = dict[str, Expr]
"""Register, or cell (`*object+offset`) -> its value, which reads no register but the input's."""

Reached = Interval | None
"""The values with which a path goes on; None where no path does."""


def narrow_inputs(program: Program) -> Program:
    """The program with `low` and `high` of inputs filled in where something follows from it."""
    return replace(
        program,
        templates={name: _narrow(program, t) for name, t in program.templates.items()},
    )


def _narrow(program: Program, template: Template) -> Template:
    if not any(
        isinstance(effect, Havoc)
        for location in template.locations
        for edge in location.edges
        for effect in edge.effects
    ):
        return template
    alone = locations_alone(program, template)
    for _ in range(MOST_ROUNDS):
        narrower = _narrowed(program, template, alone)
        if narrower == template:
            break
        template = narrower
    return template


def _narrowed(program: Program, template: Template, alone: frozenset[int]) -> Template:
    """The template with the ranges that follow where those that it has are known."""
    known = _known(program, template, alone)

    def narrowed(i: int, edge: Edge) -> Edge:
        effects = list(edge.effects)
        for k, effect in enumerate(effects):
            if isinstance(effect, Havoc) and effect.low is None and effect.high is None:
                rest = tuple(effects[k + 1 :])
                for dropped in (True, False):
                    walk = _Walk(program, template, alone, dropped)
                    values = dict(known.get(i, {}))
                    for before in effects[:k]:
                        walk.pass_by(before, values, i in alone)
                    effects[k] = walk.narrowed(i, edge, effect, rest, values)
                    if effects[k] != effect:
                        break
        return replace(edge, effects=tuple(effects))

    return replace(
        template,
        locations=tuple(
            Location(tuple(narrowed(i, edge) for edge in location.edges), location.atomic)
            for i, location in enumerate(template.locations)
        ),
    )


def _known(program: Program, template: Template, alone: frozenset[int]) -> Mapping[int, Values]:
    """Location that is reached before there are other threads -> the constants that registers and
    cells have whenever it is reached."""
    if template.entry not in alone:
        return {}
    walk = _Walk(program, template, alone, True)
    found: dict[int, Values] = {template.entry: {}}
    todo = [template.entry]
    while todo:
        i = todo.pop()
        for edge in template.locations[i].edges:
            values = dict(found[i])
            for effect in edge.effects:
                walk.pass_by(effect, values, True)
            constants: Values = {n: e for n, e in values.items() if isinstance(e, Const)}
            before = found.get(edge.target)
            if before is not None:
                constants = dict(before.items() & constants.items())
            if edge.target in alone and constants != before:
                found[edge.target] = constants
                todo.append(edge.target)
    return found


@dataclass(slots=True)
class _Walk:
    """The paths from one input (mutable: the edges that may still be followed)."""

    program: Program
    template: Template
    alone: frozenset[int]
    drops_exits: bool
    budget: int = MOST_EDGES
    _input: Reg = field(init=False)

    def narrowed(
        self, i: int, edge: Edge, havoc: Havoc, rest: tuple[Effect, ...], values: Values
    ) -> Havoc:
        """An input of the edge with the range with which execution goes on behind `edge`; `rest`
        are the effects behind it, `values` what is known before (it is used up)."""
        t = havoc.target.type
        if not isinstance(t, IntType):
            return havoc
        every = (t.minimum, t.maximum)
        self._input = Reg("$input", t)
        values[havoc.target.name] = self._input
        reached = self._perform(i, edge, rest, values, every, frozenset())
        if reached is None or reached == every:
            return havoc
        return replace(havoc, low=reached[0], high=reached[1])

    def _location(
        self, i: int, values: Values, interval: Interval, path: frozenset[int]
    ) -> Reached:
        edges = self.template.locations[i].edges
        if i in path or any(edge.kind is GuardKind.AWAIT for edge in edges):
            return interval
        guards = [self._value(edge.guard, values) for edge in edges]
        if any(may_fault(edge.guard, self.program.signed_overflow) for edge in edges):
            return interval
        self.budget -= len(edges)
        if self.budget < 0:
            return interval
        reached: Reached = None
        for edge, guard in zip(edges, guards, strict=True):
            if edge.target == i and not edge.effects:
                continue  # the thread does nothing, until another edge is chosen
            taken: Reached = interval
            if guard is not None:
                taken = restrict(guard, self._input, interval)
            if taken is not None:
                further = self._perform(i, edge, edge.effects, dict(values), taken, path | {i})
                reached = hull((reached, further))
        return reached

    def _perform(
        self,
        i: int,
        edge: Edge,
        effects: tuple[Effect, ...],
        values: Values,
        interval: Interval,
        path: frozenset[int],
    ) -> Reached:
        """Performs the effects of the edge from `i` and follows it (`values` is used up)."""
        for effect in effects:
            if isinstance(effect, Exit) and self.drops_exits:
                return None
            if not self._effect(effect, values, i in self.alone):
                return interval
        return self._location(edge.target, values, interval, path)

    def pass_by(self, effect: Effect, values: Values, alone: bool) -> None:
        """Leaves in the values what is known after the effect, whatever it is."""
        if not self._effect(effect, values, alone):
            if isinstance(effect, Load):
                _set(values, effect.target.name, None)
            else:
                values.clear()

    def _effect(self, effect: Effect, values: Values, alone: bool) -> bool:
        """Performs the effect; False where the walk has to stop before it."""
        match effect:
            case Assign(target, value):
                if may_fault(value, self.program.signed_overflow):
                    return False
                _set(values, target.name, self._value(value, values))
            case Havoc(target, low=low, high=high):
                one: Expr | None = None
                if low is not None and low == high and isinstance(target.type, IntType):
                    one = Const(low, target.type)
                _set(values, target.name, one)
            case ChooseBit(target, mask):
                if may_fault(mask, self.program.signed_overflow):
                    return False
                _set(values, target.name, None)
            case Enter():
                pass
            case Load(target, Addr() as address) if alone and self._is_cell(address, target):
                _set(values, target.name, values.get(_cell_key(address)))
            case Store(Addr() as address, value) if alone and self._is_cell(address, value):
                if may_fault(value, self.program.signed_overflow):
                    return False
                if self.program.objects[address.object].readonly:
                    return False
                _set(values, _cell_key(address), self._value(value, values))
            case _:
                return False
        return True

    def _is_cell(self, address: Addr, value: Expr) -> bool:
        """Whether an access with the type of `value` hits one cell of a static object exactly."""
        o = self.program.objects.get(address.object)
        index = o.layout.index.get(address.offset) if o is not None else None
        return o is not None and index is not None and o.layout.cells[index].type == value.type

    def _value(self, e: Expr, values: Values) -> Expr | None:
        """The value of `e` over the input; None if it depends on anything else."""
        if any(name not in values for name in registers(e)):
            return None
        replaced = rewrite(e, lambda leaf: values[leaf.name] if isinstance(leaf, Reg) else leaf)
        objects = {**self.program.objects, **self.template.locals}
        value = Folder(self.program.signed_overflow, objects, keeps_ends=True).fold(replaced)
        return value if node_count(value) <= LARGEST_VALUE else None


def _cell_key(address: Addr) -> str:
    return f"*{address.object}+{address.offset}"


def _set(values: Values, name: str, value: Expr | None) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value
