"""Speed-up of searches that share a tree of executions among workers.

By program, algorithm and number of workers: seconds of wall time, the speed-up against one search
in the same run of the experiment, the processor time of all processes together, as a multiple of
that search's, whether the complete executions are as many, which part of their time the workers
have spent on what, how many events they have executed again, and what they have sent to one
another. Programs are given as FAMILY=N, those of `bench-explore`. The times mean something only on
a machine that does nothing else.

With --control, as many searches as workers run side by side, each a whole one: what that takes
longer than one alone, the machine takes for having more than one core at work, and no way to share
a search makes it less. A speed-up can be no more than the number of workers, divided by that.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from abpress.cli.options import positive
from abpress.interpreter import without_cycle_collection
from abpress.ir.program import Program
from abpress.parallel.hub import FIRST, Hub
from abpress.parallel.load import Doing, WorkerLoad
from abpress.parallel.messages import Batch, Counted
from abpress.parallel.parts import Heritage, Told
from abpress.parallel.post import Channel
from abpress.parallel.processes import in_processes
from abpress.parallel.worker import Worker
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from experiments.bench_explore import explored, size, text_of
from experiments.settings import program_of

DEFAULTS = (("indexer", 14), ("lastzero", 9), ("readers", 12))

ALGORITHMS = ("source", "optimal")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and how many workers."""
    parser.add_argument(
        "sizes",
        nargs="*",
        metavar="FAMILY=N",
        type=size,
        help="default: " + " ".join(f"{family}={n}" for family, n in DEFAULTS),
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=positive,
        nargs="+",
        default=[2, 4],
        help="how many workers (default: 2 4)",
    )
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=[name for name, entry in STATELESS.items() if entry.shared],
        default=ALGORITHMS,
        help=f"default: {' '.join(ALGORITHMS)}",
    )
    parser.add_argument(
        "--control", action="store_true", help="also run whole searches side by side"
    )


class CountingHub(Hub):
    """Counts the messages of workers by their kinds."""

    kinds: ClassVar[Counter[str]] = Counter()

    def take(self, worker: int, came: Batch | Counted | Told) -> None:
        """As `Hub.take`."""
        if isinstance(came, Batch):
            self.kinds.update(type(message).__name__ for message in came.messages)
        super().take(worker, came)


@dataclass(frozen=True, slots=True)
class Shared:
    """What workers have done together, and what each of them has done when."""

    done: ExecutionStatistics
    loads: tuple[WorkerLoad, ...]

    @property
    def spent(self) -> str:
        """Which part of their time the workers have spent on what."""
        seconds = {doing: sum(its.seconds(doing) for its in self.loads) for doing in Doing}
        total = sum(seconds.values())
        parts = (f"{doing.value} {its / total:.1%}" for doing, its in seconds.items() if its)
        return f"{', '.join(parts)}; {sum(its.replayed for its in self.loads):,} events again"


def together(program: Program, algorithm: str, workers: int) -> Shared:
    """What workers do who explore everything."""

    def work(
        number: int, channel: Channel, life: Heritage
    ) -> tuple[ExecutionStatistics | None, WorkerLoad]:
        system = Interpreter(program)
        with without_cycle_collection():
            property = PROPERTIES["unreach-call"]
            worker = Worker(number, system, algorithm, property, channel, life=life)
            found = worker.run(begins=number == FIRST)
        return None if found is None else found.statistics, worker.load()

    done, loads = ExecutionStatistics(), []
    for its, load in in_processes(workers, work, lambda _: False, CountingHub):
        loads.append(load)
        if its is not None:
            done.add(its)
    return Shared(done, tuple(loads))


def side_by_side(program: Program, algorithm: str, searches: int) -> None:
    """Runs whole searches at once, each in a process of its own, to their ends."""
    processes = []
    for _ in range(searches):
        process = os.fork()
        if process == 0:
            try:
                explored(program, algorithm)
            finally:
                os._exit(0)
        processes.append(process)
    for process in processes:
        os.waitpid(process, 0)


def processor_time() -> float:
    """Seconds that this process and its ended children have used."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(its.ru_utime + its.ru_stime for its in used)


def run(options: argparse.Namespace) -> int:
    """Prints a line per program, algorithm and number of workers; 1 if numbers differ."""
    wrong = False
    for family, n in options.sizes or DEFAULTS:
        text, defines = text_of(f"{family}={n}")
        p = program_of(text, *defines, every_access=True)
        for algorithm in options.algorithms:
            begin, used = time.perf_counter(), processor_time()
            alone = explored(p, algorithm)
            seconds, work = time.perf_counter() - begin, processor_time() - used
            row = f"{family}({n}) {algorithm}"
            print(f"{row}: {alone.complete} complete executions, {seconds:.2f} s", flush=True)
            for workers in options.workers:
                CountingHub.kinds.clear()
                begin, used = time.perf_counter(), processor_time()
                shared = together(p, algorithm, workers)
                its, used = time.perf_counter() - begin, processor_time() - used
                same = shared.done.complete == alone.complete
                same &= not STATELESS[algorithm].optimal or not shared.done.sleep_set_blocked
                wrong |= not same
                print(
                    f"{row}: {workers} workers, {its:.2f} s, speed-up {seconds / its:.2f},"
                    f" {used / work:.2f} of its work,"
                    f" {'the same' if same else 'OTHER'} numbers; {shared.spent};"
                    f" {told(CountingHub.kinds)}",
                    flush=True,
                )
                if options.control:
                    begin, used = time.perf_counter(), processor_time()
                    side_by_side(p, algorithm, workers)
                    its, used = time.perf_counter() - begin, processor_time() - used
                    print(
                        f"{row}: {workers} searches side by side, {its / seconds:.2f} of its time,"
                        f" {used / workers / work:.2f} of its work each",
                        flush=True,
                    )
    return int(wrong)


def told(kinds: Mapping[str, int]) -> str:
    """How many messages of each kind."""
    return ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())) or "no message"
