"""`abpress explore`: explores the executions of a program with an algorithm of choice."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from abpress.api.run import answered
from abpress.bench.files import write_whole
from abpress.bench.timeline import write_timeline
from abpress.cli import verify
from abpress.cli.failures import guarded
from abpress.cli.language_options import add_program_options
from abpress.cli.options import (
    add_cluster_option,
    add_core_option,
    add_output_options,
    add_question_options,
    config_of,
    positive,
)
from abpress.cli.output import VERSION, say, write_json
from abpress.cli.report import to_json, width_of
from abpress.cli.terminal import terminable
from abpress.config import OFF
from abpress.engines.order import RANDOM, SEQUENTIAL
from abpress.engines.table import ENGINES, algorithms, engine_of
from abpress.errors import UnsupportedError
from abpress.properties.steps import UnreachCall
from abpress.reductions.entry import Family, Insight, ReductionEntry
from abpress.reductions.table import STATELESS, STATIC
from abpress.result import Verdict
from abpress.search.limits import limits_of, processors
from abpress.search.recorder import RecordedTree, Recording
from abpress.verify.measure import Stopwatch
from abpress.verify.run import Report
from abpress.witness.executions import show_execution
from abpress.witness.tree import to_dot

DEFAULT = "optimal"

ALONE_S = 10.0
"""Seconds that a search is one process, before those of the other cores come (`--workers auto`)."""

COLUMNS = {
    "states": "states",
    "transitions": "transitions",
    "choices": "thread_choices",
    "complete": "complete_executions",
    "deadlocked": "deadlocked_executions",
    "blocked": "blocked_executions",
    "assume-blocked": "assume_blocked_executions",
    "sleep-blocked": "sleep_set_blocked_executions",
    "cut": "cut_executions",
    "violating": "violating_executions",
    "events": "events",
    "races": "races",
}
"""Of the table of a comparison: heading -> statistic, if one of the algorithms has it."""

EVERYDAY = """
-D -I --property --time-limit --memory-limit --algorithm --unroll --keep-going --workers
--compare --show-executions --tree --json --quiet
"""
"""The options of the short help."""

_PATIENCE_S = 30.0
"""Seconds to keep the search once the user has asked it to stop."""


def names_of_algorithms(text: str) -> tuple[str, ...]:
    """Names of algorithms, separated by commas. Raises ArgumentTypeError."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in algorithms():
            known = ", ".join(algorithms())
            raise argparse.ArgumentTypeError(f"{name!r} is not an algorithm (choose from {known})")
    return names


def described(entry: ReductionEntry[Any]) -> str:
    """What an algorithm explores, in one line."""
    stores_states = engine_of(entry).executions is None
    return ("with stored states, " if stores_states else "") + entry.description


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
    add_question_options(parser, UnreachCall.name)
    group = parser.add_argument_group("the search")
    group.add_argument(
        "--algorithm",
        choices=tuple(algorithms()),
        default=DEFAULT,
        help="; ".join(f"{name}: {described(entry)}" for name, entry in algorithms().items())
        + " (default: %(default)s)",
    )
    add_core_option(group)
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
        "--workers",
        metavar="N",
        type=_workers,
        default="auto",
        help="processes that explore together, as many as there are processors at most: one tree"
        " of executions, with the algorithms "
        + ", ".join(e.algorithm for e in STATELESS.values() if e.shared)
        + ", where numbers of complete executions stay the same, others depend on timing; or"
        " stored states, level by level, with "
        + ", ".join(e.algorithm for e in STATIC.values() if e.shared)
        + f"; auto: one, and after {ALONE_S:.0f} seconds one per core, with the algorithms "
        + ", ".join(e.algorithm for e in STATELESS.values() if _joined(e))
        + " and no option that needs one process; with --cluster as many as its machines run at"
        " once (default: %(default)s)",
    )
    add_cluster_option(group, "the workers are tasks of")
    group.add_argument(
        "--timeline",
        metavar="FILE.html",
        type=Path,
        help="write a page that shows what each worker did when: exploring, waiting, executing"
        " again what leads to its part, handing over; and its load (--json has the same)",
    )
    group.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=Path,
        help="keep the search in a file, every few minutes and when a limit or Ctrl-C ends it, to"
        " go on with --resume (the algorithms of --workers)",
    )
    group.add_argument(
        "--checkpoint-every",
        metavar="SECONDS",
        type=positive,
        default=180,
        help="how often the file is written (default: %(default)s)",
    )
    group.add_argument(
        "--resume",
        metavar="FILE",
        type=Path,
        help="go on with a search that was kept, of the same program and options, with as many"
        " workers as there are now; its final numbers are those of one that was not interrupted",
    )
    group.add_argument(
        "--compare",
        metavar="A,B,...",
        type=names_of_algorithms,
        help="explore with each of these algorithms, and check that they agree",
    )
    group = parser.add_argument_group("what is shown of the executions (not of stored states)")
    group.add_argument(
        "--show-executions",
        action="store_true",
        help="print each execution: what its threads do line by line, how it ends, final values",
    )
    group.add_argument(
        "--show-limit",
        metavar="N",
        type=positive,
        default=100,
        help="executions that are printed at most; how many more there are is told"
        " (default: %(default)s)",
    )
    group.add_argument(
        "--tree",
        metavar="FILE.dot",
        type=Path,
        help="write the tree of the exploration for graphviz: steps with what they access, races,"
        " how executions end, and which threads were not explored, and why",
    )
    group.add_argument(
        "--tree-limit",
        metavar="N",
        type=positive,
        default=2000,
        help="nodes of the tree at most; how many are left out is told and marked"
        " (default: %(default)s)",
    )
    add_output_options(parser)
    parser.set_defaults(stats=True, symmetry=OFF)  # numbers of all states are what is asked for


def _workers(text: str) -> int | None:
    """A number of workers; None: auto. Raises ArgumentTypeError."""
    return None if text == "auto" else positive(text)


def _joined(entry: ReductionEntry[Any]) -> bool:
    """Whether others may go on with what one process has begun: then as many complete executions
    are explored. What is remembered of states would be lost."""
    return entry.family is Family.STATELESS and entry.shared and Insight.CONTENTS not in entry.needs


def _crew(options: argparse.Namespace, entry: ReductionEntry[Any]) -> tuple[int, float | None]:
    """The number of workers where the user has not said it, and the seconds before the others
    come. One process is left alone if it shows or keeps something, or is compared, or draws the
    order of threads."""
    lonely = (
        options.show_executions or options.tree or options.compare or options.timeline,
        options.checkpoint or options.resume or options.cluster,
        options.order == RANDOM,
    )
    cores = processors()
    if any(lonely) or cores == 1 or not _joined(entry):
        return 1, None
    return cores, ALONE_S


def run(options: argparse.Namespace) -> int:
    """Explores, prints the result, and writes it to `--json`; returns the exit status."""
    entry = algorithms()[options.algorithm]
    engine = engine_of(entry)
    options.engine, options.por, options.certificate = engine.name, entry.name, None
    options.property = options.property or [UnreachCall.name]
    if options.workers is None:
        options.workers, options.alone = _crew(options, entry)
    if options.compare is not None and (options.checkpoint or options.resume or options.timeline):
        why = "--checkpoint, --resume and --timeline are for one search"
        return guarded(lambda: _refuse_compare(why), options.debug)
    if options.compare is not None:
        return guarded(lambda: _compare(options), options.debug)
    if engine.executions is None and options.unroll is not None:
        return guarded(lambda: _refuse(options, "--unroll bounds executions"), options.debug)
    if engine.executions is None and options.cluster:
        return guarded(lambda: _refuse(options, "--cluster shares executions"), options.debug)
    if engine.executions is None and (options.checkpoint or options.resume):
        why = "--checkpoint and --resume are for executions"
        return guarded(lambda: _refuse(options, why), options.debug)
    if options.checkpoint is not None:
        options.overseer.patience(_PATIENCE_S)
    if options.timeline is not None:
        return guarded(lambda: _timed(options), options.debug)
    if not options.show_executions and options.tree is None:
        return verify.run(options)
    return guarded(lambda: _recorded(options), options.debug)


def _refuse_compare(why: str) -> NoReturn:
    raise UnsupportedError(f"--compare: {why}")


def _refuse(options: argparse.Namespace, why: str) -> NoReturn:
    raise UnsupportedError(f"algorithm {options.algorithm}: it stores states, {why}")


def _timed(options: argparse.Namespace) -> int:
    """As `verify.run`, with the page of the workers. Raises UnsupportedError."""
    stores_states = ENGINES[options.engine].executions is None
    if stores_states or (options.workers == 1 and not options.cluster):
        raise UnsupportedError("--timeline: it shows workers that share a tree of executions")
    if options.show_executions or options.tree is not None:
        raise UnsupportedError("--timeline: --show-executions and --tree show one search")

    def show(report: Report) -> None:
        load = report.result.load
        if load:
            about = f"{options.files[0].name}, {options.algorithm}"
            write_timeline(load, about, options.timeline)
        else:
            say(f"abpress: warning: {options.timeline} is not written: no worker has reported")

    return verify.run(options, view=show)


def _recorded(options: argparse.Namespace) -> int:
    """As `verify.run`, with the views of the search. Raises UnsupportedError."""
    engine = ENGINES[options.engine]
    if engine.executions is None:
        _refuse(options, "--show-executions and --tree show executions")
    recording = Recording(
        options.show_limit if options.show_executions and not options.quiet else 0,
        None if options.tree is None else RecordedTree(options.tree_limit),
    )
    table = {engine.name: replace(engine, search=engine.executions.record(recording))}
    ask = partial(answered, table=table, started=options.overseer.started)
    return verify.run(options, ask, partial(_show, options, recording))


def _show(options: argparse.Namespace, recording: Recording, report: Report) -> None:
    """Prints the executions and writes the tree, as far as the search has got."""
    system, tree = recording.system, recording.tree
    if system is None:
        return
    width = width_of(sys.stdout)
    for number, (outcome, schedule) in enumerate(recording.executions, 1):
        for line in show_execution(system, number, outcome, schedule, report.sources, width):
            print(line)
        print()
    more = recording.met - len(recording.executions)
    if recording.executions and more:
        print(f"{more:,} more executions are not shown (--show-limit N shows more)\n")
    if tree is not None:
        write_whole(options.tree, "\n".join(to_dot(tree, system, report.sources)) + "\n")
        if tree.hidden:
            say(
                f"abpress: warning: {options.tree} has the first {len(tree.nodes):,} nodes of the"
                f" tree, {tree.hidden:,} more are left out (--tree-limit N keeps more)"
            )


def _compare(options: argparse.Namespace) -> int:
    """Prints and writes the table; the status is that of the first verdict that is definite."""
    from abpress.verify.compare import compare

    stopwatch = Stopwatch()
    config = config_of(options)
    limits = limits_of(config.bounds, options.overseer.started)
    options.overseer.limits(limits)
    with terminable():
        rows = compare(config, options.compare, limits)
    options.overseer.answers()
    cost = stopwatch.read()
    known = {name for row in rows for name in row.explored.result.statistics}
    columns = {title: name for title, name in COLUMNS.items() if name in known}
    table = [["algorithm", "verdict", *columns, "seconds"]]
    for row in rows:
        result = row.explored.result
        values = [result.statistics.get(name) for name in columns.values()]
        numbers = ["-" if value is None else f"{value:,}" for value in values]
        verdict = result.verdict.value if row.explored.exhausted else result.reason
        table.append([row.algorithm, verdict, *numbers, f"{row.seconds:.2f}"])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        print("  ".join(text.rjust(w) for text, w in zip(line, widths, strict=True)).rstrip())
    if options.json is not None:
        chosen = [algorithms()[row.algorithm] for row in rows]
        data = [
            to_json(row.explored.result, engine_of(entry).name, entry.name, cost)
            for row, entry in zip(rows, chosen, strict=True)
        ]
        write_json(options.json, {"version": VERSION, "compared": data})
    verdicts = [row.explored.result.verdict for row in rows]
    definite = next((v for v in verdicts if v is not Verdict.UNKNOWN), Verdict.UNKNOWN)
    return verify.STATUS[definite]
