"""Speed-up of up to hundreds of workers, which the real ones have in virtual time.

The workers and the hub are those of `explore --workers`; they take turns in one process, and a
clock says how long each would have taken: so long for an event, for an event that is executed
again after a hand-over, for a message on its way, and for whoever sends or receives one. So the
tree, what is handed over, and who waits for whom are real, and nothing has to be fitted but these
four times. The time of an event is measured, if it is not given. Left out are caches, memory, and
that cores are shared. Programs are families of `bench-explore` (FAMILY=N) and files of C.
"""

from __future__ import annotations

import argparse
import heapq
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from abpress.cli.options import positive
from abpress.interpreter import without_cycle_collection
from abpress.ir.program import Program
from abpress.parallel.hub import FIRST, Hub
from abpress.parallel.messages import Batch, Counted, Numbered
from abpress.parallel.parts import Told
from abpress.parallel.post import Channel
from abpress.parallel.worker import Worker
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search.rest import Rest
from abpress.search.resumed import ResumedSearch
from abpress.search.stateless import Hooks
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from experiments.bench_explore import explored, text_of
from experiments.parallel_table import together
from experiments.settings import program_of

DEFAULTS = ("indexer=13", "lastzero=8", "readers=11")

ALGORITHMS = ("source", "optimal")

WORKERS = (2, 4, 16, 64, 256)


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds: of an event, of one that is executed again, of a message on its way, and of the work
    that it makes at either end."""

    event: float
    replay: float
    message: float
    handling: float


@dataclass(slots=True)
class _Turn:
    """A worker's thread; it runs only while `go` is released to it. Mutable.

    `told` are the batches that it has sent in its turn, `counted` the events for which it has paid.
    """

    number: int
    go: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    inbox: list[Numbered] = field(default_factory=list)
    told: list[Batch] = field(default_factory=list)
    done: ExecutionStatistics | None = None
    counted: int = 0
    replayed: int = 0
    clock: float = 0.0
    waits: bool = False
    ended: bool = False


class VirtualTime:
    """One search by workers, in virtual time. `seconds` is how long it takes. Mutable."""

    def __init__(self, program: Program, algorithm: str, workers: int, costs: Costs) -> None:
        self._what = program, algorithm
        self._costs = costs
        self._back = threading.Semaphore(0)
        self._heap: list[tuple[float, int, str, int, Any]] = []
        self._number = 0
        self._hub = Hub(workers, self._send)
        self._hub_clock = 0.0
        self._error: BaseException | None = None
        self.seconds = 0.0
        self.work = 0.0
        self.complete = 0
        self._turns = [_Turn(n) for n in range(workers)]
        for turn in self._turns:
            threading.Thread(target=self._live, args=(turn,), daemon=True).start()
            self._at(0.0, "run", turn.number)

    def run(self) -> None:
        """Runs all workers to their end."""
        with patch.object(ResumedSearch, "resume", _noted_resume), without_cycle_collection():
            while self._heap:
                now, _, kind, worker, what = heapq.heappop(self._heap)
                if kind == "run":
                    self._run(self._turns[worker], now)
                elif kind == "hub":
                    self._hub_clock = max(self._hub_clock, now) + self._costs.handling
                    self._hub.take(worker, what)
                else:
                    self._arrive(self._turns[worker], now, what)

    def _at(self, when: float, kind: str, worker: int, what: object = None) -> None:
        self._number += 1
        heapq.heappush(self._heap, (when, self._number, kind, worker, what))

    def _send(self, worker: int, message: Numbered) -> None:
        self._hub_clock += self._costs.handling
        self._at(self._hub_clock + self._costs.message, "worker", worker, message)

    def _arrive(self, turn: _Turn, now: float, message: Numbered) -> None:
        turn.inbox.append(message)
        if turn.waits and not turn.ended:
            turn.waits = False
            self._at(max(now, turn.clock) + self._costs.handling, "run", turn.number)

    def _run(self, turn: _Turn, now: float) -> None:
        """Gives the worker its turn, and has it pay for what it did."""
        turn.go.release()
        self._back.acquire()
        if self._error is not None:
            raise self._error
        events = 0 if turn.done is None else turn.done.events
        cost = (events - turn.counted) * self._costs.event + turn.replayed * self._costs.replay
        cost += len(turn.told) * self._costs.handling
        turn.counted, turn.replayed = events, 0
        turn.clock = now + cost
        self.work += cost
        self.seconds = max(self.seconds, turn.clock if cost else 0.0)
        for batch in turn.told:
            self._at(turn.clock + self._costs.message, "hub", turn.number, batch)
        turn.told.clear()
        if turn.waits and turn.inbox:
            turn.waits = False
        if not turn.waits and not turn.ended:
            self._at(turn.clock, "run", turn.number)

    def _live(self, turn: _Turn) -> None:
        """Is a worker."""
        _current.turn = turn
        turn.go.acquire()
        program, algorithm = self._what

        def send(what: Batch | Counted | Told) -> None:
            if isinstance(what, Batch):
                turn.told.append(what)

        def look() -> Numbered | None:
            if turn.inbox:
                return turn.inbox.pop(0)
            self._pause(turn)
            return turn.inbox.pop(0) if turn.inbox else None

        def wait() -> Numbered:
            while not turn.inbox:
                turn.waits = True
                self._pause(turn)
            return turn.inbox.pop(0)

        def poll(statistics: ExecutionStatistics) -> None:
            turn.done = statistics

        try:
            worker = Worker(
                turn.number,
                Interpreter(program),
                algorithm,
                PROPERTIES["unreach-call"],
                Channel(send, look, wait),
                hooks=Hooks(poll),
            )
            found = worker.run(begins=turn.number == FIRST)
            if found is not None:
                turn.done = found.statistics
                self.complete += found.statistics.complete
        except BaseException as error:
            self._error = error
        turn.ended = True
        self._back.release()

    def _pause(self, turn: _Turn) -> None:
        self._back.release()
        turn.go.acquire()


_current = threading.local()
"""The worker of each thread."""

_resume = ResumedSearch.resume


def _noted_resume(self: ResumedSearch, rest: Rest) -> None:
    """Notes how many events are executed again."""
    _resume(self, rest)
    _current.turn.replayed += len(rest.nodes)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, how many workers, and what things cost."""
    parser.add_argument("programs", nargs="*", metavar="FAMILY=N|FILE", default=DEFAULTS)
    parser.add_argument(
        "--workers",
        metavar="N",
        type=positive,
        nargs="+",
        default=WORKERS,
        help=f"default: {' '.join(map(str, WORKERS))}",
    )
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=[name for name, entry in STATELESS.items() if entry.shared],
        default=ALGORITHMS,
        help=f"default: {' '.join(ALGORITHMS)}",
    )
    group = parser.add_argument_group("costs in microseconds")
    group.add_argument("--event", metavar="US", type=float, help="default: measured")
    group.add_argument("--replay", metavar="US", type=float, default=5.0, help="default: 5")
    group.add_argument("--message", metavar="US", type=float, default=100.0, help="default: 100")
    group.add_argument("--handling", metavar="US", type=float, default=50.0, help="default: 50")
    parser.add_argument(
        "--measure", metavar="N", type=positive, default=1, help="also run N workers in real time"
    )


def run(options: argparse.Namespace) -> int:
    """Prints a row per program and algorithm; 1 if numbers of executions differ."""
    wrong = False
    heads = "".join(f"{n:>8}" for n in options.workers)
    print(f"{'program':14} {'algorithm':10} {'executions':>10} {'seconds':>8}{heads}")
    for name in options.programs:
        text, defines = text_of(name)
        program = program_of(text, *defines, every_access=True)
        for algorithm in options.algorithms:
            begin = time.process_time()
            alone = explored(program, algorithm)
            seconds = time.process_time() - begin
            event = seconds / alone.events if options.event is None else options.event / 1e6
            costs = Costs(
                event, *(c / 1e6 for c in (options.replay, options.message, options.handling))
            )
            work = alone.events * event
            head = f"{Path(name).name:14} {algorithm:10} {alone.complete:10,} {work:8.2f}"
            print(head, end="", flush=True)
            for workers in options.workers:
                its = VirtualTime(program, algorithm, workers, costs)
                its.run()
                wrong |= its.complete != alone.complete
                print(f"{work / its.seconds:8.2f}", end="", flush=True)
            if options.measure > 1:
                begin = time.perf_counter()
                together(program, algorithm, options.measure)
                real = time.perf_counter() - begin
                print(f"   real with {options.measure}: {seconds / real:.2f}", end="")
            print()
    return int(wrong)
