"""The nodes of the tree of executions whose branches have owners, and these branches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from abpress.parallel.messages import Address, LeaseName
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Item, Items
from abpress.reductions.stateless.wakeup import WakeupTree
from abpress.relations.happens_before import Event
from abpress.semantics.outcome import ConcreteStep

FROM_ABOVE = -1
"""In place of a branch: all branches come later than what has found the sequence."""


@dataclass(slots=True, eq=False)
class Branch:
    """A thread that is explored at a node, or has been. Mutable.

    `shadow` is None if sequences need not go on to it: only a free node is below, or some thread
    has had a choice. Otherwise they go to `below`, the node after its step, or to whom it was
    handed over, by the lease; then the shadow is the wakeup tree that it had. `root` is its node,
    if it was taken over.
    """

    first: Item
    shadow: WakeupTree | None = None
    below: list[Estate] = field(default_factory=list)
    lease: LeaseName | None = None
    root: Estate | None = None


@dataclass(slots=True, eq=False)
class Estate:
    """A node of which is known who takes which of its branches. Mutable.

    `event`, the one after `depth` - 1 others, leads to it from `parent`, by the branch at `place`,
    and races with the events at `races`. `address` is None if the node is one's own, and `number`
    is what others call it by. `current` is the branch on which the path goes on. `exposed`:
    sequences may come from branches before the one that leads here. `open`: a part of what is below
    was handed over. `sent` has been told to the owner. `before` says what is redundant below a
    branch: its number, whether no thread has had a choice, and what says so.
    """

    node: ExecutionNode
    parent: Estate | None
    number: int
    branches: list[Branch]
    current: int = -1
    event: Event | None = None
    depth: int = 0
    place: int = -1
    address: Address | None = None
    exposed: bool = False
    open: bool = False
    on_path: bool = True
    queued: bool = False
    races: list[int] = field(default_factory=list)
    sent: set[Items] = field(default_factory=set)
    before: tuple[int, bool, Callable[[Items], bool]] = (FROM_ABOVE, True, bool)


@dataclass(frozen=True, slots=True)
class Spare:
    """A branch that can be handed over: behind all others of its node, to which the path leads,
    while that goes on with the thread `current`. Or of the branch under way these `steps`."""

    path: list[Estate]
    branch: Branch
    current: int
    steps: tuple[ConcreteStep, ...] = ()
