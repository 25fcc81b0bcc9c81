"""`abpress explore`: explores the executions of a program with an algorithm of choice."""

from __future__ import annotations

import argparse
import re

from abpress.cli import verify
from abpress.cli.failures import guarded
from abpress.cli.options import (
    add_output_options,
    add_program_options,
    add_question_options,
    config_of,
    positive,
)
from abpress.cli.report import to_json, write_json
from abpress.explicit.order import RANDOM, SEQUENTIAL
from abpress.por.stateless import ALGORITHMS
from abpress.result import Verdict
from abpress.verify.explorations import EXPLORATIONS
from abpress.verify.measure import Stopwatch

DEFAULT = "optimal"

COLUMNS = {
    "complete": "complete_executions",
    "deadlocked": "deadlocked_executions",
    "assume-blocked": "assume_blocked_executions",
    "sleep-blocked": "sleep_set_blocked_executions",
    "cut": "cut_executions",
    "violating": "violating_executions",
    "events": "events",
    "races": "races",
}
"""Of the table of a comparison: heading -> statistic."""


def algorithms(text: str) -> tuple[str, ...]:
    """Names of algorithms, separated by commas. Raises ArgumentTypeError."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in ALGORITHMS:
            known = ", ".join(ALGORITHMS)
            raise argparse.ArgumentTypeError(f"{name!r} is not an algorithm (choose from {known})")
    return names


def order(text: str) -> str:
    """An order of threads: a word, or names. Raises ArgumentTypeError."""
    if text in (SEQUENTIAL, RANDOM) or re.fullmatch(r"main(\.\d+)*(,main(\.\d+)*)*", text):
        return text
    raise argparse.ArgumentTypeError(
        f"{text!r} is not {SEQUENTIAL}, {RANDOM}, or names of threads such as main.2,main.1"
    )


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add_program_options(parser)
    add_question_options(parser)
    group = parser.add_argument_group("the search")
    group.add_argument(
        "--algorithm",
        choices=tuple(EXPLORATIONS),
        default=DEFAULT,
        help="; ".join(f"{info.name}: {info.description}" for info in EXPLORATIONS.values())
        + " (default: %(default)s)",
    )
    group.add_argument(
        "--unroll",
        metavar="N",
        type=positive,
        help="a thread comes back to a place N times at most; more makes the verdict unknown"
        " (default: no bound)",
    )
    group.add_argument(
        "--no-await",
        dest="awaits",
        action="store_false",
        help="explore every round of a loop that only waits for another thread (default: such a"
        " round is no step; a thread that waits for ever there counts as blocked by an assumption)",
    )
    group.add_argument(
        *("--keep-going", "--all-states"), action="store_true", help="look for more violations"
    )
    group.add_argument(
        *("--first-error",),
        dest="keep_going",
        action="store_false",
        help="stop at the first violation (the default)",
    )
    group.add_argument(
        "--order",
        type=order,
        default=SEQUENTIAL,
        help="in which threads are tried: sequential, as they are created; random; or names of"
        " threads that come before the others, as main.2,main.1 (default: %(default)s)",
    )
    group.add_argument("--seed", metavar="N", type=int, default=0, help="for --order random")
    group.add_argument(
        "--compare",
        metavar="A,B,...",
        type=algorithms,
        help="explore with each of these algorithms, and check that they agree",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Explores, prints the result, and writes it to `--json`; returns the exit status."""
    chosen = EXPLORATIONS[options.algorithm]
    options.engine, options.por, options.certificate = chosen.engine, chosen.por, None
    if options.compare is None:
        return verify.run(options)
    return guarded(lambda: _compare(options), options.debug)


def _compare(options: argparse.Namespace) -> int:
    """Prints and writes the table; the status is that of the first verdict that is definite."""
    from abpress.verify.compare import compare

    stopwatch = Stopwatch()
    rows = compare(config_of(options), options.compare)
    cost = stopwatch.read()
    table = [["algorithm", "verdict", *COLUMNS, "seconds"]]
    for row in rows:
        result = row.explored.result
        numbers = [f"{result.statistics[name]:,}" for name in COLUMNS.values()]
        verdict = result.verdict.value if row.explored.exhausted else result.reason
        table.append([row.algorithm, verdict, *numbers, f"{row.seconds:.2f}"])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        print("  ".join(text.rjust(w) for text, w in zip(line, widths, strict=True)).rstrip())
    if options.json is not None:
        data = [to_json(row.explored.result, "stateless", row.algorithm, cost) for row in rows]
        write_json(options.json, {"compared": data})
    verdicts = [row.explored.result.verdict for row in rows]
    definite = next((v for v in verdicts if v is not Verdict.UNKNOWN), Verdict.UNKNOWN)
    return verify.STATUS[definite]
