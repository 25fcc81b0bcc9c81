"""Speed-up of up to hundreds of workers with the native core, in virtual time.

The workers, and who gives parts or leaves out, are those of `explore --core native --workers`. They
take turns in one process, and a clock says how long each would have taken: the processor time that
its turn took here, so long for a message on its way, and so long for its work at either end beside
what who gives out has done with it. So the tree, what is handed over, who waits for whom, and what
who gives out is busy with are real. Left out are caches, memory, and that cores are shared; times
are measured, so on a busy machine they vary. Programs are families of `bench-explore` (FAMILY=N).
`parallel_dpor.tsv` holds what [ParallelDPOR18] tells of such families.
"""

from __future__ import annotations

import argparse
import heapq
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from abpress.cli.options import positive
from abpress.core.executions import ALGORITHMS, UNDIVIDED, explore
from abpress.core.leaves import CoreLeaves
from abpress.core.library import load as load_library
from abpress.core.parts import REMEMBERING, CoreParts
from abpress.core.wakeup import SharedWakeupTree
from abpress.interpreter import without_cycle_collection
from abpress.ir.program import Program
from abpress.parallel.dealer import Dealer
from abpress.parallel.leaf_worker import LeafWorker
from abpress.parallel.part_worker import PartWorker
from abpress.parallel.planner import Planner
from abpress.properties import PROPERTIES
from abpress.search.bounds import ExecutionBounds
from abpress.search.ledger import Ledger
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from experiments.bench_explore import text_of
from experiments.pages import add_write, markdown, markdown_line, show
from experiments.settings import HERE, program_of, read_table
from experiments.virtual_time import WORKERS

DEFAULTS = ("readers=18", "lastzero=15", "indexer=16", "ring=18", "tickets=9")
"""With two algorithms ten trees."""

_QUESTION = PROPERTIES["unreach-call"]

PAGE = HERE.parent / "docs" / "scaling.md"

NAME, PAPER = "native-virtual-time", "ParallelDPOR18"
"""The tables of the whole, in `PAGE`, and of what the paper has, too, in the evaluation."""


@dataclass(slots=True)
class _Turns:
    """A worker, and the messages that it has not seen and that it has said in its turn, which lasts
    `until` then. Mutable."""

    worker: PartWorker | LeafWorker | None = None
    came: list[Any] = field(default_factory=list)
    said: list[Any] = field(default_factory=list)
    runs: bool = False
    until: float = 0.0

    def send(self, message: Any) -> None:
        """Says something."""
        self.said.append(message)

    def look(self) -> Any | None:
        """What has come."""
        return self.came.pop(0) if self.came else None

    def wait(self) -> Any:
        """Never called: who waits has no turn."""
        raise AssertionError


class NativeVirtualTime:
    """One search by workers, in virtual time. `seconds` is how long it takes. Mutable."""

    def __init__(
        self, program: Program, algorithm: str, workers: int, message: float, handling: float
    ) -> None:
        self._costs = message, handling
        self._heap: list[tuple[float, int, int, bool, Any]] = []
        self._number = 0
        self._desk_clock = 0.0
        self._sent: list[tuple[int, Any]] = []
        self.seconds = 0.0
        self.desk_seconds = 0.0

        def send(worker: int, message: Any) -> None:
            self._sent.append((worker, message))

        self.desk: Dealer | Planner
        if algorithm == "optimal":
            self.desk = Planner(workers, send, SharedWakeupTree())
        else:
            self.desk = Dealer(workers, send)
        self._turns = [_Turns() for _ in range(workers)]
        self._searches: list[CoreLeaves | CoreParts] = []
        for number, its in enumerate(self._turns):
            ledger: Ledger[State, ExecutionStatistics]
            ledger = Ledger(_QUESTION, ExecutionStatistics())
            system, bounds = Interpreter(program), ExecutionBounds()
            options = system, ALGORITHMS[algorithm], _QUESTION, ledger, bounds
            if algorithm == "optimal":
                leaves = CoreLeaves(*options)
                its.worker = LeafWorker(leaves, its, lambda _: None, lambda: None)
                self._searches.append(leaves)
            else:
                parts = CoreParts(*options)
                its.worker = PartWorker(parts, its, lambda _: None, lambda: None)
                self._searches.append(parts)
            goes_on, messages = self.desk.heir(number)
            assert not goes_on
            self._sent += [(number, message) for message in messages]

    def run(self) -> None:
        """Runs all to their end."""
        with without_cycle_collection():
            self._leave(0.0)
            while self._heap:
                now, _, number, is_worker, what = heapq.heappop(self._heap)
                if not is_worker:
                    self._hear(now, number, what)
                elif what is not None:
                    self._turns[number].came.append(what)
                    if not self._turns[number].runs:
                        self._turn(number, now + self._costs[1])
                else:
                    self._turn(number, now)

    def close(self) -> None:
        """Lets go of what the searches have."""
        for search in self._searches:
            search.core.close()

    def _at(self, when: float, number: int, is_worker: bool, what: Any = None) -> None:
        self._number += 1
        heapq.heappush(self._heap, (when, self._number, number, is_worker, what))

    def _turn(self, number: int, now: float) -> None:
        """A worker takes in what has come, and explores some."""
        its, begin = self._turns[number], time.thread_time()
        worker, now = its.worker, max(now, its.until)
        assert worker is not None
        while its.came:
            worker.take(its.came.pop(0))
        if not worker.rests:
            worker.turn()
        its.until = now = now + time.thread_time() - begin + len(its.said) * self._costs[1]
        for message in its.said:
            self._at(now + self._costs[0], number, False, message)
        its.said.clear()
        its.runs = not worker.rests
        if its.runs:
            self._at(now, number, True)

    def _hear(self, now: float, number: int, message: Any) -> None:
        """Who gives out takes in what a worker says; one message after the other."""
        if self.desk.over:
            return
        self._desk_clock = max(self._desk_clock, now)
        begin = time.thread_time()
        self.desk.take(number, message)
        took = time.thread_time() - begin + self._costs[1]
        self._desk_clock += took
        self.desk_seconds += took
        self._leave(self._desk_clock)
        if self.desk.over:
            self.seconds = self._desk_clock
            self._heap.clear()

    def _leave(self, now: float) -> None:
        """Messages to workers leave."""
        for worker, message in self._sent:
            self._desk_clock = now = now + self._costs[1]
            self._at(now + self._costs[0], worker, True, message)
        self._sent.clear()


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, how many workers, and what messages cost."""
    parser.add_argument("programs", nargs="*", metavar="FAMILY=N", default=DEFAULTS)
    parser.add_argument("--workers", metavar="N", type=positive, nargs="+", default=WORKERS)
    both = "source", "optimal"
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=sorted(ALGORITHMS.keys() - UNDIVIDED - REMEMBERING),
        default=both,
    )
    group = parser.add_argument_group("costs in microseconds")
    group.add_argument("--message", metavar="US", type=float, default=100.0, help="default: 100")
    group.add_argument("--handling", metavar="US", type=float, default=50.0, help="default: 50")
    add_write(parser, PAGE.name)


def run(options: argparse.Namespace) -> int:
    """Prints a row per program and algorithm; 1 if numbers of executions differ."""
    load_library()
    wrong = False
    rows: list[list[str]] = []
    columns = ["program", "algorithm", "executions", "alone", *map(str, options.workers)]
    print(markdown(columns, [], words=2), end="")
    for name in options.programs:
        text, defines = text_of(name)
        program = program_of(text, *defines, every_access=True)
        for algorithm in options.algorithms:
            begin = time.process_time()
            alone = explore(Interpreter(program), algorithm, _QUESTION).statistics
            seconds = time.process_time() - begin
            row = [name, algorithm, f"{alone.complete:,}", f"{seconds:.1f} s"]
            for workers in options.workers:
                costs = options.message / 1e6, options.handling / 1e6
                its = NativeVirtualTime(program, algorithm, workers, *costs)
                its.run()
                its.close()
                wrong |= its.desk.committed.complete != alone.complete
                busy = its.desk_seconds / its.seconds
                row.append(f"{seconds / its.seconds:.1f} ({100 * busy:.0f} %)")
            print(markdown_line(row), flush=True)
            rows.append(row)
    if options.write and not wrong:
        show(NAME, markdown(columns, rows, words=2), write=True, page=PAGE)
        show(PAPER, beside_paper(columns, rows), write=True)
    return int(wrong)


def beside_paper(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows of the programs of which the paper tells, behind what it tells."""
    papers = read_table(HERE / "parallel_dpor.tsv")
    told = {(its.pop("family"), its.pop("algorithm")): its for its in papers}
    found = []
    for program, algorithm, *ours in rows:
        paper = told.get((program.split("=")[0], algorithm))
        if paper is not None:
            found.append([algorithm, *paper.values(), program, *ours])
    names = ["algorithm", *(f"paper: {name}" for name in papers[0]), columns[0], *columns[2:]]
    return markdown(names, found, words=2)
