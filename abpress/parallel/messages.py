"""What workers send to one another, all in names."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.search.handover import Prefix
from abpress.search.limits import StopReason
from abpress.search.named import Met, NamedFootprint, NamedSequences
from abpress.search.statistics import ExecutionStatistics

LeaseName = tuple[int, int]
"""Of a part of the tree: the worker that has handed it over, and how many it had before."""


@dataclass(frozen=True, slots=True)
class Address:
    """A node of a worker's part of the tree, by a number that the worker has given it."""

    worker: int
    node: int


@dataclass(frozen=True, slots=True)
class NamedBranch:
    """A branch of a node that somebody explores or has explored; `goes_on`: so do sequences, to
    what is below it. See `estate.Branch`."""

    first: NamedFootprint
    goes_on: bool
    lease: LeaseName | None


@dataclass(frozen=True, slots=True)
class NamedEstate:
    """Whose a node above a part of the tree is, its branches in their order, and on which of them
    the part lies."""

    address: Address
    branches: tuple[NamedBranch, ...]
    current: int


@dataclass(frozen=True, slots=True)
class Lease:
    """A part of the tree: what is explored after the last node of the prefix by its current thread;
    if not as a `whole`, by some of its steps.

    `places` are those of the prefix.
    """

    name: LeaseName
    prefix: Prefix
    places: tuple[NamedEstate, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Insertion:
    """Sequences that are to be explored from nodes of a worker: by their numbers, each with the
    branch below which it was found. `met` is what all know who have had a part in that: once some
    worker has met a choice, what it has found does not tell all of an execution."""

    worker: int
    nodes: tuple[tuple[int, int], ...]
    found: NamedSequences
    met: Met


@dataclass(frozen=True, slots=True)
class Continuation:
    """What is left of sequences whose beginning is the first branch of a part of the tree."""

    lease: LeaseName
    left: NamedSequences
    met: Met


@dataclass(frozen=True, slots=True)
class Idle:
    """A worker has nothing to do. So many messages it has sent before, and taken in."""

    sent: int
    taken: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Somebody is idle: a part of the tree is wanted."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What a worker has done so far."""

    statistics: ExecutionStatistics


@dataclass(frozen=True, slots=True)
class Over:
    """A worker has found what ends the search, or has met a limit."""


@dataclass(frozen=True, slots=True)
class TheEnd:
    """The search is over; the worker's report is wanted."""


@dataclass(frozen=True, slots=True)
class Halt:
    """All are to stop where they are, for the n-th time, and to take in what still comes."""

    n: int


@dataclass(frozen=True, slots=True)
class Halted:
    """A worker has stopped for the n-th time. So many messages it has sent before, and taken in."""

    n: int
    sent: int
    taken: int


@dataclass(frozen=True, slots=True)
class Tell:
    """All have stopped for the n-th time, and know all: what a worker knows is wanted."""

    n: int


@dataclass(frozen=True, slots=True)
class GoOn:
    """All have told what they know, for the n-th time."""

    n: int


@dataclass(frozen=True, slots=True)
class Limited:
    """A worker has met a limit. It goes on until it is told to stop."""

    reason: StopReason


Message = (
    Lease
    | Insertion
    | Continuation
    | Idle
    | Wanted
    | Over
    | TheEnd
    | Halt
    | Halted
    | Tell
    | GoOn
    | Limited
)

Numbered = tuple[int, Message]
"""A message to a worker, which it can name."""

Moment = int
"""How often a worker has looked for messages so far."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages of a worker, the n-th ones, and which messages it has taken in since the last ones,
    and when."""

    n: int
    taken: tuple[tuple[Moment, int], ...]
    messages: tuple[Message, ...]
