"""Who gives parts of a tree of executions out to searches that explore them: NOTE(native-parts).

It owns the nodes before these parts: which threads are explored there, and in which order they are
taken. Searches hand over what they can spare, and say which branches are missing at such nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from abpress.parallel.forked import Commit, Committed, ForkedDesk, PartRefused
from abpress.parallel.kept import KeptOpen, KeptParts, KeptPlace
from abpress.parallel.messages import Counted, Limited, Over, TheEnd, Wanted
from abpress.search.part import Missing, PartSplit, PartTurn, Plans, TreePart
from abpress.search.statistics import ExecutionStatistics


@dataclass(frozen=True, slots=True)
class Deal:
    """A worker is to explore a part."""

    part: TreePart


@dataclass(frozen=True, slots=True)
class PartSaid:
    """What a worker says of its part: branches that are `missing`, then what is done of it for good
    by now, and what it hands over. `share` is all that its user wants to be kept by now, None if
    that is as before; `ends`: the part is explored."""

    missing: tuple[Missing, ...] = ()
    done: ExecutionStatistics | None = None
    share: Any = None
    split: PartSplit | None = None
    ends: bool = False


FromPartWorker = PartSaid | PartRefused | Counted | Limited | Committed | Over
ToPartWorker = Deal | Wanted | Commit | TheEnd


@dataclass(slots=True, eq=False)
class _Place:
    """A node whose branches are given out. Mutable: threads that are taken, by whoever, and those
    that are planned, which include them."""

    taken: list[str]
    planned: set[str]


@dataclass(frozen=True, slots=True)
class _Open:
    """What nobody explores yet: this turn, or as a whole the thread, with what is planned below, at
    the last one of the places, to which the way leads; or the whole tree."""

    way: TreePart = ()
    places: tuple[_Place, ...] = ()
    thread: str = ""
    turn: PartTurn | None = None
    plans: Plans = ()

    def taken(self) -> TreePart:
        """The part that it is for who takes it now."""
        if not self.places:
            return ()
        place, turn = self.places[-1], self.turn
        if turn is None:
            turn = PartTurn(tuple(place.taken), self.thread, plans=self.plans)
            place.taken.append(self.thread)
        return (*self.way, turn)


@dataclass(slots=True)
class _Holder:
    """What is known of a worker. Mutable: its part, with the nodes before it, is what would have
    to be done again; `share` is the last of its life, `progress` what it has done beyond."""

    part: TreePart | None = None
    places: tuple[_Place, ...] = ()
    asked: bool = False
    share: Any = None
    progress: ExecutionStatistics = field(default_factory=ExecutionStatistics)


class Dealer(ForkedDesk[_Holder]):
    """Gives parts out, the first one is the whole tree, which the first worker may have `begun`:
    so much of it is done; or goes on with what was kept. Mutable."""

    def __init__(
        self,
        workers: int,
        send: Callable[[int, ToPartWorker], None],
        begun: ExecutionStatistics | None = None,
        present: Sequence[int] | None = None,
        kept: KeptParts | None = None,
    ) -> None:
        super().__init__(workers, send, present, kept)
        self._workers = [_Holder() for _ in range(workers)]
        self._open = [_Open()] if kept is None else _opened(kept)
        self._begun = begun

    @property
    def finished(self) -> bool:
        return not self._open and all(its.part is None for its in self._workers)

    def _hear(self, worker: int, said: PartSaid) -> None:
        its = self._workers[worker]
        for missing in said.missing:
            self._plan(its, missing)
        if said.done is not None:
            self.committed.add(said.done)
            its.progress = ExecutionStatistics()
        if said.share is not None:
            its.share = said.share
        if said.split is not None:
            self._divide(its, said.split)
        if said.ends:
            its.part, its.places, its.asked = None, (), False

    def heir(self, worker: int) -> tuple[bool, list[ToPartWorker]]:
        begun, self._begun = self._begun, None
        if begun is None:
            return super().heir(worker)
        self._workers[worker] = _Holder(self._open.pop().taken(), progress=begun)
        return True, self._first_messages(worker)

    def _nobody(self) -> _Holder:
        return _Holder()

    def _reopen(self, its: _Holder) -> None:
        if its.part is not None:
            self._open.append(_left_of(its))

    def kept(self) -> KeptParts:
        left = [*self._open, *(_left_of(its) for its in self._workers if its.part is not None)]
        places: dict[int, tuple[int, _Place]] = {}  # by identity
        for open in left:
            for its in open.places:
                places.setdefault(id(its), (len(places), its))
        told = tuple(
            KeptPlace(tuple(p.taken), tuple(sorted(p.planned))) for _, p in places.values()
        )
        opens = (
            KeptOpen(
                its.way,
                tuple(places[id(p)][0] for p in its.places),
                its.thread,
                its.turn,
                its.plans,
            )
            for its in left
        )
        return KeptParts(told, tuple(opens), replace(self.committed), self._all_shares())

    # -- nodes ----------------------------------------------------------------------------------

    def _plan(self, its: _Holder, missing: Missing) -> None:
        """Sees to it that one of the threads is explored at a node before the worker's part."""
        assert its.part is not None
        way, places = its.part[: missing.node], its.places[: missing.node + 1]
        if places[-1].planned.isdisjoint(missing.threads):
            self._add(way, places, missing.threads[0])

    def _add(
        self, way: TreePart, places: tuple[_Place, ...], thread: str, plans: Plans = ()
    ) -> None:
        places[-1].planned.add(thread)
        self._open.append(_Open(way, places, thread, plans=plans))

    def _divide(self, its: _Holder, split: PartSplit) -> None:
        """Takes over nodes of the worker's part, and what it hands over."""
        assert its.part is not None
        known = split.frozen
        turns = list(split.turns)
        if known:  # threads before the worker's part are not told by it
            turns[0] = replace(turns[0], before=its.part[known - 1].before)
        new = turns[1:] if known else turns
        places = list(its.places[:known])
        for turn in new:
            taken = [*turn.before, turn.thread]
            places.append(_Place(taken, set(taken)))
        its.part, its.places = (*its.part[: max(known - 1, 0)], *turns), tuple(places)
        its.asked = False
        way = its.part[:-1]
        if split.given is not None:
            given = replace(split.given, before=turns[-1].before)
            self._open.append(_Open(way, its.places, turn=given))
        for thread, plans in split.rest:
            self._add(way, its.places, thread, plans)

    # -- workers --------------------------------------------------------------------------------

    def _give_out(self) -> None:
        """Gives parts to who has none, or wants some of who has one."""
        idle = [w for w in sorted(self._born) if self._workers[w].part is None]
        while self._open and idle:
            shallowest = min(self._open, key=lambda its: len(its.way))
            self._open.remove(shallowest)
            its = self._workers[worker := idle.pop(0)]
            its.part, its.places = shallowest.taken(), shallowest.places
            self._tell(worker, Deal(its.part))
        if self.finished:
            self.end()
            return
        busy = [w for w, its in enumerate(self._workers) if its.part is not None]
        wanted = len(idle) - sum(self._workers[w].asked for w in busy)
        for worker in [w for w in busy if not self._workers[w].asked][: max(0, wanted)]:
            self._workers[worker].asked = True
            self._tell(worker, Wanted())


def _left_of(its: _Holder) -> _Open:
    """What a worker had, which is to be explored by another one."""
    *way, turn = its.part or (None,)
    return _Open(tuple(way), its.places, turn=turn)


def _opened(kept: KeptParts) -> list[_Open]:
    """What was left; several parts may be behind the same node."""
    places = [_Place(list(its.taken), set(its.planned)) for its in kept.places]
    return [
        _Open(its.way, tuple(places[k] for k in its.places), its.thread, its.turn, its.plans)
        for its in kept.open
    ]
