"""Speed-up of searches that share a tree of executions among workers.

By program, algorithm and number of workers: seconds of wall time, the speed-up against one search
in the same run of the experiment, the processor time of all processes together, as a multiple of
that search's, whether the complete executions are as many, and what the workers have sent to one
another. Programs are given as FAMILY=N, those of `bench-explore`. The times mean something only on
a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from abpress.cli.options import positive
from abpress.ir.program import Program
from abpress.parallel.hub import Hub
from abpress.parallel.messages import Batch, Counted, Heritage
from abpress.parallel.parts import Told
from abpress.parallel.processes import in_processes
from abpress.parallel.worker import Channel, Worker
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search.ledger import without_cycle_collection
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from experiments.bench_explore import FAMILIES, HEAD, explored, size
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


class CountingHub(Hub):
    """Counts the messages of workers by their kinds."""

    kinds: ClassVar[Counter[str]] = Counter()

    def take(self, worker: int, came: Batch | Counted | Told) -> None:
        """As `Hub.take`."""
        if isinstance(came, Batch):
            self.kinds.update(type(message).__name__ for message in came.messages)
        super().take(worker, came)


def together(program: Program, algorithm: str, workers: int) -> ExecutionStatistics:
    """The numbers of workers that explore everything."""

    def work(number: int, channel: Channel, life: Heritage) -> ExecutionStatistics | None:
        system = Interpreter(program)
        with without_cycle_collection():
            property = PROPERTIES["unreach-call"]
            worker = Worker(number, system, algorithm, property, channel, life=life)
            found = worker.run(begins=number == 0)
        return None if found is None else found.statistics

    done = ExecutionStatistics()
    for its in in_processes(workers, work, lambda _: False, CountingHub):
        if its is not None:
            done.add(its)
    return done


def processor_time() -> float:
    """Seconds that this process and its ended children have used."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(its.ru_utime + its.ru_stime for its in used)


def run(options: argparse.Namespace) -> int:
    """Prints a line per program, algorithm and number of workers; 1 if numbers differ."""
    wrong = False
    for family, n in options.sizes or DEFAULTS:
        p = program_of(HEAD + FAMILIES[family], f"N={n}", every_access=True)
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
                same = shared.complete == alone.complete
                same &= not STATELESS[algorithm].optimal or not shared.sleep_set_blocked
                wrong |= not same
                print(
                    f"{row}: {workers} workers, {its:.2f} s, speed-up {seconds / its:.2f},"
                    f" {used / work:.2f} of its work,"
                    f" {'the same' if same else 'OTHER'} numbers; {told(CountingHub.kinds)}",
                    flush=True,
                )
    return int(wrong)


def told(kinds: Mapping[str, int]) -> str:
    """How many messages of each kind."""
    return ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())) or "no message"
