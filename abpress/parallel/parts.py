"""What a worker knows of its part of the tree, in names: enough for another process to go on.

NOTE(resumed-search). All is of frozen dataclasses, tuples, strings and numbers, as messages are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from abpress.parallel.messages import (
    Address,
    Continuation,
    Lease,
    LeaseName,
    Message,
    Moment,
)
from abpress.search.handover import NamedNode
from abpress.search.named import NamedFootprint, NamedStep, NamedTree
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.names import Key


@dataclass(frozen=True, slots=True)
class NamedWay:
    """A node, and the step that leads there from the node before: its thread, the step. `handed`:
    what it plans is what that node hands down."""

    node: NamedNode
    thread: str
    step: NamedStep | None
    handed: bool


@dataclass(frozen=True, slots=True)
class KeptBranch:
    """A `estate.Branch`; nodes are told by their places among the estates, -1 is none."""

    first: NamedFootprint
    shadow: NamedTree | None
    below: tuple[int, ...]
    lease: LeaseName | None
    root: int


@dataclass(frozen=True, slots=True)
class KeptEstate:
    """A `estate.Estate`; `parent` is its place among the estates, -1 of a first node. `own`:
    others know it by the address; else that is of somebody else's node, and its branches are told
    once. What has been sent is not kept: it may be sent again."""

    way: NamedWay
    parent: int
    address: Address
    own: bool
    branches: tuple[KeptBranch, ...]
    current: int
    place: int
    exposed: bool
    open: bool
    on_path: bool
    queued: bool


@dataclass(frozen=True, slots=True)
class KeptPath:
    """An execution that the worker is on: it leads to the estate `last` (-1: there is none), and on
    through these nodes, to a state with this hash. What is left is told by all its nodes."""

    last: int
    nodes: tuple[NamedWay, ...]
    state: str


@dataclass(frozen=True, slots=True)
class KeptFinding:
    """An execution that violates the property of this name: per step its thread and choices."""

    violates: str
    steps: tuple[tuple[str, NamedStep], ...]


@dataclass(frozen=True, slots=True)
class KeptPart:
    """What a worker knows. `threads` are in the order of their numbers; `roots` are estates where
    leases begin; `choice` are numbers of the choice of threads; `more` is what the worker's user
    wants to be kept with it."""

    threads: tuple[str, ...]
    estates: tuple[KeptEstate, ...]
    paths: tuple[KeptPath, ...]
    ready: tuple[int, ...]
    roots: tuple[tuple[LeaseName, int], ...]
    leases: tuple[Lease, ...]
    early: tuple[Continuation, ...]
    given: int
    certain: bool
    cut: bool
    blind: tuple[tuple[Key, str], ...]
    waited: tuple[Key, ...]
    contested: tuple[Key, ...]
    done: ExecutionStatistics
    choice: tuple[int, ...]
    found: tuple[KeptFinding, ...]
    more: tuple[Any, ...]


NO_PART = KeptPart(
    (), (), (), (), (), (), (), 0, True, False, (), (), (), ExecutionStatistics(), (), (), ()
)
"""What somebody knows who has not come: nothing."""


@dataclass(frozen=True, slots=True)
class Told:
    """A worker says what it knows, asked for the n-th time."""

    n: int
    part: KeptPart


@dataclass(frozen=True, slots=True)
class Inheritance:
    """What a worker goes on with. All leases so far have names up to `given`."""

    parts: tuple[KeptPart, ...] = ()
    given: int = 0


NOTHING_LEFT = Inheritance()


@dataclass(frozen=True, slots=True)
class Heritage:
    """What a worker begins with: a share of a search that goes on, None: it begins with the whole
    tree; and what is known of one that has died: its first `batches`, and what it took in before.

    NOTE(replayed-workers): an heir that takes in the same at the same moments does and says the
    same, so that what others know of the dead stays true. What the dead has done since is unknown
    to all, and the heir may do something else.
    """

    batches: int = 0
    taken: tuple[tuple[Moment, int, Message], ...] = ()
    share: Inheritance | None = NOTHING_LEFT


@dataclass(frozen=True, slots=True)
class Frontier:
    """A search that rests: the parts of its workers, by their numbers, and what the hub has for
    nobody yet. Who had not come has the part `NO_PART`."""

    parts: tuple[KeptPart, ...]
    spare: tuple[Lease, ...] = ()
    early: tuple[Continuation, ...] = ()

    @property
    def executions(self) -> int:
        """How many have been explored."""
        return sum(part.done.executions for part in self.parts)

    @property
    def given(self) -> int:
        """All leases so far have names up to this."""
        return max((part.given for part in self.parts), default=0)

    def among(self, workers: Sequence[int]) -> dict[int, Inheritance]:
        """What each of these workers goes on with: nodes have the numbers that they get there."""
        return self._placed(workers)[0]

    def spare_among(self, workers: Sequence[int]) -> tuple[Lease, ...]:
        """As `among`, of what nobody has yet."""
        return self._placed(workers)[1]

    def holders(self, workers: Sequence[int]) -> dict[LeaseName, int]:
        """Who of these workers has which lease."""
        found = {}
        for k, part in enumerate(self.parts):
            names = [name for name, _ in part.roots] + [lease.name for lease in part.leases]
            found.update(dict.fromkeys(names, workers[k % len(workers)]))
        return found

    def _placed(self, workers: Sequence[int]) -> tuple[dict[int, Inheritance], tuple[Lease, ...]]:
        offsets: list[tuple[int, int]] = []
        numbered = dict.fromkeys(workers, 0)
        for k, part in enumerate(self.parts):
            worker = workers[k % len(workers)]
            offsets.append((worker, numbered[worker]))
            numbered[worker] += sum(estate.own for estate in part.estates)

        def address(old: Address) -> Address:
            worker, offset = offsets[old.worker]
            return Address(worker, old.node + offset)

        def lease(old: Lease) -> Lease:
            places = tuple(replace(its, address=address(its.address)) for its in old.places)
            return replace(old, places=places)

        placed: dict[int, list[KeptPart]] = {worker: [] for worker in workers}
        for (worker, _), part in zip(offsets, self.parts, strict=True):
            if part != NO_PART:
                estates = tuple(replace(its, address=address(its.address)) for its in part.estates)
                leases = tuple(map(lease, part.leases))
                placed[worker].append(replace(part, estates=estates, leases=leases))
        shares = {to: Inheritance(tuple(parts), self.given) for to, parts in placed.items()}
        return shares, tuple(map(lease, self.spare))
