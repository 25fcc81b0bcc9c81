"""`abpress linearize`: checks concurrent calls of a library against sequential ones."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import monotonic

from abpress.cli.failures import tell
from abpress.cli.first_options import duration
from abpress.cli.language_options import add_language_options
from abpress.cli.linearize_report import (
    Session,
    print_checked,
    print_summary,
    rows_of,
    to_json,
    verdict_lines,
)
from abpress.cli.options import (
    add_bound_options,
    add_output_options,
    config_of,
    natural,
    positive,
    preferred_by,
    reductions_of,
)
from abpress.cli.output import write_json
from abpress.cli.overseer import REASON, LastWords, Overseer
from abpress.cli.terminal import progress, terminable
from abpress.clients.check import Checker, may_wait
from abpress.clients.client import Client, parse_client
from abpress.clients.generate import SHARES, ClientShape, all_clients, sampled_clients
from abpress.clients.library import Library, read_library, reference
from abpress.engines.table import ENGINES
from abpress.errors import InputError
from abpress.properties import Aspect
from abpress.search.limits import INTERRUPTED, limits_of
from abpress.verify.measure import Cost, Stopwatch

DESCRIPTION = """\
Calls the operations of a C library from a few threads, explores all executions of each such client,
and compares the results of its calls with those of the same calls made one after the other.

A client's results are allowed if some sequential order of its calls gives them, in which each
thread's calls keep their order (sequential consistency of the object). With --real-time, such an
order must also keep a call that ended before another one began in front of it (linearizability). An
object may do the first and not the second. Either answer is about the clients that were checked.

The operations are marked in the library by comments, with the values to call them with:

  //@ operation key: 1..3; value: 10, 20
  int map_put(int key, int value) { ... }

  //@ init
  void map_init(void) { ... }            (called once before everything else; may be left out)
"""

STATUSES = """\
exit status:
  0  true: every client that was checked has allowed results only, no deadlock, no violation
  1  false: a client has results that no order gives, or a deadlock, or fails an assertion
  2  unknown, with the reason
  3  the input or the command line cannot be read, or something in it is not supported
  4  internal error
"""

_ENGINES = {e.name: e for e in ENGINES.values() if {Aspect.STEP, Aspect.END} <= e.looks_at}
"""Those that look for forbidden results and for deadlocks."""


MOST_CLIENTS = 100_000
"""Of one run with --all."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.description = DESCRIPTION
    parser.add_argument("file", type=Path, help="the library: C source with annotated operations")
    parser.add_argument(
        "--spec",
        metavar="FILE",
        type=Path,
        help="the sequential reference: another implementation of the operations, marked in the"
        " same way (default: the library itself)",
    )
    group = parser.add_argument_group("the clients")
    group.add_argument(
        "--threads", metavar="N", type=positive, default=3, help="threads (default: 3)"
    )
    group.add_argument(
        "--calls",
        metavar="N",
        type=positive,
        default=4,
        help="calls of all threads together, at least one each (default: 4)",
    )
    for name, when in (("before", "before the threads start"), ("after", "after they have ended")):
        group.add_argument(
            f"--{name}",
            metavar="N",
            type=natural,
            default=0,
            help=f"calls by main {when} (default: 0)",
        )
    group.add_argument(
        "--values",
        metavar="N",
        type=positive,
        help="use N values of each parameter at most: fewer values mean more contention (default:"
        " all; a sampled client draws how many it uses)",
    )
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--sample",
        metavar="N",
        type=positive,
        default=20,
        help="check N clients at random (default: 20)",
    )
    which.add_argument("--all", action="store_true", help="check every client of this size")
    which.add_argument(
        "--client",
        metavar="TEXT",
        action="append",
        help="check this client, such as 'add(1); size() || add(2)' (repeatable); with calls of"
        " main: 'BEFORE / THREADS / AFTER'",
    )
    group.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of the sample (default: 0)"
    )
    group.add_argument(
        "--focus",
        metavar="CALL",
        action="append",
        default=[],
        help="an operation, or a call such as 'add(1)', that --share counts (repeatable)",
    )
    group.add_argument(
        "--share",
        choices=tuple(SHARES),
        help="how many of the threads' calls are those of --focus (default: any number)",
    )
    group = parser.add_argument_group("the search")
    group.add_argument(
        "--real-time",
        action="store_true",
        help="check linearizability: calls that do not overlap keep their order (slower)",
    )
    group.add_argument(
        "--engine",
        choices=tuple(_ENGINES),
        default="explicit",
        help="how to search a client (default: %(default)s)",
    )
    group.add_argument(
        "--por",
        choices=reductions_of(_ENGINES.values()),
        default="auto",
        help="partial-order reduction; auto: "
        + preferred_by(_ENGINES.values())
        + " (default: auto)",
    )
    group.add_argument("--first-error", action="store_true", help="stop at the first bad client")
    group.add_argument(
        "--client-time-limit", metavar="TIME", type=duration, help="wall time for each client"
    )
    add_language_options(parser)
    add_bound_options(parser)
    output = add_output_options(parser)
    output.add_argument(
        "--output", metavar="DIR", type=Path, help="keep the clients there, as C programs"
    )


def run(options: argparse.Namespace) -> int:
    """Checks the clients and reports on them; returns the exit status."""
    stopwatch = Stopwatch()
    session = Session()
    overseer: Overseer = options.overseer
    try:
        _check(options, session)
    except BrokenPipeError:
        raise  # for `perform`: the reader has gone
    except KeyboardInterrupt:
        session.stopped = INTERRUPTED.text
    except Exception as error:
        session.failure = tell(error, options.debug)
    status = session.status()
    overseer.answers()
    cost = stopwatch.read()
    if options.json is not None:
        try:
            write_json(options.json, to_json(options, session, cost))
        except Exception as error:
            status = max(status, tell(error, options.debug).status)
    with suppress(BrokenPipeError):  # the reader has gone; the status stays
        print_summary(options, session, cost)
        sys.stdout.flush()
    overseer.answered(status)
    return status


def _check(options: argparse.Namespace, session: Session) -> None:
    """Checks client after client, and prints what is wrong with one."""
    config = config_of(options)
    limits = limits_of(config.bounds, options.overseer.started)
    _leave_last_words(options, session)
    options.overseer.limits(limits)
    library = read_library(options.file)
    measure = reference(library, options.spec)
    clients = list(_clients(options, library))
    with ExitStack() as stack:
        folder = options.output or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        _make(folder)
        listener = stack.enter_context(
            progress(options.quiet, lambda: f"client {len(session.checked) + 1}/{len(clients)}, ")
        )
        stack.enter_context(terminable())
        checker = Checker(
            library,
            measure,
            config,
            options.real_time,
            may_wait(library, config, folder),
            limits,
            options.client_time_limit,
            folder,
        )
        for number, client in enumerate(clients, 1):
            if limits.time is not None and monotonic() - limits.started >= limits.time:
                session.stopped = limits.time_exceeded.text
                break
            its = checker.check(client, f"client-{number:0{len(str(len(clients)))}}", listener)
            session.checked.append(its)
            _leave_last_words(options, session)
            if not options.quiet:
                print_checked(its, number, with_trace=session.bad == [its])
            if its.reason.startswith(INTERRUPTED.text):
                session.stopped = INTERRUPTED.text
                break
            if options.first_error and session.bad:
                break


def _leave_last_words(options: argparse.Namespace, session: Session) -> None:
    """What is known already is the answer if the rest is cut off.

    To say it takes longer with each client: that has a small share of the time.
    """
    began = monotonic()
    if began < session.next_words:
        return
    known = replace(session, stopped=REASON)
    options.overseer.last_words(
        LastWords(
            verdict_lines(options, known),
            None if options.quiet else rows_of(known),
            None if options.json is None else str(options.json),
            None if options.json is None else to_json(options, known, Cost(0, 0, 0)),
            known.status(),
        )
    )
    session.next_words = began + 20 * (monotonic() - began)


def _clients(options: argparse.Namespace, library: Library) -> list[Client]:
    """The clients that are asked for. Raises InputError."""
    if options.client:
        return [parse_client(text, library) for text in options.client]
    if bool(options.focus) != (options.share is not None):
        raise InputError("--focus and --share go together")
    plan = ClientShape(
        options.threads,
        options.calls,
        options.before,
        options.after,
        options.values,
        tuple(options.focus),
        options.share,
    )
    if not options.all:
        return list(sampled_clients(library, plan, options.sample, options.seed))
    clients = list(islice(all_clients(library, plan), MOST_CLIENTS + 1))
    if len(clients) > MOST_CLIENTS:
        raise InputError(f"--all: more than {MOST_CLIENTS:,} clients (try --sample or --values)")
    return clients


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from error
