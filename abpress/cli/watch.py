"""The watch over a command in another process: ends it over its limits, and speaks for it then."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

from abpress.bench.processes import waited
from abpress.cli.output import number_lines, say, styled, write_json, write_text
from abpress.cli.overseer import REASON, FirstWords, LastWords
from abpress.search.limits import INTERRUPTED, MIB, Limits, resident_memory
from abpress.verify.measure import Cost

_GRACE_S = 1.2
"""Seconds past its limit of time after which a command is ended..."""
_START_S = 0.5
"""... but it has so long from when it said so, where the limit was not known before."""
_BUSY = 4
"""Of a command that waits for a processor past its limit, because others have them all, that time
does not count, but so many times what it has at most."""
_STOP_S = 1.2
"""Seconds that a command has to answer after the user has asked it to stop."""
_WORDS_S = 0.4
"""Seconds to write last words, and as long for reports: a pipe that nobody reads takes for ever."""
_MEMORY_SLACK = 1.1
"""Over its limit of memory by this factor, a command is ended."""
_LAST_S = 0.5
"""Who was killed so near the limit that the system has for processor time was killed for it."""
USED_UP = "the system gives it no more processor time (ulimit -t)"
_LOOK_S = 0.02
"""How often memory is measured."""
_PERIOD_S = 0.2
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class ProcessWatch:
    """The watch over a process (mutable): what it has told, and when it is to be ended."""

    child: int
    source: int
    started: float
    known: FirstWords
    limits: Limits = field(init=False)
    told: float = inf
    time_text: str = field(init=False)
    memory_text: str = field(init=False)
    words: LastWords | None = field(init=False)
    reports: Mapping[str, str] = field(default_factory=dict)
    answer: Sequence[str] | None = None
    grace: float = _GRACE_S
    waited: float = 0.0
    answered: int | None = None
    stop_at: float = inf
    patience: float = _STOP_S
    ended_for: str | None = None
    unread: bytes = b""

    def __post_init__(self) -> None:
        limits = self.known.limits
        self.limits = replace(limits, started=self.started)
        self.time_text, self.memory_text = limits.time_exceeded.text, limits.memory_exceeded.text
        self.words = self.known.words
        if limits.time is not None:
            self.told = self.started

    def status(self, mask: Iterable[int]) -> int:
        """Waits for the end of the process; returns the exit status of the command.

        The signals that the mask does not block are taken from now on.
        """
        # What is ignored (nohup) stays so.
        wanted = [n for n in SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
        for number in wanted:
            signal.signal(number, self._stop)
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, self._pause)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        while self._listen():
            self._look()
        _, ending, usage = os.wait4(self.child, 0)
        for number in wanted:
            signal.signal(number, signal.SIG_IGN)
        status = os.waitstatus_to_exitcode(ending)
        if self.ended_for is None and status >= 0:
            return status
        if self.answered is not None:
            return self.answered
        cost = Cost(
            round(usage.ru_utime + usage.ru_stime, 3),
            round(time.monotonic() - self.started, 3),
            round(usage.ru_maxrss * 1024 / 10**6, 1),
        )
        return self._last_words(status, cost)

    def _listen(self) -> bool:
        """Takes in what the process tells; False when it tells nothing any more."""
        period = _PERIOD_S if self.limits.memory is None else _LOOK_S
        ready, _, _ = select.select([self.source], [], [], period)
        if not ready:
            return True
        piece = os.read(self.source, 1 << 16)
        *lines, self.unread = (self.unread + piece).split(b"\n")
        for line in lines:
            self._take(*json.loads(line))
        return bool(piece)

    def _take(self, kind: str, content: Any) -> None:
        match kind:
            case "limits":
                time_limit, memory, self.time_text, self.memory_text = content
                self.limits = Limits(time_limit, memory, started=self.started)
                self.told = min(self.told, time.monotonic())
                if self.words is self.known.words:  # the command knows better, and has none
                    self.words = None
            case "words":
                self.words = LastWords(**content)
            case "reports":
                self.reports = content
            case "patience":
                self.patience = content
            case "answers":
                self.answer, self.grace = content
            case "answered":
                self.answered = content

    def _look(self) -> None:
        """Ends the process if it is over a limit."""
        limits, now = self.limits, time.monotonic()
        late = -inf if limits.time is None else now - limits.started - limits.time
        if late - self._busy(late) >= self.grace and now >= self.told + _START_S:
            self._end(self.time_text)
        elif now >= self.stop_at:
            self._end(INTERRUPTED.text)
        elif limits.memory is not None:
            used = resident_memory(self.child) + resident_memory()
            if used > limits.memory * _MEMORY_SLACK:
                self._end(self.memory_text)

    def _busy(self, late: float) -> float:
        """Of the seconds past the limit those that do not count."""
        now = waited(self.child)
        if late < 0:
            self.waited = now
        return min(now - self.waited, _BUSY * self.grace)

    def _end(self, reason: str) -> None:
        if self.ended_for is None:
            self.ended_for = reason
            self._signal_all(signal.SIGKILL)

    def _stop(self, *_: object) -> None:
        """The first request to stop is passed on; the second one ends the process."""
        if self.stop_at < inf:
            self._end(INTERRUPTED.text)
            return
        self.stop_at = time.monotonic() + self.patience
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGTERM)

    def _pause(self, *_: object) -> None:
        """Stops all processes until they are told to go on."""
        self._signal_all(signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        """Sends a signal to the process and its workers, which are a group."""
        with contextlib.suppress(ProcessLookupError):
            try:
                os.killpg(self.child, number)
            except ProcessLookupError:
                os.kill(self.child, number)

    def _last_words(self, status: int, cost: Cost) -> int:
        """Says how a process was ended that could not say so itself; returns the exit status."""
        result, reason, message = self._verdict(status, cost)
        signal.signal(signal.SIGALRM, lambda *_: os._exit(result))
        signal.setitimer(signal.ITIMER_REAL, _WORDS_S * (2 if self.reports else 1))
        if sys.stderr.isatty():  # the line of progress, and the cursor that it hides
            with contextlib.suppress(OSError, ValueError):
                styled(sys.stderr).write("\r\x1b[2K\x1b[?25h")
        words = self.words
        if self.answer is not None:
            say(f"abpress: {reason}, while the answer was written")
            _print(self.answer)
            return result
        if message:
            say(message)
        if words is None:
            say(f"abpress: {reason}")
            return result
        if words.file is not None and words.data is not None:
            data = {**_filled(words.data, reason), **asdict(cost)}
            try:
                write_json(Path(words.file), data)
            except Exception as error:
                say(str(error))
        self._write_reports(reason)
        lines = [line.replace(REASON, reason) for line in words.lines]
        lines += [] if words.numbers is None else number_lines(words.numbers, cost)
        _print(lines)
        return words.status if result == 2 else result

    def _write_reports(self, reason: str) -> None:
        """Writes the reports, as far as they were known."""
        for file, text in self.reports.items():
            path, text = Path(file), text.replace(REASON, reason)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_text(path, text)
            except Exception as error:
                say(str(error))

    def _verdict(self, status: int, cost: Cost) -> tuple[int, str, str]:
        """The exit status, the reason, and what else is told, of a process that was ended."""
        if self.ended_for is not None:
            return 2, self.ended_for, ""
        number = signal.Signals(-status).name
        if self.stop_at < inf:
            return 2, INTERRUPTED.text, ""
        memory = self.limits.memory
        if memory is not None and cost.peak_memory_mb * 10**6 / MIB > memory * 0.9:
            return 2, self.memory_text, ""
        most, _ = resource.getrlimit(resource.RLIMIT_CPU)
        if number == "SIGXCPU" or (number == "SIGKILL" and 0 <= most <= cost.cpu_s + _LAST_S):
            return 2, USED_UP, ""
        if number == "SIGKILL":
            return 2, "killed, perhaps because the machine is out of memory", ""
        reason = f"internal error: ended by {number}"
        told = f"abpress: {reason}; please report it with the input and the command line"
        return 4, reason, told


def _filled(value: Any, reason: str) -> Any:
    """Data with the reason where it goes."""
    match value:
        case str():
            return value.replace(REASON, reason)
        case list():
            return [_filled(its, reason) for its in value]
        case dict():
            return {name: _filled(its, reason) for name, its in value.items()}
    return value


def _print(lines: Sequence[str]) -> None:
    """Prints lines, if somebody reads them."""
    with contextlib.suppress(OSError, ValueError):
        for line in lines:
            print(line)
        sys.stdout.flush()
