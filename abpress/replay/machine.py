"""A compiled program that runs step by step: its events, and the answers that it gets."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import struct
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from abpress.replay.assembly import Site
from abpress.replay.building import Executable

_EVENT = struct.Struct("<iiiiQQ")
_WORD = 64
"""Bits of the words that sets of threads come in."""
_ANSWER = struct.Struct("<qii")
_OBJECT = struct.Struct("<QQQQ")


SANITIZERS = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=1:leak_check_at_exit=0"
    ":abort_on_error=0:handle_abort=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"
    ":allow_user_segv_handler=1:use_sigaltstack=0:allocator_may_return_null=1"
    ":verify_asan_link_order=0"
}
"""The variables of the environment that a program runs with."""


class StopKind(IntEnum):
    """What a thread is about to do; the numbers are those of `runtime.c`."""

    READ = 0
    WRITE = 1
    UPDATE = 2
    ATOMIC_READ = 3
    ATOMIC_WRITE = 4
    STEP = 8
    WAITS = 9
    CHOICE = 10
    CHOICE_OF = 11
    IS_UNDEFINED = 12
    IS_TOLD = 13
    INPUT = 14
    BEGUN = 15
    DONE = 16
    CREATED = 17
    ATOMIC_BEGIN = 18
    ATOMIC_END = 19
    EXITS = 20
    FAILED = 21
    MISUSED = 22
    UNABLE = 23
    CRASHED = 24
    UNASSUMED = 25
    REPORTED = 26
    LEAKED = 27
    ENDED = 28
    GIVEN = 29


ACCESSES = frozenset(
    {StopKind.READ, StopKind.WRITE, StopKind.UPDATE, StopKind.ATOMIC_READ, StopKind.ATOMIC_WRITE}
)
LAST = frozenset(
    {
        StopKind.FAILED,
        StopKind.MISUSED,
        StopKind.UNABLE,
        StopKind.CRASHED,
        StopKind.UNASSUMED,
        StopKind.REPORTED,
        StopKind.LEAKED,
        StopKind.ENDED,
    }
)
"""After these there is nothing more."""

_WITH_TEXT = frozenset(
    {StopKind.FAILED, StopKind.MISUSED, StopKind.UNABLE, StopKind.UNASSUMED, StopKind.REPORTED}
)


@dataclass(frozen=True, slots=True)
class StopEvent:
    """What a thread is about to do. `ready` are the threads that could go on, `asleep` those that
    wait for a signal that has not come; `object` is the variable at the address, if it is one."""

    thread: int
    kind: StopKind
    site: Site
    size: int
    address: int
    ready: frozenset[int]
    asleep: frozenset[int]
    object: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ThreadSwitch:
    """A thread stops for another one: their names, before what each stands, and the step of the
    trace (from 1) that is next; None behind its end."""

    leaves: str
    left: Site
    goes_on: str
    enters: Site
    step: int | None


class Silent(Exception):
    """The program says nothing any more: it has ended, or computes for too long."""


class Machine:
    """A run of the program. Mutable; `close` ends it."""

    def __init__(self, its: Executable, arguments: Sequence[str], seconds: float) -> None:
        self._places = its.places
        self._deadline = time.monotonic() + seconds
        events, theirs = os.pipe()
        others, answers = os.pipe()
        self._events, self._answers = events, answers
        self.answered = bytearray()
        try:
            self._process = subprocess.Popen(
                (str(its.path), *arguments),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs, others),
                env={**os.environ, **SANITIZERS, "ABPRESS_REPLAY": f"{theirs},{others}"},
                start_new_session=True,
                preexec_fn=_own_limits,
            )
        finally:
            os.close(theirs)
            os.close(others)
        self._objects = self._table()

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._events)
        os.close(self._answers)

    def _table(self) -> list[tuple[int, int, str]]:
        found: list[tuple[int, int, str]] = []
        while True:
            begin, size, number, _ = _OBJECT.unpack(self._read(_OBJECT.size))
            if begin == 0:
                return found
            found.append((begin, begin + size, self._places.objects[number]))

    def _read(self, size: int) -> bytes:
        parts = b""
        while len(parts) < size:
            left = self._deadline - time.monotonic()
            if left <= 0 or not select.select([self._events], [], [], left)[0]:
                raise Silent("it computes for too long without an access")
            part = os.read(self._events, size - len(parts))
            if not part:
                raise Silent("it has ended")
            parts += part
        return parts

    def event(self) -> StopEvent:
        """What the running thread is about to do. Raises Silent."""
        fields = _EVENT.unpack(self._read(_EVENT.size))
        thread, number, site, size, address, threads = fields
        kind = StopKind(number)
        bytes = (threads + _WORD - 1) // _WORD * (_WORD // 8)
        ready, asleep = (_members(self._read(bytes)) for _ in range(2))
        text = self._read(size).decode(errors="replace") if kind in _WITH_TEXT else ""
        return StopEvent(
            thread,
            kind,
            self._places.sites[site],
            size,
            address,
            ready,
            asleep,
            self._object_at(address) if kind in ACCESSES else "",
            text,
        )

    def _object_at(self, address: int) -> str:
        return next((name for low, high, name in self._objects if low <= address < high), "")

    def answer(self, thread: int, value: int = 0, given: int = 0) -> None:
        """Lets a thread go on, with a value if it asks for one; `given` is 1 more than `errno` if
        the call that it asks for is not made, but returns the value. Raises Silent."""
        signed = (value + 2**63) % 2**64 - 2**63
        bytes = _ANSWER.pack(signed, thread, given)
        self.answered += bytes
        try:
            os.write(self._answers, bytes)
        except BrokenPipeError as error:
            raise Silent("it has ended") from error


def _own_limits() -> None:
    """The limit of our memory is none of the program: AddressSanitizer reserves more."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _members(set: bytes) -> frozenset[int]:
    bits = f"{int.from_bytes(set, 'little'):b}"
    return frozenset(number for number, bit in enumerate(reversed(bits)) if bit == "1")
