"""A command in a process of its own, watched by a small one that keeps its limits.

The command keeps its limits by itself where it can, and answers. What cannot look at a clock (a
query of the solver, one long operation of the interpreter) is ended from here, and the last words
that the command has left are its answer. This process imports little: its memory counts, too.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import NoReturn

from abpress.bench.processes import age
from abpress.cli.output import say
from abpress.cli.overseer import ANSWER_S, NOTHING_KNOWN, FirstWords, LastWords, Overseer
from abpress.cli.watch import SIGNALS, ProcessWatch
from abpress.parallel.parents import die_with
from abpress.search.limits import Limits, bound_memory

_FREE_S = 0.6
"""Seconds to start that are not the command's; they count here, and are part of the grace."""
_MEMORY_MOST = 1.2
"""What the kernel gives it between two looks, as a factor."""
_OLDEST_S = 1.0
"""What is older was something else before: a shell, say, that became this command."""


class _Reporter(Overseer):
    """The command's end of a pipe."""

    def __init__(self, pipe: int, started: float) -> None:
        self._pipe = pipe
        self._started = started

    @property
    def started(self) -> float:
        return min(self._started + _FREE_S, time.monotonic())

    def limits(self, limits: Limits) -> None:
        if limits.memory is not None:
            bound_memory(limits.memory * _MEMORY_MOST)
        time_text, memory_text = limits.time_exceeded, limits.memory_exceeded
        self._send(
            "limits",
            [limits.time, limits.memory, time_text.text, memory_text.text],
        )

    def last_words(self, words: LastWords) -> None:
        self._send("words", asdict(words))

    def reports(self, files: Mapping[str, str]) -> None:
        self._send("reports", files)

    def patience(self, seconds: float) -> None:
        self._send("patience", seconds)

    def answers(self, lines: Sequence[str] = (), seconds: float = ANSWER_S) -> None:
        self._send("answers", [lines, seconds])

    def answered(self, status: int) -> None:
        self._send("answered", status)

    def _send(self, kind: str, content: object) -> None:
        text = json.dumps([kind, content]).encode() + b"\n"
        with contextlib.suppress(OSError):
            while text:
                text = text[os.write(self._pipe, text) :]


def overseen(action: Callable[[Overseer], int], known: FirstWords = NOTHING_KNOWN) -> int:
    """The exit status of an action in a process of its own, or of the end that it was put to.

    The limits that are known count from the start of this process.
    """
    started = time.monotonic() - min(age(), _OLDEST_S)
    source, pipe = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    me = os.getpid()
    # A request to stop waits until there is somebody to take it.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    child = os.fork()
    if child == 0:
        os.close(source)
        _perform(action, _Reporter(pipe, started), me, mask)
    os.close(pipe)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)
    return ProcessWatch(child, source, started, known).status(mask)


def _perform(
    action: Callable[[Overseer], int], overseer: Overseer, parent: int, mask: Iterable[int]
) -> NoReturn:
    """Runs the action in the new process, which ends with its status and never before the end."""
    status = 4
    try:
        # Keys of the terminal are for the parent alone, which passes on what it means: those that
        # were pressed before this is a group of its own are forgotten.
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGINT, usual)
        signal.pthread_sigmask(signal.SIG_SETMASK, {*mask, signal.SIGTERM})
        die_with(parent)
        status = action(overseer)
    except BaseException as error:
        say(f"abpress: internal error: {type(error).__name__}: {error}")
    finally:
        # Nothing is left to be flushed; a stream that is broken is not tried again.
        os._exit(status)
