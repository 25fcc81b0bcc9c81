"""Workers that search levels in one process, in turns drawn by a seed; so do their messages, which
are late, in any order, and come more than once."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from abpress.parallel.levels import LevelHub, LevelWorker
from abpress.properties import Property
from abpress.search.ledger import Exploration
from abpress.search.levels import LevelSearch, Ways


@dataclass(slots=True)
class _Runner:
    """A worker's thread; it runs only while `turn` is released to it. Mutable."""

    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    inbox: list[Any] = field(default_factory=list)
    waits: bool = False
    ended: bool = False


class LevelSchedule:
    """Runs the workers of a search one at a time; `outcomes` and `ways` are theirs. Mutable."""

    def __init__(
        self,
        make: Callable[[], Any],
        reduction: Callable[[Any], Any],
        property: Property,
        workers: int,
        seed: int,
        enough: Callable[[frozenset[str]], bool] = lambda _: False,
    ) -> None:
        self._what = make, reduction, property, workers
        self._chance = random.Random(seed)
        self._back = threading.Semaphore(0)
        self._flying: list[Callable[[], None]] = []
        self._error: BaseException | None = None
        self.hub = LevelHub(workers, self._coming, enough)
        self.outcomes: dict[int, Exploration[Any, Any]] = {}
        self.ways: dict[int, Ways] = {}
        self._runners = [_Runner() for _ in range(workers)]
        for number in range(workers):
            threading.Thread(target=self._run, args=(number,), daemon=True).start()

    def _coming(self, worker: int, message: Any) -> None:
        self._flying.append(lambda: self._runners[worker].inbox.append(message))

    def run(self) -> None:
        """Runs all workers to their end."""
        while not all(runner.ended for runner in self._runners):
            able = [r for r in self._runners if not r.ended and not (r.waits and not r.inbox)]
            if self._flying and (not able or self._chance.random() < 0.3):
                k = self._chance.randrange(len(self._flying))
                again = self._chance.random() < 0.2
                (self._flying[k] if again else self._flying.pop(k))()
                continue
            assert able, "all workers wait for ever"
            self._chance.choice(able).turn.release()
            self._back.acquire()
            if self._error is not None:
                raise self._error

    def _run(self, number: int) -> None:
        mine = self._runners[number]
        make, reduction, property, workers = self._what

        def pause() -> None:
            self._back.release()
            mine.turn.acquire()

        def look() -> Any:
            pause()
            return mine.inbox.pop(0) if mine.inbox else None

        def wait() -> Any:
            mine.waits = True
            while not mine.inbox:
                pause()
            mine.waits = False
            return mine.inbox.pop(0)

        def send(message: Any) -> None:
            self._flying.append(lambda: self.hub.take(number, message))

        mine.turn.acquire()
        try:
            system = make()
            search = LevelSearch(system, reduction(system), property)
            channel = SimpleNamespace(send=send, look=look, wait=wait)
            worker = LevelWorker(
                number, workers, system, search, reduction(system), channel, lambda _: None
            )
            self.outcomes[number] = worker.run()
            self.ways[number] = search.ways
        except BaseException as error:
            self._error = error
        mine.ended = True
        self._back.release()
