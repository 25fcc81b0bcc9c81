"""Exceptions in the three voices of the tool, and the exit status of each."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from abpress.errors import AbPressError, UnsupportedError


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
            return Failure(3, f"unsupported: {_one_line(error.message)}", _one_line(str(error)))
        case AbPressError():
            return Failure(3, f"input error: {_one_line(error.message)}", _one_line(str(error)))
        case KeyboardInterrupt():
            return Failure(2, "interrupted", "abpress: interrupted")
        case MemoryError():
            return Failure(2, "out of memory", "abpress: out of memory; try --memory-limit")
        case RecursionError():
            reason = "nested too deeply for the tool"
            return Failure(2, reason, f"abpress: the program is {reason}")
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
        traceback.print_exception(error)
    print(failure.message, file=sys.stderr)
    return failure


def guarded(action: Callable[[], int], debug: bool) -> int:
    """The status of an action; whatever it raises becomes a message and a status."""
    try:
        return action()
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, debug).status


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    path = frames[-1].filename.replace("\\", "/")
    return f" ({'/'.join(path.split('/')[-3:])}:{frames[-1].lineno})"


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 500 else line[:499] + "…"
