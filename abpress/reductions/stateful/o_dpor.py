"""O-DPOR: source sets by happens-before ([ODPOR14], Algorithm 1, on stored states).

It has no sleep sets and no wakeup trees: it is what [Pragmatic23] compares DE- and DL-S-POR with.

Legend: e is a step explored at a state s, E a path of the graph from there, E' what is before s. A
step x of E *races* with e if they are dependent, and nothing happens between them: after e and
before x. v is the part of E up to x that does not happen after e, and x. The race is reversed if a
thread of s.done is an initial of v: if its first step in v depends on nothing before it there.

(S) All threads explored at s go on, and on all paths of the graph all races with one of their
    steps are reversed, unless no initial of v can move at s; what races are single accesses, but
    no atomic blocks, and no attempts of threads that wait.

Where (S) holds, an execution w from s to a violation or a state without steps has a weak initial in
s.done (then the search meets it: as at (P) of `stateful.algorithm`). Else each p in s.done
depends on something in w; let it be the one with the longest part w_p of w before that, and q what
depends on p. Walking along w_p from p's step, the search comes to q on a path on which q races with
that step; what it explores besides w_p and q is not between them. So some r in s.done is an initial
of v. If r has a step in w_p.q, it is an initial of w. If not, its step is independent of w_p.q, and
w_r is longer than w_p. Both cannot be. QED. (The step that races accesses what q does, for it is no
atomic block. If no initial of v could move at s, neither could w's first step.)

Atomic blocks are not that simple: what they access without e is not known from the paths behind e.
There, O-DPOR does not support locks at all; here closed sets are what is left for them.

A source set need not be closed, but a closed set is a source set: both are tried. All executions
from a state are looked at, and none is looked at twice that differs from another only in what
happened before, and not in what can still race, or reverse a race.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.dl_s_por import DlSPor, Lazily
from abpress.reductions.stateful.futures import Retraversed
from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Foreseeing


class _Path(NamedTuple):
    """A path behind e, as far as it matters: the state that it leads to; of the steps that happen
    after e the threads, and what they touch and write; of the others the same; and the initials of
    those. Threads as bit sets, accesses as in `Footprint`."""

    state: int
    after: int
    after_touched: int
    after_written: int
    threads: int
    touched: int
    written: int
    initials: int


class ODpor(DlSPor):
    """Source sets: closed ones, or those with an initial for each race on the paths behind them."""

    def __init__(self, system: Foreseeing[State]) -> None:
        self._graph = Retraversed()
        super().__init__(system, self._graph)
        self._plain: set[tuple[int, int]] = set()
        self._races: dict[int, dict[int, Lazily[int | None]]] = {}
        self._paths = 0

    def suffice(self, node: StateNode) -> Sequence[int]:
        """Threads to add: none if a closed set is explored, or if all races are reversed."""
        found = super().suffice(node)
        if not found or not all(map(node.goes_on, node.explored)):
            return found
        done = sum(1 << t for t in node.explored)
        races = self._races.setdefault(node.serial, {})
        for p, targets in node.explored.items():
            if p not in races:
                races[p] = Lazily(self._initials(p, node.next_of(p).access, targets))
            for initials in races[p]:
                if initials is None:
                    return found
                if not initials & done:
                    wanted = [t for t in node.remaining() if initials >> t & 1]
                    if wanted:
                        return wanted
        return ()

    def leave(self, node: StateNode) -> None:
        self._races.pop(node.serial, None)
        compound = self._system.foresight.compound
        self._plain.update((node.serial, t) for t in node.explored if not compound(node.state, t))
        super().leave(node)

    def _initials(self, p: int, e: Footprint, targets: Sequence[int]) -> Iterator[int | None]:
        """The initials of v for each race with p's step e; None for one of a thread that waits, or
        does not go on."""
        todo = [_Path(target, 1 << p, 0, 0, 0, 0, 0, 0) for target in targets]
        seen = set(todo)
        while todo:
            path = todo.pop()
            self._paths += 1
            for thread, access, successors in self._graph.moves[path.state]:
                bit = 1 << thread
                touched, written = (access.touched, access.written) if access else (0, 0)
                _, after, after_touched, after_written, threads, its, writes, initials = path
                first = initials
                if not threads & bit and not (touched & writes or written & its):
                    first |= bit
                happens_after = after & bit or touched & after_written or written & after_touched
                races = not happens_after and access is not None and access.conflicts(e)
                if races:
                    plain = successors and (path.state, thread) in self._plain
                    yield first if plain else None
                if happens_after or races:
                    after |= bit
                    after_touched |= touched
                    after_written |= written
                else:
                    threads |= bit
                    its |= touched
                    writes |= written
                    initials = first
                for successor in successors:
                    further = _Path(
                        successor,
                        after,
                        after_touched,
                        after_written,
                        threads,
                        its,
                        writes,
                        initials,
                    )
                    if further not in seen:
                        seen.add(further)
                        todo.append(further)

    def statistics(self) -> dict[str, int]:
        """The numbers of DL-S-POR, and how many paths were looked at."""
        return {**super().statistics(), "paths": self._paths}
