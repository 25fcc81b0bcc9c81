"""Numbers of accesses in a wakeup tree that is shared; of threads, and of what is accessed."""

from __future__ import annotations

from collections.abc import Callable

from abpress.search.leaves import THREAD, NamedAccess, NamedKey

_ROOT = "main"


class NamedAccesses:
    """Numbers, from 1 on, in the order in which things are met. `add` is told each access that is
    new: of a thread to keys, those that it touches, those that it writes, and those that it writes
    blindly; it returns its number. Key 0: the program runs. Mutable."""

    def __init__(self, add: Callable[[int, list[int], list[int], list[int]], int]) -> None:
        self._add = add
        self._threads: dict[str, int] = {_ROOT: 1}
        self._created: list[tuple[int, int]] = []
        self._keys: dict[NamedKey, int] = {}
        self._numbers: dict[NamedAccess, int] = {}
        self._accesses: list[NamedAccess] = []

    @property
    def threads(self) -> tuple[str, ...]:
        """Those with numbers from 2 on."""
        return tuple(self._threads)[1:]

    @property
    def created(self) -> tuple[tuple[int, int], ...]:
        """Of these: who creates them, and as its how many-th."""
        return tuple(self._created)

    def since(self, count: int) -> tuple[NamedAccess, ...]:
        """All accesses but the first ones."""
        return tuple(self._accesses[count:])

    def __len__(self) -> int:
        return len(self._accesses)

    def known(self, access: NamedAccess) -> int:
        """The number of an access; 0 if it has none."""
        return self._numbers.get(access, 0)

    def number(self, access: NamedAccess) -> int:
        """The number of an access, which it gets if it has none."""
        found = self._numbers.get(access)
        if found is None:
            life = self._key((THREAD, access.thread, 0, 0, 0, 0, 0))
            reads, writes = (list(map(self._key, its)) for its in (access.reads, access.writes))
            touched = [0, life, *reads, *writes]
            written = [0, *writes] if access.ends else writes
            blind = list(map(self._key, access.blind))
            found = self._add(self.thread(access.thread), touched, written, blind)
            self._numbers[access] = found
            self._accesses.append(access)
        return found

    def thread(self, name: str) -> int:
        """The number of a thread."""
        found = self._threads.get(name)
        if found is None:
            creator, _, n = name.rpartition(".")
            self._created.append((self.thread(creator), int(n)))
            found = self._threads[name] = len(self._threads) + 1
        return found

    def create(self, creator: int, n: int) -> None:
        """The next number is that of the n-th thread which another one has created."""
        self.thread(f"{tuple(self._threads)[creator - 1]}.{n}")

    def _key(self, key: NamedKey) -> int:
        return self._keys.setdefault(key, len(self._keys) + 1)
