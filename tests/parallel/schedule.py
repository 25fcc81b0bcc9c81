"""Workers of one process that run in turns, in an order drawn by a seed; so do their messages."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import dataclass, field

from abpress.ir.program import Program
from abpress.parallel.hub import Hub
from abpress.parallel.messages import Message
from abpress.parallel.worker import Channel, Worker
from abpress.properties import Property
from abpress.relations.happens_before import Event
from abpress.search.handover import NameOrdered
from abpress.search.stateless import Hooks
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter

Class = tuple[object, ...]


def class_of(system: Interpreter, events: list[Event]) -> Class:
    """The happens-before class of an execution, in names."""
    seen: Counter[int] = Counter()
    names = []
    for event in events:
        seen[event.thread] += 1
        names.append((system.views.thread_name(event.thread), seen[event.thread]))
    return tuple(
        sorted(
            (*names[i], e.choices, tuple(sorted(names[j] for j in range(i) if e.past >> j & 1)))
            for i, e in enumerate(events)
        )
    )


@dataclass(slots=True)
class _Runner:
    """A worker's thread; it runs only while `turn` is released to it. Mutable."""

    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    inbox: list[Message] = field(default_factory=list)
    waits: bool = False
    ended: bool = False


class Scheduler:
    """Runs the workers of a search one at a time, and delivers messages late and in any order.

    `log` are the messages that were delivered.
    """

    def __init__(
        self, program: Program, algorithm: str, workers: int, seed: int, property: Property
    ) -> None:
        self._chance = random.Random(seed)
        self._runners = [_Runner() for _ in range(workers)]
        self._back = threading.Semaphore(0)
        self._flying: list[tuple[int, int, Message]] = []  # from, to (-1: the hub)
        self._hub = Hub(workers, lambda to, message: self._flying.append((-1, to, message)))
        self._error: BaseException | None = None
        self.classes: list[Class] = []
        self.done = ExecutionStatistics()
        self.errors: set[str] = set()
        self.certain = True
        self.log: list[Message] = []
        self._threads = [
            threading.Thread(target=self._run, args=(w, program, algorithm, property), daemon=True)
            for w in range(workers)
        ]

    def run(self) -> None:
        """Runs all workers to their end."""
        for thread in self._threads:
            thread.start()
        while not all(runner.ended for runner in self._runners):
            able = [r for r in self._runners if not r.ended and not (r.waits and not r.inbox)]
            if self._flying and (not able or self._chance.random() < 0.3):
                k = self._chance.randrange(len(self._flying))
                self._flying[k], self._flying[-1] = self._flying[-1], self._flying[k]
                sender, to, message = self._flying.pop()
                self.log.append(message)
                if to < 0:
                    self._hub.take(sender, message)
                else:
                    self._runners[to].inbox.append(message)
                continue
            assert able, "all workers wait for ever"
            self._chance.choice(able).turn.release()
            self._back.acquire()
            if self._error is not None:
                raise self._error

    def _run(self, number: int, program: Program, algorithm: str, property: Property) -> None:
        mine = self._runners[number]
        mine.turn.acquire()
        system = NameOrdered(program)
        polled = 0

        def look() -> Message | None:
            nonlocal polled
            polled += 1
            self._pause(mine)
            return mine.inbox.pop(0) if mine.inbox else None

        def wait() -> Message:
            mine.waits = True
            while not mine.inbox:
                self._pause(mine)
            mine.waits = False
            return mine.inbox.pop(0)

        def send(messages: list[Message]) -> None:
            self._flying += [(number, -1, message) for message in messages]

        channel = Channel(send, look, wait)
        hooks = Hooks(on_execution=lambda events: self.classes.append(class_of(system, events)))
        try:
            worker = Worker(
                number, system, algorithm, property, channel, keep_going=True, hooks=hooks
            )
            explored = worker.run(begins=number == 0)
            if explored is not None:
                self.done.add(explored.statistics)
                self.errors |= {found.finding.message for found in explored.found}
            self.certain &= worker.certain
        except BaseException as error:
            self._error = error
        mine.ended = True
        self._back.release()

    def _pause(self, mine: _Runner) -> None:
        self._back.release()
        mine.turn.acquire()


def explored(
    program: Program, algorithm: str, workers: int, seed: int, property: Property
) -> Scheduler:
    """Explores the program with workers."""
    scheduler = Scheduler(program, algorithm, workers, seed, property)
    scheduler.run()
    return scheduler
