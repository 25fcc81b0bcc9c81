"""Checks that may fail as far as facts tell, in words: which operands are not bounded, and why."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.config import Place
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Expr, Reg, registers, walk
from abpress.ir.paths import reachable
from abpress.ir.program import (
    Assign,
    Edge,
    Effect,
    Fail,
    Havoc,
    Load,
    Program,
    Store,
    edges,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType
from abpress.modular.alarms.places import alarmed
from abpress.modular.bounds.analysis import BoundsFacts
from abpress.modular.numbers.box import Box, value_of
from abpress.modular.numbers.effects import NumericSteps
from abpress.modular.numbers.overflow import OverflowFacts
from abpress.result import Alarm

MOST_STEPS_BACK = 6
"""Copies of a number that are followed back to where it comes from."""


class NumbersInWords:
    """What numeric facts do not say, in words."""

    def __init__(self, found: OverflowFacts) -> None:
        self._found = found
        self._program: Program = found.analysis.program
        self._memory = found.analysis.memory
        numbers = found.numbers
        self._steps = NumericSteps(found.analysis.holding, numbers.shared, numbers.bounded)

    def overflow(self, property: str, place: Place) -> Alarm:
        """The alarm of an operation that may overflow."""
        template, location, k = place
        edge = self._program.templates[template].locations[location].edges[k]
        missing: dict[str, None] = {}
        operators: dict[str, None] = {}
        for box in self._boxes(place):
            told: list[Expr] = []
            self._steps.behind(template, location, k, box, lambda *_: None, told.append)
            for e in told:
                operators[getattr(e, "op", "an operation")] = None
                missing.update(dict.fromkeys(self._unbounded(template, location, e, box)))
        what = " or ".join(operators) or "an operation"
        access = alarmed(edge.position, f"computes {what}", template)
        return Alarm(property, "signed arithmetic may overflow", (access,), tuple(missing))

    def error(self, property: str, place: Place) -> Alarm:
        """The alarm of an error whose guard may hold."""
        template, location, k = place
        edge = self._program.templates[template].locations[location].edges[k]
        missing: dict[str, None] = {}
        for at, guard, box in self._tested(place):
            location = at
            for name in sorted(registers(guard)):
                type = self._program.templates[template].registers[name]
                words = self._origin(template, location, name)
                low, high = value_of(Reg(name, type), box) or scalar_bounds(type)
                full = (low, high) == scalar_bounds(type)
                said = "is not known" if full else f"is only known to be from {low} to {high}"
                missing[f"{words} {said} here"] = None
        if not missing:
            missing["nothing is known that keeps threads from coming here"] = None
        access = alarmed(edge.position, "comes to it", template)
        messages = [e.message for e in edge.effects if isinstance(e, Fail)]
        what = f"an error may be reached: {messages[0]}" if messages else "an error may be reached"
        return Alarm(property, what, (access,), tuple(missing))

    def _tested(self, place: Place) -> Iterator[tuple[int, Expr, Box]]:
        """The conditions with which threads come to an edge, with what is known there."""
        template, location, k = place
        its = self._program.templates[template]
        last = [(location, its.locations[location].edges[k])]
        for _ in range(MOST_STEPS_BACK):
            conditions = [(i, edge) for i, edge in last if registers(edge.guard)]
            for i, edge in conditions:
                for box in self._found.numbers.states.get((template, i), []):
                    yield i, edge.guard, box
            if conditions:
                return
            sources = {i for i, _ in last}
            last = [(i, edge) for i, edge in edges(its) if edge.target in sources]

    def _boxes(self, place: Place) -> list[Box]:
        return self._found.numbers.states.get(place[:2], [])

    def _unbounded(self, template: str, location: int, e: Expr, box: Box) -> Iterator[str]:
        for sub in walk(e):
            if isinstance(sub, Reg) and isinstance(sub.type, IntType):
                low, high = value_of(sub, box) or scalar_bounds(sub.type)
                least, most = scalar_bounds(sub.type)
                words = self._origin(template, location, sub.name)
                sides = [
                    side
                    for side, open_ in (("lower", low <= least), ("upper", high >= most))
                    if open_
                ]
                if sides:
                    bounds = "bound is" if len(sides) == 1 else "bounds are"
                    yield f"{words}: its {' and '.join(sides)} {bounds} not known"
                else:
                    yield f"{words} is only known to be from {low} to {high}"

    def _origin(self, template: str, location: int, name: str) -> str:
        """Where a register's value comes from, in words."""
        for _ in range(MOST_STEPS_BACK):
            definitions = self._reaching(template, location, name)
            looped = [edge for i, edge, _ in definitions if self._in_loop(template, i)]
            if len(definitions) > 1 and looped:
                where = looped[0].position.described
                return f"the counter of a loop without a known bound, set at {where}"
            if not definitions:
                return "a number that is not set"
            location, edge, effect = definitions[0]
            match effect:
                case Assign(_, Reg(other, _)) if other != name and len(definitions) == 1:
                    name = other
                case Load(target, address):
                    access = self._memory.access(template, address, target.type.size)
                    return f"the value of {_cells(access.cells)} read at {edge.position.described}"
                case Havoc(_, what):
                    source = f"the input {what}" if what else "the input"
                    return f"{source} at {edge.position.described}"
                case _:
                    break
        return f"what is computed at {edge.position.described}"

    def _reaching(self, template: str, location: int, name: str) -> list[tuple[int, Edge, Effect]]:
        """What may have set a register last, before a thread stands at a location."""
        its = self._program.templates[template]
        found: list[tuple[int, Edge, Effect]] = []
        seen, todo = {location}, [location]
        while todo:
            at = todo.pop()
            for i, edge in edges(its):
                if edge.target != at or not goes_on(edge):
                    continue
                setting = [e for e in edge.effects if _sets(e, name)]
                if setting:
                    found.append((i, edge, setting[-1]))
                elif i not in seen:
                    seen.add(i)
                    todo.append(i)
        return found

    def _in_loop(self, template: str, location: int) -> bool:
        its = self._program.templates[template]
        return location in reachable(its, [e.target for e in its.locations[location].edges])


def _sets(effect: Effect, name: str) -> bool:
    target = effect_target(effect)
    return target is not None and target.name == name


def _cells(cells: tuple[str, ...]) -> str:
    names = dict.fromkeys(cell.removesuffix("+0") for cell in cells)
    return " or ".join(names) or "memory"


def access_alarms(program: Program, property: str, found: BoundsFacts) -> tuple[Alarm, ...]:
    """The alarms of accesses that may be invalid."""
    told = []
    for name, i, k in found.alarms:
        edge = program.templates[name].locations[i].edges[k]
        writes = any(isinstance(effect, Store) for effect in edge.effects)
        access = alarmed(edge.position, "writes" if writes else "reads", name)
        missing = found.doubts[name, i, k]
        told.append(Alarm(property, "an access may be invalid", (access,), missing))
    return tuple(told)
