"""What is left of a search without stored states, for who goes on with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from abpress.errors import AbPressError
from abpress.reductions.stateless.sleepers import Sleeper
from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import ConcreteStep, State

Plain = Callable[[State], State]
"""The interpreter's state of a state of the search."""


@dataclass(frozen=True, slots=True)
class NodeRest:
    """What is left at a node of another search's path, and what leads to the next one.

    `current` is the thread under way, `is_left` says which of its steps are left to explore, and
    `is_taken` which one leads to the next node. The others are as of `ExecutionNode`.
    """

    sleep: dict[int, Footprint]
    slept: tuple[Sleeper, ...]
    done: list[int]
    plan: Any
    current: int | None
    is_left: Callable[[ConcreteStep], bool]
    is_taken: Callable[[ConcreteStep], bool]


@dataclass(frozen=True, slots=True)
class Rest:
    """Where another search has stopped. `check` is told the state to which the path leads."""

    nodes: tuple[NodeRest, ...]
    certain: bool
    cut: bool
    check: Callable[[State], None]


class StaleRestError(AbPressError):
    """The rest of a search is worth nothing: the whole search has to begin again, with what is
    known now about cells for which threads wait."""
