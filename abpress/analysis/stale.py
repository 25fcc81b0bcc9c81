"""Local objects whose lifetimes begin anew while a pointer to the object before may be at hand.

Both are one object of the program model, so a use of the old pointer, which is undefined, would
look like one of the new object. NOTE(reuse) is the same for objects of different names.
"""

from __future__ import annotations

from collections.abc import Iterator

from abpress.analysis.live_registers import live_registers
from abpress.analysis.points_to import Function, Local, PointsTo
from abpress.errors import Position
from abpress.ir.expr import Reg
from abpress.ir.paths import reachable
from abpress.ir.program import Enter, Leave, Program, Template, edges, goes_on


def stale_pointers(program: Program) -> Iterator[tuple[str, Position]]:
    """The local objects that a pointer to their last lifetime may outlive, and where they begin
    anew: a live register of the thread or any cell may hold one."""
    points_to: PointsTo | None = None
    for template in program.templates.values():
        live: tuple[frozenset[str], ...] = ()
        for name, location, position in _begun_again(template):
            points_to = points_to or PointsTo(program)
            live = live or live_registers(template)
            if any(
                _may_point(points_to, template, register, name) for register in live[location]
            ) or _is_kept(points_to, Local(template.name, name)):
                yield name, position


def _is_kept(points_to: PointsTo, local: Local) -> bool:
    """Whether a cell may hold a pointer to the object."""
    return any(
        local in points_to.content(o) for o in points_to.objects if not isinstance(o, Function)
    )


def _may_point(points_to: PointsTo, template: Template, register: str, name: str) -> bool:
    """Whether the register of the template may point to its local object."""
    if register not in template.registers:
        return False
    pointer = Reg(register, template.registers[register])
    local = Local(template.name, name)
    return any(local == target.object for target in points_to.targets(template.name, pointer))


def _begun_again(template: Template) -> Iterator[tuple[str, int, Position]]:
    """Where a lifetime begins that may have ended before: object, location, position."""
    ended: dict[str, set[int]] = {}
    for _, edge in edges(template):
        for effect in edge.effects:
            if isinstance(effect, Leave) and goes_on(edge):
                ended.setdefault(effect.object, set()).add(edge.target)
    reached: dict[str, frozenset[int]] = {}
    for i, edge in edges(template):
        for effect in edge.effects:
            if isinstance(effect, Enter) and effect.object in ended:
                name = effect.object
                if name not in reached:
                    reached[name] = reachable(template, ended[name])
                if i in reached[name]:
                    yield name, i, edge.position
