"""What proofs by facts cost as programs grow: processor seconds over lines.

Programs are generated: modules of some functions over globals, arrays and a lock of their own, that
a few threads call one after the other. Each program is read once; then the facts of each property
are found, as the engine does, without looks for garbage, and their certificate is checked. A line
has the size of a program, per property the seconds of both, what they were for the program before,
times the growth of the lines, and the most memory that the process has had by then. All is near
linear where that growth is near 1. Numbers are to be compared within one run of this only.

Exit status: 0; 1 if a property is not proved.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from abpress.config import Config
from abpress.engines.by_facts import FactsTime
from abpress.engines.static import PROVERS
from abpress.interpreter import without_cycle_collection
from abpress.proof.kinds import KINDS
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.verify.load import load

THREADS = 4

HEAD = """#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
"""

MODULE = """
static pthread_mutex_t lock_{i} = PTHREAD_MUTEX_INITIALIZER;
static int count_{i}, sum_{i}, table_{i}[16], *last_{i} = &count_{i};

static int clamped_{i}(int value) {{
    if (value < 0)
        return 0;
    if (value > 15)
        return 15;
    return value;
}}

static void fill_{i}(void) {{
    int k;
    for (k = 0; k < 16; k++)
        table_{i}[k] = k & 7;
    last_{i} = &table_{i}[0];
}}

static void put_{i}(int value) {{
    int at = clamped_{i}(value);
    pthread_mutex_lock(&lock_{i});
    if (count_{i} < 1000)
        count_{i} = count_{i} + 1;
    table_{i}[at] = count_{i};
    last_{i} = &table_{i}[at];
    pthread_mutex_unlock(&lock_{i});
}}

static void add_{i}(void) {{
    int seen;
    pthread_mutex_lock(&lock_{i});
    seen = count_{i};
    if (seen <= 1000 && sum_{i} < 1000000)
        sum_{i} = sum_{i} + seen;
    assert(count_{i} == seen);
    *last_{i} = seen;
    pthread_mutex_unlock(&lock_{i});
}}
"""


def text(modules: int, threads: int = THREADS) -> str:
    """A program of so many modules, and threads."""
    parts = [HEAD, *(MODULE.format(i=i) for i in range(modules))]
    for t in range(threads):
        calls = "".join(
            f"    put_{i}(__VERIFIER_nondet_int());\n    add_{i}();\n"
            for i in range(modules)
            if i % threads in (t, t + 1)
        )
        parts.append(f"\nstatic void *thread_{t}(void *argument) {{\n{calls}    return 0;\n}}\n")
    begun = "".join(f"    fill_{i}();\n" for i in range(modules))
    created = "".join(f"    pthread_create(&t[{t}], 0, thread_{t}, 0);\n" for t in range(threads))
    joined = "".join(f"    pthread_join(t[{t}], 0);\n" for t in range(threads))
    head = f"    pthread_t t[{threads}];\n"
    parts.append(f"\nint main(void) {{\n{head}{begun}{created}{joined}    return 0;\n}}\n")
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Measured:
    """A program: its lines, the seconds to read it, and per property the verdict, and the seconds
    to find facts and to check them."""

    lines: int
    reading: float
    facts: Mapping[str, tuple[Verdict, float, float]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The sizes, and the properties."""
    sizes = (1_000, 2_000, 5_000, 10_000, 20_000)
    parser.add_argument(
        "--lines", type=int, nargs="+", default=sizes, help="(default: %(default)s)"
    )
    parser.add_argument(
        "--threads", type=int, default=THREADS, help="of each program (default: %(default)s)"
    )
    parser.add_argument("--property", action="append", choices=PROVERS, help="default: all")


def run(options: argparse.Namespace) -> int:
    """Measures, and prints a line for each program and property."""
    names = tuple(options.property or PROVERS)
    print("| lines | read | property | verdict | facts | check | growth | MB |")
    print("| ---: | ---: | --- | --- | ---: | ---: | ---: | ---: |")
    before: Measured | None = None
    proved = True
    per_module = len(MODULE.splitlines()) + 5
    for lines in options.lines:
        its = measured(text(max(1, lines // per_module), options.threads), names)
        for name, (verdict, found, checked) in its.facts.items():
            growth = ""
            if before is not None:
                _, *old = before.facts[name]
                growth = f"{(found + checked) / sum(old) / (its.lines / before.lines):.2f}"
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            cells = f"{verdict.value} | {found:.1f} | {checked:.1f} | {growth} | {memory}"
            print(f"| {its.lines:,} | {its.reading:.1f} | {name} | {cells} |", flush=True)
            proved &= verdict is Verdict.TRUE
        before = its
    return 0 if proved else 1


def measured(program: str, names: tuple[str, ...]) -> Measured:
    """What reading a program and proving its properties takes."""
    reading = 0.0
    facts = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(program, encoding="utf-8")
        for name in names:
            begun = process_time()
            loaded = load(Config.of(file, property=name)).program
            reading = process_time() - begun
            begun = process_time()
            with without_cycle_collection():
                result, proof = PROVERS[name](loaded, name, FactsTime(Limits()), Soundness())
            found = process_time() - begun
            if proof is not None and result.verdict is Verdict.TRUE:
                KINDS[proof.format].check(loaded, proof)
            facts[name] = result.verdict, found, process_time() - begun - found
    return Measured(len(program.splitlines()), reading, facts)
