"""What a worker knows of its part of the tree, in names: enough for another process to go on.

NOTE(resumed-search). All is of frozen dataclasses, tuples, strings and numbers, as messages are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from abpress.parallel.messages import Address, Continuation, Lease, LeaseName
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
    parts: tuple[LeaseName, ...]


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
class Frontier:
    """A search that rests: the parts of its workers, and what the hub has for nobody yet."""

    parts: tuple[KeptPart, ...]
    spare: tuple[Lease, ...] = ()
    early: tuple[Continuation, ...] = ()

    @property
    def executions(self) -> int:
        """How many have been explored."""
        return sum(part.done.executions for part in self.parts)

    def among(self, workers: int) -> list[Inheritance]:
        """What each of so many workers goes on with: nodes have the numbers that they get there."""
        return self._placed(workers)[0]

    def spare_among(self, workers: int) -> tuple[Lease, ...]:
        """As `among`, of what nobody has yet."""
        return self._placed(workers)[1]

    def holders(self, workers: int) -> dict[LeaseName, int]:
        """Who of so many workers has which lease."""
        found = {}
        for k, part in enumerate(self.parts):
            names = [name for name, _ in part.roots] + [lease.name for lease in part.leases]
            found.update(dict.fromkeys(names, k % workers))
        return found

    def _placed(self, workers: int) -> tuple[list[Inheritance], tuple[Lease, ...]]:
        offsets: list[tuple[int, int]] = []
        most = max((part.given for part in self.parts), default=0)
        numbered = [0] * workers
        for k, part in enumerate(self.parts):
            worker = k % workers
            offsets.append((worker, numbered[worker]))
            numbered[worker] += sum(estate.own for estate in part.estates)

        def address(old: Address) -> Address:
            worker, offset = offsets[old.worker]
            return Address(worker, old.node + offset)

        def lease(old: Lease) -> Lease:
            places = tuple(replace(its, address=address(its.address)) for its in old.places)
            return replace(old, places=places)

        placed: list[list[KeptPart]] = [[] for _ in range(workers)]
        for k, part in enumerate(self.parts):
            estates = tuple(replace(its, address=address(its.address)) for its in part.estates)
            leases = tuple(map(lease, part.leases))
            placed[k % workers].append(replace(part, estates=estates, leases=leases))
        shares = [Inheritance(tuple(parts), most) for parts in placed]
        return shares, tuple(map(lease, self.spare))
