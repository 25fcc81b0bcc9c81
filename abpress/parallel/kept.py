"""What is kept of a search by native workers: NOTE(kept-desks). It is what their desk knows, in
names and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from abpress.parallel.parts import KeptFinding
from abpress.search.leaves import NamedAccess, NamedKey
from abpress.search.part import PartTurn, Plans, TreePart
from abpress.search.statistics import ExecutionStatistics


@dataclass(frozen=True, slots=True)
class KeptShare:
    """What a worker has found: what its user wants to be kept, executions, and how many threads it
    has met."""

    more: tuple[Any, ...]
    found: tuple[KeptFinding, ...]
    threads: int


@dataclass(frozen=True, slots=True)
class KeptPlace:
    """A node whose branches are given out: threads that are taken, and those that are planned."""

    taken: tuple[str, ...]
    planned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptOpen:
    """What is left to explore, at the last one of the places, told by their numbers: this turn, or
    the thread as a whole, with what is planned below; or the whole tree."""

    way: TreePart
    places: tuple[int, ...]
    thread: str
    turn: PartTurn | None
    plans: Plans


@dataclass(frozen=True, slots=True)
class KeptParts:
    """What a dealer knows, and the `shares` of workers. What workers have done beyond `done` is
    done again."""

    places: tuple[KeptPlace, ...]
    open: tuple[KeptOpen, ...]
    done: ExecutionStatistics
    shares: tuple[Any, ...] = ()

    @property
    def executions(self) -> int:
        """How many have been explored."""
        return self.done.executions


@dataclass(frozen=True, slots=True)
class KeptLeaves:
    """The same of a planner: the names of threads with numbers from 2 on, accesses by their
    numbers, the wakeup tree as native code tells it, a hash of what is searched, and the cells for
    which threads are known to wait."""

    threads: tuple[str, ...]
    accesses: tuple[NamedAccess, ...]
    tree: bytes
    code: str
    done: ExecutionStatistics = field(default_factory=ExecutionStatistics)
    shares: tuple[Any, ...] = ()
    waited: tuple[NamedKey, ...] = ()

    @property
    def executions(self) -> int:
        """How many have been explored."""
        return self.done.executions


KeptDesk = KeptParts | KeptLeaves
