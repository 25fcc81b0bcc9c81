"""Whether a verdict "true" says anything: what ends the executions if none of them completes."""

from __future__ import annotations

from collections.abc import Iterable

from abpress.errors import NOWHERE, Position
from abpress.ir.program import GuardKind, Program
from abpress.properties.ends import End
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

_PLACES = 3
"""Places that are told at most."""

_WAYS = {End.DEADLOCK: "deadlocks", End.BLOCKED: "blocks at an assumption or waits for ever"}


class Ends:
    """How the executions of a search of concrete states end, until one completes. Mutable."""

    def __init__(self, system: Interpreter) -> None:
        self._system = system
        self._met: dict[End, None] = {}
        self._places: dict[Position, None] = {}

    def note(self, state: State, end: End) -> None:
        """Takes in the state in which an execution ends."""
        if End.COMPLETE in self._met:
            return
        self._met.setdefault(end)
        if end is not End.COMPLETE and len(self._places) < _PLACES:
            system = self._system
            for thread in system.threads(state):
                self._places.update(
                    dict.fromkeys(stops(system.program, *system.location(state, thread)))
                )

    def kept(self) -> tuple[tuple[str, ...], tuple[Position, ...]]:
        """What was noted, as plain values."""
        return tuple(end.value for end in self._met), tuple(self._places)

    def take_over(self, kept: tuple[tuple[str, ...], tuple[Position, ...]]) -> None:
        """Takes in what another search has noted."""
        ends, places = kept
        self._met.update(dict.fromkeys(End(end) for end in ends))
        if not self.any_complete:
            self._places.update(dict.fromkeys(places[:_PLACES]))

    @property
    def any_complete(self) -> bool:
        """Whether an execution completes."""
        return End.COMPLETE in self._met

    @property
    def vacuous(self) -> str:
        """Why no execution completes; empty if one does."""
        if self.any_complete:
            return ""
        ways = " or ".join(_WAYS[end] for end in self._met) or "runs for ever or is cut off"
        return f"no execution completes: each {ways}{at_places(self._places)}"


def stops(program: Program, name: str, location: int) -> list[Position]:
    """What a thread that gets no further from a location may be stopped by, the nearest first:
    assumptions, and what waits for others; the location itself if there is nothing of the kind."""
    template = program.templates[name]
    todo, found = [location], []
    for here in todo:  # it grows
        for edge in template.locations[here].edges:
            if edge.kind in (GuardKind.ASSUME, GuardKind.AWAIT):
                found.append(edge.position)
            elif edge.target not in todo:
                todo.append(edge.target)
    return found or [edge.position for edge in template.locations[location].edges[:1]]


def at_places(positions: Iterable[Position]) -> str:
    """Some of the places, in the user's text, as the end of a sentence."""
    named = dict.fromkeys(place.described for place in positions if place != NOWHERE)
    more = " and elsewhere" if len(named) > _PLACES else ""
    return f" ({', '.join(list(named)[:_PLACES])}{more})" if named else ""
