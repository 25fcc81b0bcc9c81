"""Conflict by keys and by bit sets is one relation, and happens-before is its closure."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from abpress.reductions.tree.footprints import Footprints
from abpress.relations.conflict import in_conflict, past, predecessors
from abpress.relations.footprint import InternedFootprints

KEYS = st.frozensets(st.integers(10, 13), max_size=3)


@dataclass(frozen=True)
class Accessed:
    reads: frozenset[int]
    writes: frozenset[int]


STEPS = st.lists(st.tuples(st.integers(1, 3), st.builds(Accessed, KEYS, KEYS)), max_size=8)


@given(STEPS)
def test_footprints_conflict_where_their_keys_do(steps: list[tuple[int, Accessed]]) -> None:
    accesses = InternedFootprints()
    for i, (t, a) in enumerate(steps):
        for u, b in steps[:i]:
            if t != u:
                one = accesses.of(t, tuple(a.reads), tuple(a.writes), False)
                other = accesses.of(u, tuple(b.reads), tuple(b.writes), False)
                assert one.conflicts(other) == other.conflicts(one) == in_conflict(a, b)


class Touching:
    """A symbolic system with one place, at which each thread may do each of its steps next."""

    def __init__(self, steps: list[tuple[int, Accessed]]) -> None:
        self.threads = sorted({t for t, _ in steps})
        self.discrete = SimpleNamespace(values=())
        self._next = {
            t: tuple(
                Accessed(frozenset(map(str, a.reads)), frozenset(map(str, a.writes)))
                for u, a in steps
                if u == t
            )
            for t in self.threads
        }

    def accesses(self, _: object, thread: int) -> tuple[Accessed, ...]:
        return self._next[thread]


@given(STEPS)
def test_events_of_the_tree_conflict_where_their_keys_do(
    steps: list[tuple[int, Accessed]],
) -> None:
    system = Touching(steps)
    footprints = Footprints(system)
    footprints.add_place(system)
    for t in system.threads:
        for u in system.threads:
            if t == u:
                continue
            for a, one in zip(
                system.accesses(0, t), footprints.next_events(system, t), strict=True
            ):
                conflicts = [in_conflict(a, b) for b in system.accesses(0, u)]
                others = footprints.next_events(system, u)
                assert [bool(b.own & one.conflicts) for b in others] == conflicts


@given(STEPS)
def test_happens_before_is_the_closure_of_conflict(steps: list[tuple[int, Accessed]]) -> None:
    threads, accesses = [t for t, _ in steps], [a for _, a in steps]
    direct = predecessors(threads, accesses)
    closed: list[set[int]] = []
    for i, (t, a) in enumerate(steps):
        before = {j for j in range(i) if threads[j] == t or in_conflict(accesses[j], a)}
        closed.append({i} | before | {k for j in before for k in closed[j]})
        assert set(past(direct, i)) == closed[i]
