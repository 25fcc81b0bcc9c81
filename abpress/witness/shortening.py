"""Shortening: delta debugging of a schedule that leads to a violation.

Where `abpress.witness.minimise` reorders and searches within a small budget, this one drops and
moves pieces of the schedule and replays each candidate, until no piece can be spared (as
[Isolating02], who narrow down schedules by delta debugging; of `ddmin` the complements alone):

- runs of a thread, by halves;
- steps of one thread, by halves: rounds of a loop, say;
- an interruption of a thread: what others do meanwhile comes before or behind.

All is deterministic, and bounded by the steps of the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Generic

from abpress.properties.finding import Finding
from abpress.search.ledger import Schedule
from abpress.semantics.protocols import Replayable, S
from abpress.witness.minimise import cost
from abpress.witness.replay import follow, replay

SHORTENING_BUDGET = 1_000_000
"""Steps that all candidates together may take."""


def shorten(
    system: Replayable[S],
    schedule: Schedule,
    finding: Finding,
    budget: int = SHORTENING_BUDGET,
    expired: Callable[[], bool] = lambda: False,
) -> Schedule:
    """A schedule that reaches the same finding with fewer switches, or as many and fewer steps, if
    one is found; else the given one.

    `expired` says that there is no time left: then the best so far has to do. Raises AssertionError
    if `schedule` itself does not reach it.
    """
    replay(system, schedule, finding)
    return _Shortening(system, finding, schedule, budget, expired).run()


@dataclass(slots=True)
class _Shortening(Generic[S]):
    """The best schedule so far, and what is left of the budget. Mutable."""

    system: Replayable[S]
    finding: Finding
    best: Schedule
    budget: int
    expired: Callable[[], bool]

    def run(self) -> Schedule:
        before = None
        while before != self.best:
            before = self.best
            self._drop([*_runs(before)])
            for thread in dict.fromkeys(thread for thread, _ in self.best):
                self._drop([(step,) for step in self.best], thread)
            self._join()
        return self.best

    def _drop(self, pieces: Sequence[Schedule], thread: int | None = None) -> None:
        """Leaves out pieces (of one thread, if it is given), ever smaller groups of them."""
        left = [*pieces]
        among = [i for i, its in enumerate(left) if thread is None or its[0][0] == thread]
        size = len(among)
        while size:
            at = 0
            while at < len(among):
                gone = set(among[at : at + size])
                kept = [its for i, its in enumerate(left) if i not in gone]
                if self._is_better(kept):
                    for i in gone:
                        left[i] = ()
                    among = [i for i in among if i not in gone]
                else:
                    at += size
            size //= 2

    def _join(self) -> None:
        """Joins runs of a thread with its next ones."""
        joined = True
        while joined:
            joined = any(self._is_better(order) for order in _joined([*_runs(self.best)]))

    def _is_better(self, pieces: Sequence[Schedule]) -> bool:
        """Whether these lead to the finding, and are less; then they are the best ones."""
        candidate = tuple(chain.from_iterable(pieces))
        if self.budget <= 0 or self.expired() or cost(candidate) >= cost(self.best):
            return False
        self.budget -= max(1, len(candidate))
        if follow(self.system, candidate, self.finding) is None:
            return False
        self.best = candidate
        return True


def _runs(schedule: Schedule) -> Iterator[Schedule]:
    """What each thread does without another one in between."""
    for _, its in groupby(schedule, key=lambda step: step[0]):
        yield tuple(its)


def _joined(runs: Sequence[Schedule]) -> Iterator[list[Schedule]]:
    """The orders of these runs in which one is joined with the next one of its thread."""
    next_of: dict[int, int] = {}
    for i in reversed(range(len(runs))):
        thread = runs[i][0][0]
        j = next_of.get(thread)
        next_of[thread] = i
        if j is not None:
            between, both = runs[i + 1 : j], (runs[i], runs[j])
            yield [*runs[:i], *both, *between, *runs[j + 1 :]]
            yield [*runs[:i], *between, *both, *runs[j + 1 :]]
