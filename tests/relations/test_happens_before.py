"""Races of executions that are written down, and sequences after them."""

from __future__ import annotations

from abpress.reductions.stateless.sequences import Item, initials, without
from abpress.reductions.stateless.wakeup import WakeupTree
from abpress.relations.footprint import Footprint, InternedFootprints
from abpress.relations.happens_before import Event, Execution
from abpress.relations.observed import ObservedExecution

X, Y = 100, 200
P, Q, R, S = 1, 2, 3, 4


class Recorder:
    """Writes executions down: `r.read(P, X)` is the next event."""

    def __init__(self) -> None:
        self.accesses = InternedFootprints()
        self.execution = Execution()

    def access(
        self, thread: int, reads: tuple[int, ...] = (), writes: tuple[int, ...] = (), ends=False
    ) -> Footprint:
        return self.accesses.of(thread, reads, writes, ends)

    def event(self, thread: int, *, reads=(), writes=(), ends=False) -> list[int]:
        """Its races."""
        access = self.access(thread, reads, writes, ends)
        past, races = self.execution.relate(thread, access)
        self.execution.push(Event(thread, (), access, past))
        return races

    def read(self, thread: int, key: int) -> list[int]:
        return self.event(thread, reads=(key,))

    def write(self, thread: int, key: int) -> list[int]:
        return self.event(thread, writes=(key,))


def test_a_write_races_with_the_reads_since_the_last_write() -> None:
    r = Recorder()
    assert r.write(P, X) == []
    assert r.read(Q, X) == [0]
    assert r.read(R, X) == [0]
    assert r.write(S, X) == [2, 1]  # the first write happens before the reads
    assert r.execution.future(0) == 0b1111
    assert r.execution.future(1) == 0b1010


def test_what_happens_before_does_not_race() -> None:
    r = Recorder()
    r.write(P, X)
    r.write(P, Y)
    assert r.read(Q, Y) == [1]
    assert r.read(Q, X) == []
    r.execution.pop()
    r.execution.pop()
    assert r.read(Q, X) == [0]


def test_creation_and_end_of_threads_are_no_races() -> None:
    r = Recorder()
    r.event(P, writes=(-Q,))
    assert r.write(Q, X) == []
    assert r.event(Q, writes=(-Q,)) == []
    assert r.event(P, reads=(-Q,)) == []
    assert r.read(P, X) == []


def test_the_end_of_the_program_races_with_everything_concurrent() -> None:
    r = Recorder()
    r.write(P, X)
    r.write(Q, Y)
    assert r.event(R, ends=True) == [1, 0]


def test_races_in_a_cut_are_those_of_the_events_that_are_left() -> None:
    r = Recorder()
    for thread in (P, Q, R):
        r.write(thread, X)
    its = r.access(S, reads=(X,))
    assert r.execution.races_in_cut(S, its, 0) == [2]
    assert r.execution.races_in_cut(S, its, r.execution.future(2)) == [1]
    assert r.execution.races_in_cut(S, its, r.execution.future(0)) == []


def test_initials_and_weak_initials() -> None:
    r = Recorder()
    v = tuple(
        Item(thread, access)
        for thread, access in (
            (P, r.access(P, writes=(X,))),
            (Q, r.access(Q, reads=(X,))),
            (R, r.access(R, writes=(Y,))),
        )
    )
    assert list(initials(v)) == [P, R]
    assert without(v, R, v[2].access) == v[:2]
    assert without(v, Q, v[1].access) is None
    assert without(v, S, r.access(S, reads=(200 + 1,))) == v
    assert without(v, S, r.access(S, reads=(Y,))) is None
    assert without(v, S, None) is None


def test_what_a_leaf_covers_is_not_inserted() -> None:
    r = Recorder()
    p, q = Item(P, r.access(P, writes=(X,))), Item(Q, r.access(Q, writes=(X,)))
    s = Item(S, r.access(S, writes=(Y,)))
    tree = WakeupTree()
    assert tree.insert((p, q), True) == 2
    assert tree.insert((p, s, q), True) == 0  # s can follow
    assert tree.insert((q, p), True) == 2
    assert tree.insert((s, q, p), True) == 0
    assert [item.thread for item, _ in tree.branches] == [P, Q]


def test_below_a_choice_what_is_not_in_the_sequence_does_not_cover_it() -> None:
    """The step of q that the tree has is not the one that q has after another choice of p."""
    r = Recorder()
    p = Item(P, r.access(P, writes=(X,)))
    q, s = Item(Q, r.access(Q, reads=(X,))), Item(S, r.access(S, writes=(Y,)))
    for certain, new in ((True, 0), (False, 1)):
        tree = WakeupTree()
        tree.insert((p, q), certain)
        assert tree.insert((p, s), certain) == new


def test_what_an_event_has_observed_is_forgotten_with_it() -> None:
    accesses = InternedFootprints(observers=True)

    def event(thread: int, reads: tuple[int, ...] = (), writes: tuple[int, ...] = ()) -> Event:
        return Event(thread, (), accesses.of(thread, reads, writes, False), 0)

    writes = [event(P, (), (X,)), event(Q, (), (Y,)), event(R, (), (X, Y))]
    execution = ObservedExecution()
    execution.go([*writes, event(S, (X, Y))])
    assert execution.pasts == [0, 0, 0b11, 0b111]
    execution.go([*writes, event(S, (Y,))])
    assert execution.pasts == [0, 0, 0b10, 0b110]
