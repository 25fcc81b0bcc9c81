"""The functions of the package: verify a program, check a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Unpack

from abpress.api.asking import RunOptions, Source, config_for
from abpress.api.proofs import ProofCheck, checked_proof
from abpress.api.results import Result
from abpress.config import Config
from abpress.engines.table import ENGINES, Engine, Progress
from abpress.interpreter import with_room_for_calls
from abpress.search.limits import INTERRUPTED, limits_of
from abpress.verify.measure import Stopwatch
from abpress.verify.run import Report
from abpress.verify.run import verify as report_of
from abpress.verify.watchdog import LimitReached, Watchdog


def verify(
    source: Source, property: str | Iterable[str] = "all", **options: Unpack[RunOptions]
) -> Result:
    """Decides whether properties of a program hold.

    `source` is the path of a C file, the paths of the files of one program, or a text in C (a `str`
    with a line break or a brace). `property` is the name of a property or a group, several of them
    with commas between, the path of a property file, or a sequence of these.

    Limits of time and memory end in a result that is unknown, with the reason; they are kept less
    strictly than by the command, which runs in a process of its own, and out of the main thread by
    the searches alone. Raises InputError for what cannot be read, UnsupportedError for what is not
    supported (both name file, line and column), TypeError for an option that there is not, and
    KeyboardInterrupt.
    """
    result = with_room_for_calls(answered, config_for(source, property, options))
    if any(its.reason.startswith(INTERRUPTED.text) for its in result):
        raise KeyboardInterrupt
    return result


def answered(
    config: Config,
    progress: Progress = lambda _: None,
    table: Mapping[str, Engine] = ENGINES,
    started: float | None = None,
    settled: Callable[[Report], None] = lambda _: None,
) -> Result:
    """The result for a configuration, as the command asks for it; see `abpress.verify.run`.
    Ctrl-C is a reason of an unknown answer. Raises InputError and UnsupportedError."""
    stopwatch = Stopwatch()
    report = report_of(config, progress, table, started, settled)
    return Result(config, report, stopwatch.read())


def check_proof(proof: str, source: Source, **options: Unpack[RunOptions]) -> ProofCheck:
    """What the checker, which does not know how a proof was found, says of the text of certificates
    of `Result.certificate`. The options of the program have to be those of the run. Raises as
    `verify`."""
    config = config_for(source, None, options)
    limits = limits_of(config.bounds)
    try:
        with Watchdog(limits):
            return checked_proof(config, proof)
    except LimitReached as stop:
        return ProofCheck(reason=stop.reason)
