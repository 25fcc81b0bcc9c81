"""Leaves of a wakeup tree, explored by the native core: NOTE(native-leaves)."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from abpress.core.executions import OBSERVING
from abpress.core.library import NO_LIMIT, NUMBER
from abpress.core.parts import CoreParts
from abpress.core.wakeup import SharedWakeupTree
from abpress.search.leaves import (
    KEY_WORDS,
    Leaves,
    LeavesBack,
    NamedAccess,
    NamedKey,
    Sequences,
    TreeNews,
)
from abpress.search.named_accesses import NamedAccesses
from abpress.search.part import TreePart
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.names import numbered

CHOICE = "workers, where a thread has a choice"
"""Why leaves are refused; then parts are not, and all begin again."""

_MANY = 1 << 15
"""Numbers of sequences that are told although leaves are not explored yet: such a message has room
in a pipe, so that nobody waits until it is read."""


class CoreLeaves(CoreParts):
    """A search of leaves, some at a time; or of parts, where threads have choices. Mutable."""

    def __init__(self, *given: Any) -> None:
        self._own: list[NamedAccess] = []  # that have been told
        self._copy: SharedWakeupTree | None = None
        self._copied: NamedAccesses | None = None
        self._known = array("i", [0])  # numbers there of what has been told; 0: none so far
        self._said = b""
        self._awaited: frozenset[NamedKey] = frozenset()  # as others have told
        super().__init__(*given)

    def begin(self, given: Leaves | TreePart) -> None:
        """Goes to the first leaf, or to where a part begins. Raises SearchOver and CoreRefused."""
        if not isinstance(given, Leaves):
            super().begin(given)
            return
        for k, (creator, n) in enumerate(given.threads):
            self.core.known_thread(2 + k, creator, n)
        for key in given.waited - self._awaited:
            self.core.awaited(self._words(key))
        self._awaited |= given.waited
        self.core.leaves(given.numbers)

    def follow(self, leaves: Leaves) -> None:
        """The copy of the tree becomes what that is by now."""
        if leaves.news is not None:
            self._follow(leaves.threads, leaves.news)

    def back(self) -> LeavesBack:
        """Leaves that are explored, when all are."""
        return LeavesBack(self.core.leaves_done)

    def rest(self) -> LeavesBack:
        """Gives back what is left, after the execution under way. Raises SearchOver and
        CoreRefused."""
        self.core.stops(True)
        exhausted = self._ran(NO_LIMIT >> 1)
        self.core.stops(False)
        self._keep()
        done = self.core.leaves_done
        if exhausted:
            return LeavesBack(done)
        return LeavesBack(done + 1, self.core.rest())

    def divide(self) -> tuple[LeavesBack, ExecutionStatistics] | None:
        """Gives some back, if it can, and goes on with the others; with what was done of those that
        are explored by then, and not told yet."""
        self._keep()
        found = self.core.divide()
        if found is None:
            return None
        explored, kept, done = found
        return LeavesBack(explored, self.core.said(), kept), self._since(done)

    @property
    def stale(self) -> bool:
        """Whether it does not go on, as all have to begin again once it has told what it knows."""
        return self.core.stale

    @property
    def tells(self) -> bool:
        """Whether so much is to be told that nobody should wait."""
        self._keep()
        return len(self._said) >= NUMBER * _MANY

    def sequences(self) -> Sequences:
        """What is to be told by now, and was not."""
        self._keep()
        said, self._said = self._said, b""
        known = len(self._own)
        self._own += map(self._access, range(known + 1, self.core.accesses + 1))
        self._name_threads()
        waited = chain.from_iterable(iter(partial(self.core.waited_for, KEY_WORDS), None))
        return Sequences(tuple(self._own[known:]), said, tuple(self._keys(list(waited))))

    @property
    def code(self) -> str:
        """A hash of what is searched; numbers mean the same where it is the same."""
        return hashlib.sha256(self.lowered.words.tobytes()).hexdigest()

    def _follow(self, threads: Sequence[tuple[int, int]], news: TreeNews) -> None:
        if news.whole or self._copy is None or self._copied is None:
            self._copy = SharedWakeupTree(self.algorithm in OBSERVING)
            self._copied = NamedAccesses(self._copy.access)
            self._known = array("i", [0])
        names = self._copied
        for creator, n in threads[len(names.threads) :]:
            names.create(creator, n)
        for access in news.accesses:
            names.number(access)
        self._copy.copy(news.changes)
        known = self._known
        known.extend([0] * (1 + len(self._own) - len(known)))
        for number, access in enumerate(self._own, 1):
            known[number] = known[number] or names.known(access)
        self.core.follow(self._copy.pointer, known.tobytes())

    def _keep(self) -> None:
        self._said += self.core.said()

    def _access(self, number: int) -> NamedAccess:
        self._name_threads()
        thread, ends, reads, _, *words = self.core.access(number)
        keys = tuple(self._keys(words))
        return NamedAccess(self._name(thread), bool(ends), keys[:reads], keys[reads:])

    def _words(self, key: NamedKey) -> list[int]:
        kind, thread, *rest = key
        number = numbered(str(thread), self.core.child) if thread else 0
        return [int(word) for word in (kind, number, *rest)]

    def _keys(self, words: list[int]) -> Iterator[NamedKey]:
        for k in range(0, len(words), KEY_WORDS):
            kind, thread, *rest = words[k : k + KEY_WORDS]
            yield kind, self._name(thread) if thread else 0, *rest
