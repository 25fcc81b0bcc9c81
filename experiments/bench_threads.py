"""Many threads: `main` creates N of them in a loop, and then an assertion fails.

The time and the memory of the search that stores states, of the replay, and of making the trace
readable; each program in a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable

from abpress.cli.options import positive
from abpress.engines.stored import explore_all
from abpress.properties import PROPERTIES
from abpress.search.ledger import Found
from abpress.search.limits import peak_memory
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options, State
from abpress.witness.build import build_trace
from abpress.witness.lanes import render
from abpress.witness.minimise import minimise
from abpress.witness.replay import replay
from abpress.witness.trace import Trace
from experiments.settings import program_of

DEFAULTS = (10, 100, 1_000, 10_000)

MANY = """
#include <assert.h>
#include <pthread.h>
pthread_t ids[N];
int moved;

void *worker(void *argument) {
  moved = 1;
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) pthread_create(&ids[i], 0, worker, 0);
  assert(moved);
}
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """How many threads."""
    parser.add_argument("sizes", nargs="*", metavar="N", type=positive)
    parser.add_argument("--por", default="s-por", help="the reduction (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    """Prints the numbers."""
    for n in options.sizes or DEFAULTS:
        process = multiprocessing.Process(target=measure, args=(n, options.por))
        process.start()
        process.join()
        if process.exitcode:
            return 1
    return 0


def measure(n: int, por: str) -> None:
    """Prints a line for each part of the work."""
    program = program_of(MANY, f"N={n}")
    system = Interpreter(program, Options(max_threads=n + 1))
    before = peak_memory()

    def told(what: str, work: Callable[[], object]) -> None:
        begin = time.process_time()
        work()
        seconds = time.process_time() - begin
        print(f"  {what}: {seconds:.2f} s, {peak_memory() - before:.0f} MiB so far", flush=True)

    print(f"{n} threads, {por}", flush=True)
    property = PROPERTIES["unreach-call"]
    found: list[Found[State]] = []
    told("search", lambda: found.extend(explore_all(system, por, property).found))
    (execution,) = found
    schedule, finding = execution.schedule, execution.finding
    told("replay", lambda: replay(system, schedule, finding))
    told("minimisation", lambda: minimise(system, schedule, finding))
    traces: list[Trace] = []
    told("trace", lambda: traces.append(build_trace(system, schedule, property.name, finding)))
    told("view", lambda: render(traces[0], {}, 100))
