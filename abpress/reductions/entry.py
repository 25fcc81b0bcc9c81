"""Entries of the table of reductions, with what it says of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from abpress.properties import Preserved

Make = TypeVar("Make", bound=Callable[..., Any])


class Family(Enum):
    """What a reduction chooses threads by."""

    STATELESS = "the current execution, of a search that stores no states"
    STATIC = "the state alone"
    STATEFUL = "what is explored behind a state, in a search that stores states"
    TREE = "a node of the abstract reachability tree, and what is below it"


class Insight(Enum):
    """What a reduction asks of a system, besides its states and steps."""

    INVISIBLE = "whether others can see a step"
    REACH = "what other threads can reach, and may access later"
    ACCESSES = "what a step accesses, also that of a thread that waits"
    POINTS = "which points of the program a thread may come to"
    CONTENTS = "the contents of states, to put one together from others"


@dataclass(frozen=True, slots=True)
class ReductionEntry(Generic[Make]):
    """A reduction: `make` gives one for one search, or one tree.

    `needs` is what it asks of a system, `preserves` what a search with it finds, besides what it
    finds `also` and all that these include, `paper` a key of
    docs/references.md. `certificate` is the rule of `proof.conditions` that certificates name.
    `explored_as` is its name among all algorithms of `abpress explore`, if it has another one.

    `classes`: no two complete executions that it explores have the same happens-before. `optimal`:
    nor is there one that is blocked by its sleep set (unless threads have choices). `abstract`:
    cells of which no label can speak do not count. `shared`: several workers can explore one tree.
    `merges`: accesses that are shown to meet none in conflict may be invisible to it.
    """

    family: Family
    name: str
    description: str
    make: Make
    needs: frozenset[Insight]
    preserves: Preserved
    paper: str | None = None
    certificate: str | None = None
    explored_as: str | None = None
    classes: bool = False
    optimal: bool = False
    abstract: bool = False
    shared: bool = False
    merges: bool = False
    also: frozenset[Preserved] = frozenset()

    def keeps(self, needed: Preserved) -> bool:
        """Whether a search with it finds this."""
        return any(found.includes(needed) for found in (self.preserves, *self.also))

    @property
    def algorithm(self) -> str:
        """The value of `--algorithm`."""
        return self.explored_as or self.name
