"""Nodes that are one another where threads that are alike are: NOTE(symmetric-covers)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from abpress.analysis.alike import TellsApart
from abpress.art.permutations import Permutations
from abpress.engines.horn.orders import OrderState
from abpress.symbolic.discrete import Discrete, SymbolicStep
from abpress.symbolic.exchange import Moves, SymmetricSystem, composed, inverse


class Peers:
    """The nodes so far, by what threads that are alike may be permuted in. Mutable."""

    def __init__(self, system: SymmetricSystem) -> None:
        self._system = system
        self._permutations = Permutations(system)
        self._nodes: dict[Hashable, list[_Peer]] = {}

    def require(self, before: Discrete | None, d: Discrete) -> None:
        """Raises TellsApart where `main` may tell threads apart by its joins at a discrete part
        that comes after another one."""
        why = self._system.failure(before, d)
        if why:
            raise TellsApart(why)

    def found(
        self, number: int, d: Discrete, asleep: frozenset[int], order: OrderState
    ) -> tuple[int, Moves]:
        """The node with the discrete part, and the state of the order, but for which threads are
        which, where nobody sleeps who does not sleep here; and what threads are there. It is a new
        one with the number, and remembered, if there is none."""
        known = None if d.status is not None else self._permutations.signatures(d)
        if known is None:
            return number, {}
        rest, its = known
        mine = _Peer(number, d, asleep, {t: (s, *_of(order, t)) for t, s in its.items()})
        of = frozenset(Counter(mine.signatures.values()).items())
        key = rest, d.objects, of, order.done, *(0 if t in its else t for t in order[:2])
        others = self._nodes.setdefault(key, [])
        for other in sorted(others, key=lambda other: -len(other.asleep)):
            moves = _way(mine, other)
            if moves is not None and not self._system.why_not(d, other.discrete, moves):
                return other.number, moves
        others.append(mine)
        return number, {}


@dataclass(frozen=True, slots=True)
class _Peer:
    """A node; `signatures` are equal for threads that may become one another."""

    number: int
    discrete: Discrete
    asleep: frozenset[int]
    signatures: Mapping[int, Hashable]


def _of(order: OrderState, t: int) -> tuple[bool, bool]:
    """What a thread is to the state of an order."""
    return t == order.last, t == order.mover


def _way(mine: _Peer, other: _Peer) -> Moves | None:
    """What threads may become at the other node, where who sleeps there sleeps here; None if that
    is not so. Few become others."""
    ours: dict[Hashable, list[int]] = {}
    for t, signature in mine.signatures.items():
        ours.setdefault(signature, []).append(t)
    theirs: dict[Hashable, list[int]] = {}
    for t, signature in other.signatures.items():
        theirs.setdefault(signature, []).append(t)
    if not other.asleep - other.signatures.keys() <= mine.asleep:
        return None
    found: dict[int, int] = {}
    for signature, its in ours.items():
        left = theirs[signature]
        for sleeping in (True, False):
            wanted = [u for u in left if (u in other.asleep) == sleeping]
            free = [t for t in its if t not in found and (t in mine.asleep or not sleeping)]
            if len(wanted) > len(free):
                return None
            same = [u for u in wanted if u in free]
            rest = [t for t in free if t not in same]
            found.update((u, u) for u in same)
            found.update(zip(rest, [u for u in wanted if u not in same], strict=False))
    return {t: u for t, u in found.items() if t != u}


def repeated(
    system: SymmetricSystem, steps: Sequence[tuple[SymbolicStep, Moves]]
) -> tuple[SymbolicStep, ...]:
    """The steps where no threads become others behind some of them, as they do here; empty if there
    are no such steps."""
    d, _ = system.initial()
    real: Moves = {}  # which thread each one is in truth
    found: list[SymbolicStep] = []
    for step, becomes in steps:
        t = real.get(step.thread, step.thread)
        its = [s for s in system.steps(d, t) if _is_same(step, s, real)]
        if not its:
            return ()
        one = next(
            (s for s in its if not system.why_not(step.successor, s.successor, real)), its[0]
        )
        found.append(one)
        d, real = one.successor, composed(inverse(becomes), real)
    return tuple(found)


def _is_same(a: SymbolicStep, b: SymbolicStep, becomes: Moves) -> bool:
    """Whether the second step may be the first one with the threads that these become. (If it is
    not, its execution is not repeated.)"""
    if a.edges != b.edges or (a.fault is None) != (b.fault is None):
        return False
    if (a.violation is None) != (b.violation is None):
        return False
    parts = (part._replace(id=becomes.get(part.id, part.id)) for part in a.successor.threads)
    return tuple(sorted(parts)) == b.successor.threads
