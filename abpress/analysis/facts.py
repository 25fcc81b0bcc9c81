"""The facts about one program that static analyses find, each computed once and shared.

A fact is computed when it is first asked for. The interpreter, the symbolic steps and what foresees
accesses share one `Facts`, and so do the searches of an engine that begins anew. Points-to sets,
which the others rest on, take about one KiB per location of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from weakref import WeakValueDictionary

from abpress.analysis.boundaries import step_boundaries
from abpress.analysis.distinctions import Distinctions
from abpress.analysis.live_registers import live_registers
from abpress.analysis.points_to import AbstractObject, PointsTo
from abpress.analysis.racing import Racing
from abpress.analysis.touching import Touching
from abpress.analysis.undefined import holds_foreign_pointers, undefined_objects
from abpress.analysis.visibility import Edges, visible_edges
from abpress.analysis.waiting import WaitingPlace, waiting_places
from abpress.ir.program import Program

_KEPT: WeakValueDictionary[int, Facts] = WeakValueDictionary()
"""By the id of its program, which they keep: the facts that somebody still uses."""


_OF_ANY_STEPS = ("points_to", "undefined", "touching", "live", "distinctions")
"""The facts that do not depend on which edges are visible."""


class Facts:
    """The facts about a program; mappings are by the name of the template.

    `visible` overrides which edges are visible.
    """

    def __init__(self, program: Program, visible: Mapping[str, Edges] | None = None) -> None:
        self.program = program
        self._given = visible
        self._noticed: Mapping[str, Edges] = {}

    @classmethod
    def of(cls, program: Program) -> Facts:
        """The facts about a program, the same ones as long as somebody keeps them."""
        found = _KEPT.get(id(program))
        if found is None:
            found = _KEPT[id(program)] = cls(program)
        return found

    def without(self, places: Iterable[tuple[str, int, int]]) -> Facts:
        """The same facts, but that these edges are invisible: template, location, number there.

        NOTE(synchronised-accesses)
        """
        left: dict[str, set[tuple[int, int]]] = {name: set() for name in self.visible}
        for name, location, k in places:
            left[name].add((location, k))
        visible = {name: edges - left[name] for name, edges in self.visible.items()}
        found = Facts(self.program, visible)
        found._noticed = self.visible
        for name in _OF_ANY_STEPS:
            found.__dict__[name] = getattr(self, name)
        return found

    @cached_property
    def points_to(self) -> PointsTo:
        """Where pointers may point."""
        return PointsTo(self.program)

    @cached_property
    def undefined(self) -> frozenset[AbstractObject]:
        """The objects of which a cell may be undefined while it is alive."""
        return undefined_objects(self.program, self.points_to)

    @cached_property
    def foreign_pointers(self) -> bool:
        """Whether a pointer in memory may have no value although something was written there."""
        return holds_foreign_pointers(self.program, self.points_to)

    @cached_property
    def touching(self) -> Touching:
        """Which memory edges may touch."""
        return Touching(self.program, self.points_to, self.undefined)

    @cached_property
    def visible(self) -> Mapping[str, Edges]:
        """The visible edges."""
        if self._given is not None:
            return self._given
        return visible_edges(self.program, self.points_to, self.touching)

    @cached_property
    def racing(self) -> Racing:
        """Where a thread may stand before an access that can race."""
        return Racing(self.program, self.points_to, self.visible)

    @cached_property
    def boundaries(self) -> Mapping[str, frozenset[int]]:
        """The locations at which a step ends."""
        templates, rule = self.program.templates.items(), self.program.signed_overflow
        noticed = self._noticed
        return {
            name: step_boundaries(t, self.visible[name], rule, noticed.get(name, frozenset()))
            for name, t in templates
        }

    @cached_property
    def live(self) -> Mapping[str, tuple[frozenset[str], ...]]:
        """Per location, the registers whose value may still be read."""
        return {name: live_registers(t) for name, t in self.program.templates.items()}

    @cached_property
    def waiting(self) -> Mapping[str, tuple[WaitingPlace | None, ...]]:
        """Per location, what it has to do with loops that may only wait."""
        templates = self.program.templates.items()
        return {
            name: waiting_places(t, self.boundaries[name], self.live[name]) for name, t in templates
        }

    @cached_property
    def distinctions(self) -> Distinctions:
        """Which values of registers the program tells apart."""
        return Distinctions(self.program)
