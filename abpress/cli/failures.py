"""Exceptions in the three voices of the tool, and the exit status of each."""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from abpress.cli.output import say
from abpress.cli.terminal import terminable
from abpress.config import Bounds
from abpress.errors import AbPressError, UnsupportedError
from abpress.search.limits import limits_of
from abpress.verify.watchdog import LimitReached, Watchdog


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer: exit status, reason for the verdict line, message for people."""

    status: int
    reason: str
    message: str


def failure_of(error: BaseException) -> Failure:
    """What an exception means for the user."""
    match error:
        case UnsupportedError():
            # 3, as for what cannot be read: statuses are an interface that scripts rely on, and
            # stay as the first release had them; the verdict's reason says which of the two it is.
            return Failure(3, f"unsupported: {_one_line(error.message)}", _one_line(str(error)))
        case AbPressError():
            return Failure(3, f"input error: {_one_line(error.message)}", _one_line(str(error)))
        case LimitReached():
            return Failure(2, error.reason, f"abpress: {error.reason}")
        case KeyboardInterrupt():
            return Failure(2, "interrupted", "abpress: interrupted")
        case MemoryError():
            return Failure(2, "out of memory", "abpress: out of memory; try --memory-limit")
        case RecursionError():
            reason = "nested too deeply for the tool"
            return Failure(2, reason, f"abpress: the program is {reason}")
        case ModuleNotFoundError(name="fcntl" | "resource" | "termios" as name):  # Windows
            reason = f"this system has no {name}"
            return Failure(3, f"unsupported: {reason}", f"abpress: {reason}, which this needs")
    what = _one_line(f"{type(error).__name__}: {error}".rstrip(": "))
    return Failure(
        4,
        f"internal error: {what}",
        f"abpress: internal error: {what}{_place(error)}; please report it with the input and the"
        " command line (--debug shows the traceback)",
    )


def tell(error: BaseException, debug: bool) -> Failure:
    """Prints the message on stderr, and the traceback of an internal error if asked."""
    failure = failure_of(error)
    if debug and failure.status not in (2, 3):
        say("".join(traceback.format_exception(error)).rstrip())
    say(failure.message)
    return failure


def guarded(action: Callable[[], int], debug: bool) -> int:
    """The status of an action; whatever it raises becomes a message and a status."""
    try:
        return action()
    except BrokenPipeError:
        raise  # for `main`, which knows what to do
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, debug).status


def overseen_answer(options: argparse.Namespace, action: Callable[[], int]) -> int:
    """As `guarded`, within the limits and until the user stops it: for what looks at no clock."""
    bounds = Bounds(time_limit=options.time_limit, memory_limit=options.memory_limit)
    limits = limits_of(bounds, options.overseer.started)
    options.overseer.limits(limits)

    def watched() -> int:
        with terminable(), Watchdog(limits):
            return action()

    return guarded(watched, options.debug)


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    path = frames[-1].filename.replace("\\", "/")
    return f" ({'/'.join(path.split('/')[-3:])}:{frames[-1].lineno})"


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 500 else line[:499] + "…"
