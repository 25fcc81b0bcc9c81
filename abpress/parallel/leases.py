"""What is told of a part of the tree that is handed over, and what is made of it there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abpress.parallel.estate import Branch, Estate, Spare
from abpress.parallel.messages import Address, Lease, LeaseName, NamedBranch, NamedEstate
from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.wakeup import WakeupTree
from abpress.search.handover import prefix_of
from abpress.search.named import Receiver, Sender
from abpress.semantics.outcome import ConcreteStep


def lease_of(
    spare: Spare, name: LeaseName, sender: Sender, path: SearchPath, algorithm: str, program: str
) -> Lease:
    """The lease of a part of a search by the algorithm, of a program with this hash."""
    *above, last = spare.path
    giver = name[0]
    places = [_place(its, its.branches, its.current, giver, sender) for its in above]
    left: list[tuple[ConcreteStep, ...]] = [()] * len(above)
    if spare.steps:
        places.append(_place(last, last.branches, last.current, giver, sender))
        left.append(spare.steps)
    else:
        branches = [*last.branches, spare.branch]
        places.append(_place(last, branches, len(last.branches), giver, sender))
        left.append(last.node.next_of(spare.branch.first.thread).steps)
    prefix = prefix_of(sender, algorithm, program, path, left, plans=False)
    return Lease(name, prefix, tuple(places), not spare.steps)


def places_of(lease: Lease, receiver: Receiver) -> Iterator[tuple[Address, list[Branch], int]]:
    """Whose the nodes above the part are, their branches, and on which of them it lies."""
    for place in lease.places:
        yield place.address, [_branch(its, receiver) for its in place.branches], place.current


def _place(
    estate: Estate, branches: Iterable[Branch], current: int, giver: int, sender: Sender
) -> NamedEstate:
    """What who takes a part of the tree over has to know of a node above it."""
    named = tuple(
        NamedBranch(sender.access(branch.first.access), branch.shadow is not None, branch.lease)
        for branch in branches
    )
    return NamedEstate(estate.address or Address(giver, estate.number), named, current)


def _branch(sent: NamedBranch, receiver: Receiver) -> Branch:
    shadow = WakeupTree() if sent.goes_on else None
    return Branch(receiver.access(sent.first), shadow, lease=sent.lease)
