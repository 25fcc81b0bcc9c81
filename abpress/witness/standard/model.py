"""What a standard witness says, whatever its format: of which program, and of a violation or proof.

The words are those of the format: a *segment* is passed when an execution passes what it follows,
without passing before what it avoids; a *waypoint* is passed at its location where its constraint
holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from abpress.errors import NOWHERE, Position


@dataclass(frozen=True, slots=True)
class WitnessLocation:
    """A line of a program; `column` is 0 and `function` empty where that is not said. `place` is
    where the witness says so."""

    file: str
    line: int
    column: int = 0
    function: str = ""
    place: Position = field(default=NOWHERE, compare=False)


class WaypointType(Enum):
    """What a waypoint is, by its name in YAML, and so where its location is."""

    ASSUMPTION = "assumption"  # before a statement, where a C expression holds
    AFTERWARDS = "afterwards"  # as assumption, behind the statement: GraphML has these alone
    BRANCHING = "branching"  # at a condition with this value
    FUNCTION_ENTER = "function_enter"  # at a call
    FUNCTION_RETURN = "function_return"  # at a call that returns such a result
    TARGET = "target"  # at the statement that violates the property


@dataclass(frozen=True, slots=True)
class Waypoint:
    """One waypoint. `value` is its constraint, empty if there is none. `thread` is the number of a
    thread: 0 is main, k the one that the k-th creation among the waypoints begins; None: any."""

    type: WaypointType
    location: WitnessLocation
    value: str = ""
    thread: int | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """What has to be passed, several in any order, and what not before."""

    follow: tuple[Waypoint, ...]
    avoid: tuple[Waypoint, ...] = ()


@dataclass(frozen=True, slots=True)
class WitnessTask:
    """Of which program and question a witness is: SHA-256 of files by their names, the text of the
    specification, ILP32 or LP64. What is empty is not said."""

    hashes: Mapping[str, str]
    specification: str
    data_model: str
    place: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ViolationWitness:
    """Executions that violate the property: those that pass all segments."""

    task: WitnessTask
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class StatedInvariant:
    """A C expression that holds whenever a thread is before a statement, or, `at_loop`, before each
    test of a loop's condition."""

    location: WitnessLocation
    value: str
    at_loop: bool


@dataclass(frozen=True, slots=True)
class GhostVariable:
    """A variable that only the witness has."""

    name: str
    type: str
    initial: str


@dataclass(frozen=True, slots=True)
class GhostUpdate:
    """What happens to a ghost variable together with the statement at a location."""

    location: WitnessLocation
    variable: str
    value: str


@dataclass(frozen=True, slots=True)
class CorrectnessWitness:
    """That the property holds, and what helps to prove it."""

    task: WitnessTask
    invariants: tuple[StatedInvariant, ...] = ()
    ghosts: tuple[GhostVariable, ...] = ()
    updates: tuple[GhostUpdate, ...] = ()


def without_ghosts(witness: CorrectnessWitness) -> CorrectnessWitness:
    """What the witness states without its ghost variables."""
    names = {ghost.name for ghost in witness.ghosts}
    stated = (i for i in witness.invariants if names.isdisjoint(re.findall(r"\w+", i.value)))
    return CorrectnessWitness(witness.task, tuple(stated))


StandardWitness = ViolationWitness | CorrectnessWitness
