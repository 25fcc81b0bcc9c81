"""`abpress replay`: repeats the execution of a verdict false on the compiled program."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from abpress.cli.failures import guarded
from abpress.cli.first_options import add_limit_options
from abpress.cli.language_options import add_program_options
from abpress.cli.options import add_debug_option, config_of
from abpress.cli.output import write_json
from abpress.cli.overseer import REASON, LastWords, Overseer
from abpress.config import Config
from abpress.errors import InputError, Position
from abpress.search.limits import Limits
from abpress.witness.trace import Trace

STATUSES = """\
exit status:
  0  reproduced: the compiled program violates the property as the trace says
  1  not reproduced
  2  unknown: a limit was reached
  3  a file or the command line cannot be read, there is no compiler, it refuses the program, or
     something in it is not supported
  4  internal error
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument(
        "trace", type=Path, help="what abpress verify --json has written of a verdict false"
    )
    add_program_options(parser, files="*")
    parser.add_argument(
        "--property",
        dest="of_property",
        metavar="NAME",
        help="whose violation, if there are several (default: the first one)",
    )
    group = parser.add_argument_group("limits")
    add_limit_options(group)
    group = parser.add_argument_group("the output")
    group.add_argument(
        "--keep", metavar="DIR", type=Path, help="keep the compiled program and the schedule there"
    )
    group.add_argument(
        "--minimise",
        metavar="FILE",
        type=Path,
        help="look for a shorter execution of the same violation first, in the model; write it"
        " there, as what TRACE is, with what was removed, and replay that one",
    )
    group.add_argument(
        "--gdb",
        metavar="FILE",
        type=Path,
        help="write a script that leads the compiled program along the trace under gdb, with a stop"
        " at each switch of threads: gdb -x FILE; the program is kept (--keep, else FILE.program)",
    )
    add_debug_option(group)


def run(options: argparse.Namespace) -> int:
    """Replays the trace and prints what was seen; returns the exit status."""
    overseer: Overseer = options.overseer
    limits = Limits(options.time_limit, options.memory_limit)
    overseer.limits(limits)
    overseer.last_words(LastWords([f"abpress replay: unknown ({REASON})"]))

    def answer() -> int:
        from abpress.replay.plan import plan_of
        from abpress.replay.run import arguments_of, first_seen

        data = _read(options.trace)
        trace = _trace_of(options.trace, data, options.of_property)
        config = _config_of(options, data)
        program, shorter, traces = config.program, None, [trace]
        if options.minimise is not None:
            from abpress.verify.shorter import shortened

            half = limits.left / 2
            shorter = shortened(config, trace, lambda: limits.left < half)
            traces.insert(0, shorter.trace)
            told = {name: value for name, value in data.items() if name != "results"}
            told |= {"property": trace.property, "reason": shorter.trace.message}
            told |= {"trace": shorter.trace.to_json(), "shortened": shorter.to_json()}
            write_json(options.minimise, told)
        with contextlib.ExitStack() as stack:
            folder = options.keep
            if options.gdb is not None and folder is None:
                folder = options.gdb.with_name(f"{options.gdb.name}.program")
            if folder is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            else:
                folder.mkdir(parents=True, exist_ok=True)
            plan, found, its = first_seen(map(plan_of, traces), program, folder)
            schedule = folder / "schedule"
            schedule.write_bytes(found.answers)
            if options.gdb is not None:
                from abpress.replay.debugger import gdb_script

                words = arguments_of(plan, program)
                text = gdb_script(found, its, schedule, words, len(plan.trace.steps))
                options.gdb.write_text(text, encoding="utf-8")
        overseer.answers()
        with contextlib.suppress(BrokenPipeError):
            word = "reproduced" if found.reproduced else "not reproduced"
            print(f"abpress replay: {word} ({found.what})")
            if shorter is not None:
                print(f"minimised: {shorter}")
                if plan.trace is not shorter.trace:
                    print("note: the shorter execution is not reproduced, so this is the given one")
            for reason in found.reasons:
                print(f"reason: {reason}")
            for note in found.notes:
                print(f"note: {note}")
            theirs = data.get("data_model")
            if theirs not in (None, its.data_model):
                print(f"note: compiled for {its.data_model}, the trace is for {theirs}")
            sys.stdout.flush()
        return 0 if found.reproduced else 1

    status = guarded(answer, options.debug)
    overseer.answered(status)
    return status


def _read(path: Path) -> dict[str, Any]:
    where = Position(str(path), 1, 1)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", where) from error
    except ValueError as error:
        raise InputError(f"not a result of abpress verify --json: {error}", where) from error
    if not isinstance(data, dict):
        raise InputError("not a result of abpress verify --json", where)
    return data


def _trace_of(path: Path, data: dict[str, Any], property: str | None) -> Trace:
    """The trace that is asked for. Raises InputError."""
    where = Position(str(path), 1, 1)
    try:
        results = [data, *data.get("results", ())]
        traces = [its["trace"] for its in results if its.get("trace")]
        if property is not None:
            traces = [its for its in traces if its["property"] == property]
        if not traces:
            of = f" of {property}" if property else ""
            raise InputError(f"there is no violation{of} in it", where)
        return Trace.of_json(traces[0])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"not a result of abpress verify --json: {error!r}", where) from error


def _config_of(options: argparse.Namespace, data: dict[str, Any]) -> Config:
    """With the program that is named, else the one that the trace is of. Raises InputError."""
    if options.files:
        return config_of(options)
    from abpress.cli.main import build_parser

    words = data.get("command")
    if not isinstance(words, list) or words[:1] not in (["verify"], ["explore"]):
        raise InputError("the trace does not say of which program it is: name the files")
    return config_of(build_parser(words[0]).parse_args(words))
