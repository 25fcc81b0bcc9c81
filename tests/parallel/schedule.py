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
from abpress.parallel.messages import Message, Numbered
from abpress.parallel.office import Keeping, LastWord, Office, Said, WorkerLife
from abpress.parallel.parts import Frontier
from abpress.parallel.post import Channel
from abpress.parallel.worker import Worker
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
    """A life of a worker, as a thread; it runs only while `turn` is released to it. Mutable."""

    number: int
    life: WorkerLife
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    inbox: list[Numbered] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    finals: dict[Final, None] = field(default_factory=dict)
    waits: bool = False
    killed: bool = False
    ended: bool = False


class _Post(Office):
    """An office whose messages the scheduler delivers. Mutable."""

    def __init__(self, scheduler: Scheduler, workers: int, frontier: Frontier | None) -> None:
        super().__init__(workers, lambda _: False, keeping=Keeping(frontier, commits=True))
        self._scheduler = scheduler

    def _send(self, worker: int, message: Numbered) -> None:
        self._scheduler.send(worker, message)

    def _look(self) -> None: ...

    def close(self) -> None: ...


class Scheduler:
    """Runs the workers of a search one at a time, and delivers messages late and in any order.

    `messages` are what was delivered to the workers. With the probability `death` the one whose
    turn it is dies instead, and some of what it has sent may be lost; or, with the probability
    `undead`, it is believed dead only, and goes on. With the probability `halt` what all know is
    asked for; once it is there, `frontier` is that, and all are gone; if the search `goes_back`,
    they go on instead, and when somebody dies, all go back to that as likely as not. So many
    messages are `late`: of those who were believed dead. `met` is what they have met together.
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
        undead: float = 0.0,
        goes_back: bool = False,
    ) -> None:
        self._chance = random.Random(seed)
        self._what = program, algorithm, property
        self._death = death
        self._halt = halt
        self._undead = undead
        self._goes_back = goes_back
        self.frontier: Frontier | None = None
        self._back = threading.Semaphore(0)
        self._leaving: list[tuple[int, Said]] = []
        self._coming: list[tuple[_Runner, Numbered]] = []
        self._office = _Post(self, workers, frontier)
        self._error: BaseException | None = None
        self._runners: dict[int, _Runner] = {}
        self._ghosts: list[_Runner] = []
        self.classes: list[Class] = []
        self.finals: set[Final] = set()
        self.done = ExecutionStatistics()
        self.errors: set[str] = set()
        self._known = self.met = met
        self.messages: list[Message] = []
        self.deaths = self.backs = self.late = 0
        for worker in range(workers):
            self._start(worker)

    def send(self, worker: int, message: Numbered) -> None:
        """A message to a worker leaves."""
        self._coming.append((self._runners[worker], message))

    def run(self) -> None:
        """Runs all workers to their end."""
        while not self._office._complete():
            hub = self._office._hub
            if self._chance.random() < self._halt:
                hub.halt()
            if self._goes_back:
                self._office._keep()
            elif (frontier := hub.frontier()) is not None:
                self.frontier = frontier
                break
            all_of_them = [*self._runners.values(), *self._ghosts]
            able = [r for r in all_of_them if not r.ended and not (r.waits and not r.inbox)]
            flying = len(self._leaving) + len(self._coming)
            if flying and (not able or self._chance.random() < 0.3):
                self._deliver(self._chance.randrange(flying))
                continue
            assert able, "all workers wait for ever"
            runner = self._chance.choice(able)
            dies = self._chance.random() < self._death and runner not in self._ghosts
            undead = dies and bool(self._undead) and self._chance.random() < self._undead
            runner.killed = dies and not undead
            runner.turn.release()
            self._back.acquire()
            if self._error is not None:
                raise self._error
            if dies and not runner.ended:
                self._bury(runner)
        self._end_all()
        if self.frontier is None:
            for classes, finals, statistics, errors, met in self._office._reports.values():
                self.classes += classes
                self.finals.update(finals)
                self.done.add(statistics)
                self.errors |= errors
                self.met = self.met.joined(met)

    def _deliver(self, k: int) -> None:
        if k < len(self._leaving):
            worker, said = self._leaving.pop(k)
            self.late += said.epoch != self._runners[worker].life.epoch
            self._office._take(worker, said)
        else:
            runner, message = self._coming.pop(k - len(self._leaving))
            self.messages.append(message[1])
            runner.inbox.append(message)

    def _end_all(self) -> None:
        for runner in (*self._runners.values(), *self._ghosts):
            if not runner.ended and not runner.killed:
                runner.killed = True
                runner.turn.release()
                self._back.acquire()

    def _bury(self, dead: _Runner) -> None:
        self.deaths += 1
        if not dead.killed:
            self._ghosts.append(dead)
        else:
            for its in [its for its in self._leaving if its[1].epoch == dead.life.epoch]:
                if self._chance.random() < 0.5:
                    self._office._take(*its)
                self._leaving.remove(its)
            self._coming = [its for its in self._coming if its[0] is not dead]
        if self._goes_back and self._chance.random() < 0.5:
            self.backs += 1
            self._ghosts += [its for its in self._runners.values() if its is not dead]
            self._office._deaths = 0
            self._office._go_back(range(len(self._runners)))
            for worker in range(len(self._runners)):
                self._start(worker)
        else:
            self._start(dead.number)

    def _start(self, worker: int) -> None:
        life, messages = self._office._born(worker)
        self._runners[worker] = runner = _Runner(worker, life)
        threading.Thread(target=self._run, args=(runner,), daemon=True).start()
        self._coming += [(runner, message) for message in messages]

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

        def say(what: object) -> None:
            self._leaving.append((mine.number, Said(mine.life.epoch, what)))

        channel, heritage = Channel(say, look, wait), mine.life.heritage
        if heritage.share is not None:
            for part in heritage.share.parts:
                mine.classes += part.more[0]
                mine.finals.update(dict.fromkeys(part.more[1]))
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
                life=heritage,
                met=self._known,
                keeps=lambda: (tuple(mine.classes), tuple(mine.finals)),
            )
            explored = worker.run(begins=heritage.share is None)
            statistics, errors = ExecutionStatistics(), set()
            if explored is not None:
                statistics = explored.statistics
                errors = {found.finding.message for found in explored.found}
            say(LastWord((mine.classes, mine.finals, statistics, errors, worker.met)))
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
    undead: float = 0.0,
    goes_back: bool = False,
) -> Scheduler:
    """Explores the program with workers, which may take turns at each event."""
    never = patch.object(of_worker, "_PROGRESS", inf)  # what is done depends on the seed alone
    with patch.object(stateless, "POLL_EVENTS", 1), never:
        its = program, algorithm, workers, seed, property, death
        scheduler = Scheduler(*its, halt, frontier, undead=undead, goes_back=goes_back)
        scheduler.run()
        while scheduler.frontier is None and scheduler.met.stale:
            scheduler = Scheduler(*its, halt, met=scheduler.met.renewed())
            scheduler.run()
    return scheduler
