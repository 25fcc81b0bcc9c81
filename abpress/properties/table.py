"""One entry per property: what it says, and how a search recognises that it is violated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """A property of programs.

    A violation event (a `Fail` effect) violates the property if it carries its name; all other
    events only end their execution. If `deadlock`, a deadlocked state violates it too: some thread
    is unfinished, none can move, and all of them wait for one another (none at an assume, and no
    execution was cut off there).
    `ltl` is the formula by which SV-COMP property files name it.
    """

    name: str
    meaning: str
    ltl: str
    deadlock: bool = False


PROPERTIES: Mapping[str, Property] = {
    p.name: p
    for p in (
        Property(
            "unreach-call",
            "no execution calls reach_error, or violates an assertion",
            "G ! call(reach_error())",
        ),
        Property(
            "no-deadlock",
            "no execution ends in a state in which all unfinished threads wait for one another",
            "G ! deadlock",
            deadlock=True,
        ),
    )
}
"""Name (the value of `--property`) -> property."""
