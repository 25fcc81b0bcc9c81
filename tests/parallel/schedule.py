"""Workers of one process that run in turns, in an order drawn by a seed; so do their messages."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from math import inf
from unittest.mock import patch

from abpress.ir.program import Program
from abpress.parallel import worker as of_worker
from abpress.parallel.hub import Hub
from abpress.parallel.messages import Batch, Counted, Heritage, Message, Numbered
from abpress.parallel.parts import NOTHING_LEFT, Frontier, Told
from abpress.parallel.worker import Channel, Worker
from abpress.properties import Preserved, Property
from abpress.properties.ends import End
from abpress.reductions.table import STATELESS
from abpress.relations.happens_before import Event
from abpress.relations.observed import ObservedExecution
from abpress.search import stateless
from abpress.search.handover import NameOrdered
from abpress.search.named import NOTHING_MET, Met
from abpress.search.stateless import Hooks
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames
from abpress.semantics.outcome import State

Class = tuple[object, ...]


def class_of(system: Interpreter, algorithm: str, events: list[Event]) -> Class:
    """The class of an execution, in names: by happens-before, or by that of whole executions."""
    seen: Counter[int] = Counter()
    names = []
    for event in events:
        seen[event.thread] += 1
        names.append((system.views.thread_name(event.thread), seen[event.thread]))
    pasts = [event.past for event in events]
    if not STATELESS[algorithm].preserves.includes(Preserved.TRACES):
        whole = ObservedExecution()
        whole.go(events)
        pasts = whole.pasts
    return tuple(
        sorted(
            (*names[i], e.choices, tuple(sorted(names[j] for j in range(i) if pasts[i] >> j & 1)))
            for i, e in enumerate(events)
        )
    )


Final = tuple[tuple[tuple[str, str], ...], str, str]
"""How an execution ends: what cells at fixed places hold, by their names, all else, and the end."""


def final_of(system: Interpreter, state: State, end: End) -> Final:
    """A state in which an execution ends by itself, in names."""
    names = CanonicalNames(system.context)
    fixed, *rest = names.state(state)
    keys: dict[object, list[str]] = {}
    for address in system.cells.addresses:
        keys.setdefault(names.key(address)[0], []).append(cell_of(system, address))
    cells = ((key, repr(v)) for name, its in fixed for key, v in zip(keys[name], its, strict=True))
    return tuple(cells), repr(rest), end.value


def cell_of(system: Interpreter, key: int) -> str:
    """The name of a cell, as in ends, by its key."""
    return repr(CanonicalNames(system.context).key(key))


class Killed(BaseException):
    """The worker's process ends here."""


@dataclass(slots=True)
class _Runner:
    """A worker's thread; it runs only while `turn` is released to it. Mutable."""

    number: int
    life: Heritage
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    inbox: list[Numbered] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    finals: dict[Final, None] = field(default_factory=dict)
    waits: bool = False
    killed: bool = False
    ended: bool = False


class Scheduler:
    """Runs the workers of a search one at a time, and delivers messages late and in any order.

    `messages` are what was delivered to the workers. With the probability `death` the one whose
    turn it is dies instead, and some of what it has sent may be lost. With the probability `halt`
    what all know is asked for; once it is there, `frontier` is that, and all are gone.
    `met` is what they have met together.
    """

    def __init__(
        self,
        program: Program,
        algorithm: str,
        workers: int,
        seed: int,
        property: Property,
        death: float = 0.0,
        halt: float = 0.0,
        frontier: Frontier | None = None,
        met: Met = NOTHING_MET,
    ) -> None:
        self._chance = random.Random(seed)
        self._what = program, algorithm, property
        self._death = death
        self._halt = halt
        self._shares = [NOTHING_LEFT] * workers if frontier is None else frontier.among(workers)
        self._begins = frontier is None
        self.frontier: Frontier | None = None
        self._back = threading.Semaphore(0)
        self._leaving: list[tuple[int, Batch | Counted | Told]] = []
        self._coming: list[tuple[int, Numbered]] = []
        self._hub = Hub(
            workers,
            lambda to, message: self._coming.append((to, message)),
            frontier=frontier,
        )
        self._error: BaseException | None = None
        self._runners: list[_Runner] = []
        self.classes: list[Class] = []
        self.finals: set[Final] = set()
        self.done = ExecutionStatistics()
        self.errors: set[str] = set()
        self._known = self.met = met
        self.messages: list[Message] = []
        self.deaths = 0
        for worker in range(workers):
            self._runners.append(self._started(worker, Heritage()))

    def run(self) -> None:
        """Runs all workers to their end."""
        while not all(runner.ended for runner in self._runners):
            if self._chance.random() < self._halt:
                self._hub.halt()
            if (frontier := self._hub.frontier()) is not None:
                self.frontier = frontier
                self._end_all()
                return
            able = [r for r in self._runners if not r.ended and not (r.waits and not r.inbox)]
            flying = len(self._leaving) + len(self._coming)
            if flying and (not able or self._chance.random() < 0.3):
                self._deliver(self._chance.randrange(flying))
                continue
            assert able, "all workers wait for ever"
            runner = self._chance.choice(able)
            runner.killed = self._chance.random() < self._death
            runner.turn.release()
            self._back.acquire()
            if self._error is not None:
                raise self._error
            if runner.killed and not runner.ended:
                self._bury(runner)

    def _deliver(self, k: int) -> None:
        if k < len(self._leaving):
            self._hub.take(*self._leaving.pop(k))
        else:
            worker, message = self._coming.pop(k - len(self._leaving))
            self.messages.append(message[1])
            self._runners[worker].inbox.append(message)

    def _end_all(self) -> None:
        for runner in self._runners:
            if not runner.ended:
                runner.killed = True
                runner.turn.release()
                self._back.acquire()

    def _bury(self, dead: _Runner) -> None:
        worker = dead.number
        self.deaths += 1
        for its in [its for its in self._leaving if its[0] == worker]:
            if self._chance.random() < 0.5:
                self._hub.take(*its)
            self._leaving.remove(its)
        self._coming = [its for its in self._coming if its[0] != worker]
        life, messages = self._hub.heir(worker)
        self._runners[worker] = self._started(worker, life)
        self._coming += [(worker, message) for message in messages]

    def _started(self, worker: int, life: Heritage) -> _Runner:
        runner = _Runner(worker, life)
        threading.Thread(target=self._run, args=(runner,), daemon=True).start()
        return runner

    def _run(self, mine: _Runner) -> None:
        mine.turn.acquire()
        program, algorithm, property = self._what
        system = NameOrdered(program)

        def look() -> Numbered | None:
            self._pause(mine)
            return mine.inbox.pop(0) if mine.inbox else None

        def wait() -> Numbered:
            mine.waits = True
            while not mine.inbox:
                self._pause(mine)
            mine.waits = False
            return mine.inbox.pop(0)

        channel = Channel(lambda its: self._leaving.append((mine.number, its)), look, wait)
        share = self._shares[mine.number]
        mine.classes += [its for part in share.parts for its in part.more[0]]
        mine.finals.update(dict.fromkeys(its for part in share.parts for its in part.more[1]))
        hooks = Hooks(
            on_final=lambda state, end: mine.finals.update({final_of(system, state, end): None}),
            on_execution=lambda events: mine.classes.append(class_of(system, algorithm, events)),
        )
        try:
            worker = Worker(
                mine.number,
                system,
                algorithm,
                property,
                channel,
                keep_going=True,
                hooks=hooks,
                life=mine.life,
                share=share,
                met=self._known,
                keeps=lambda: (tuple(mine.classes), tuple(mine.finals)),
            )
            explored = worker.run(begins=self._begins and mine.number == 0)
            self.classes += mine.classes
            self.finals.update(mine.finals)
            if explored is not None:
                self.done.add(explored.statistics)
                self.errors |= {found.finding.message for found in explored.found}
            self.met = self.met.joined(worker.met)
            mine.ended = True
        except Killed:
            pass
        except BaseException as error:
            self._error = error
        self._back.release()

    def _pause(self, mine: _Runner) -> None:
        self._back.release()
        mine.turn.acquire()
        if mine.killed:
            raise Killed


def explored(
    program: Program,
    algorithm: str,
    workers: int,
    seed: int,
    property: Property,
    death: float = 0.0,
    halt: float = 0.0,
    frontier: Frontier | None = None,
) -> Scheduler:
    """Explores the program with workers, which may take turns at each event."""
    never = patch.object(of_worker, "_PROGRESS", inf)  # what is done depends on the seed alone
    with patch.object(stateless, "POLL_EVENTS", 1), never:
        its = program, algorithm, workers, seed, property, death
        scheduler = Scheduler(*its, halt, frontier)
        scheduler.run()
        while scheduler.frontier is None and scheduler.met.stale:
            scheduler = Scheduler(*its, halt, met=scheduler.met.renewed())
            scheduler.run()
    return scheduler
