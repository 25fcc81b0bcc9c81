"""Replays a trace on the compiled program, and says what was seen."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.config import ProgramOptions
from abpress.core.build import find_compilers
from abpress.errors import InputError
from abpress.ir.program import NO_MISUSE, NO_OVERFLOW, UNREACH_CALL, VALID_DEREF, VALID_FREE
from abpress.properties.partial_deadlock import NoPartialDeadlock
from abpress.replay.assembly import REACHED
from abpress.replay.building import Executable, Instruments, build
from abpress.replay.control import Leader
from abpress.replay.led import MATCHINGS, Led, Matching
from abpress.replay.machine import Machine, StopEvent, StopKind, ThreadSwitch
from abpress.replay.plan import FREE, TracePlan
from abpress.replay.reasons import reasons
from abpress.semantics.outcome import LEFTOVER, LOSS
from abpress.witness.results import library_call
from abpress.witness.trace import Trace

MOST_SECONDS = 20.0
"""Of one run."""

MOST_SECONDS_OF_ALL = 45.0
"""After that no other way to lead the program is tried."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of a trace: whether the violation was seen, and what was; how the run has left
    the trace; who woke up without a signal; all answers that the program was given; the switches of
    threads; the compiler, if the first one has made a program that does not show it; and why the
    violation was not seen, as far as that is known."""

    reproduced: bool
    what: str
    departures: tuple[str, ...]
    spurious: tuple[str, ...]
    answers: bytes
    switches: tuple[ThreadSwitch, ...]
    compiler: str = ""
    reasons: tuple[str, ...] = ()

    @property
    def notes(self) -> Iterator[str]:
        """What else is to be said of the run, a sentence each."""
        if self.compiler:
            yield f"the program as {self.compiler} compiles it; other compilers do not show it"
        for name in self.spurious:
            yield f"{name} wakes up without a signal, which POSIX allows"
        for how in self.departures:
            yield f"the run leaves the trace: {how}"


def replayed(plan: TracePlan, program: ProgramOptions, folder: Path) -> tuple[Replayed, Executable]:
    """Compiles the program and replays the trace: the first of the ways to do it, and of the
    compilers, that shows the violation, else the first of all. Raises InputError and
    UnsupportedError."""
    compilers = find_compilers()
    if not compilers:
        raise InputError("a C compiler is needed: install gcc, or name one in CC")
    first: tuple[Replayed, Executable] | InputError | None = None
    began = time.monotonic()
    for compiler in compilers:
        inside = folder / Path(compiler).name
        inside.mkdir(exist_ok=True)
        try:
            for found, its in _replays(plan, program, inside, compiler):
                if found.reproduced:
                    others = not isinstance(first, InputError) and compiler != compilers[0]
                    found = replace(found, compiler=compiler) if others else found
                    return found, _moved(its, folder)
                if first is None or isinstance(first, InputError):
                    first = found, its
                if time.monotonic() - began > MOST_SECONDS_OF_ALL:
                    return first[0], _moved(first[1], folder)
        except InputError as error:  # another compiler may have what is missing
            first = first or error
    if isinstance(first, InputError):
        raise first
    assert first is not None
    return first[0], _moved(first[1], folder)


def _moved(its: Executable, folder: Path) -> Executable:
    """The executable in the folder itself, beside those of other compilers."""
    return replace(its, path=its.path.replace(folder / its.path.name))


def _replays(
    plan: TracePlan, program: ProgramOptions, folder: Path, compiler: str
) -> Iterator[tuple[Replayed, Executable]]:
    """The ways to replay a trace with one compiler; a thread that is alone goes on anyway."""
    matchings = MATCHINGS if len(plan.trace.threads) > 1 else MATCHINGS[:1]
    for instruments in _INSTRUMENTS.get(plan.trace.property, (Instruments.THREADS,)):
        its = build(program, folder, instruments, compiler, plan.given)
        for matching in matchings:
            yield replay(plan, its, arguments_of(plan, program), matching), its


def first_seen(
    plans: Iterable[TracePlan], program: ProgramOptions, folder: Path
) -> tuple[TracePlan, Replayed, Executable]:
    """The first of the traces that is reproduced, else the last one; of at least one. Raises as
    `replayed`."""
    for plan in plans:
        found, its = replayed(plan, program, folder)
        if found.reproduced:
            break
    return plan, found, its


def arguments_of(plan: TracePlan, program: ProgramOptions) -> tuple[str, ...]:
    """What the program is called with, without its name: what was asked for, else what the trace
    has chosen."""
    if program.arguments is not None:
        return program.arguments
    return tuple(map(os.fsdecode, plan.arguments or ()))


def replay(
    plan: TracePlan, its: Executable, arguments: Sequence[str], matching: Matching
) -> Replayed:
    """One run along the trace."""
    with Machine(its, arguments, MOST_SECONDS) as machine:
        led = Leader(plan, machine, its, matching).lead()
        seen, what = judged(plan, led)
        return Replayed(
            seen,
            what,
            tuple(dict.fromkeys(led.departures)),
            tuple(led.spurious),
            bytes(machine.answered),
            tuple(led.switches),
            reasons=() if seen else reasons(plan, led, its.objects),
        )


def judged(plan: TracePlan, led: Led) -> tuple[bool, str]:
    """Whether a run shows the violation of the trace, and what it shows."""
    trace = plan.trace
    if trace.ready:
        return _raced(led)
    if trace.blocked:
        return _hang(trace, led)
    if led.last is None:
        return False, f"no violation: {led.silent or _standing(led)}"
    what = _told(led.last, led)
    return _EXPECTED[trace.property](plan, led.last), what


def _told(event: StopEvent, led: Led) -> str:
    name = led.names.get(event.thread, "?")
    match event.kind:
        case StopKind.FAILED if event.site.callee == "__assert_fail":
            return f"{name} at {event.site}: assertion {event.text} fails"
        case StopKind.FAILED if event.site.callee.startswith("__ubsan_handle"):
            return f"{name} at {event.site}: {event.text}"
        case StopKind.FAILED:
            return f"{name} at {event.site}: {event.text} is called"
        case StopKind.MISUSED:
            return f"{name} at {event.site}: {event.text}"
        case StopKind.UNABLE:
            return f"the replay gives up: {event.text}"
        case StopKind.CRASHED:
            return f"{name} behind {event.site}: {signal.Signals(event.size).name}"
        case StopKind.REPORTED:
            return f"{name} at {event.site}: AddressSanitizer says {event.text}"
        case StopKind.LEAKED if event.size:
            return "at the end there is memory that nothing points to"
        case StopKind.LEAKED:
            return "at the end there is memory that was not freed"
        case StopKind.UNASSUMED:
            return f"{name} at {event.site}: an assumption does not hold"
    return "the program has ended without a violation"


def _failed(plan: TracePlan, event: StopEvent) -> bool:
    """Whether what fails is what fails in the trace."""
    if event.kind is not StopKind.FAILED or not plan.trace.steps:
        return False
    if event.text in REACHED and event.site.callee != event.text:  # called through a pointer
        return plan.trace.message == f"{event.text} is called"
    return _is_there(plan, event)


def _is_there(plan: TracePlan, event: StopEvent) -> bool:
    """Whether an event is at the line of the trace's last step, or at a call that leads there."""
    place = plan.trace.steps[-1].position
    return event.site.line in {its.line for its in (place, *place.stack) if not its.in_model}


def _misused(plan: TracePlan, event: StopEvent) -> bool:
    if event.kind is not StopKind.MISUSED or not _is_there(plan, event):
        return False
    call = library_call(plan.trace.steps[-1].position)
    return call is None or call[1] == event.site.callee


def _accessed(plan: TracePlan, event: StopEvent) -> bool:
    if not _is_there(plan, event):
        return False
    if event.kind is StopKind.REPORTED:
        return not _FREED.search(event.text)
    return event.kind is StopKind.CRASHED and event.size in (signal.SIGSEGV, signal.SIGBUS)


def _freed(plan: TracePlan, event: StopEvent) -> bool:
    if not _is_there(plan, event):
        return False
    if event.kind is StopKind.CRASHED:
        return event.site.callee in (FREE, "realloc")
    return event.kind is StopKind.REPORTED and _FREED.search(event.text) is not None


def _lost(plan: TracePlan, event: StopEvent) -> bool:
    return event.kind is StopKind.LEAKED and event.size != 0


def _kept(plan: TracePlan, event: StopEvent) -> bool:
    return event.kind is StopKind.LEAKED


def _overflown(plan: TracePlan, event: StopEvent) -> bool:
    ours = event.kind is StopKind.FAILED and event.site.callee.startswith("__ubsan_handle")
    return ours and _is_there(plan, event)


_FREED = re.compile("double-free|bad-free|alloc-dealloc-mismatch|not malloc|invalid-pointer")
_MEMORY = (Instruments.HEAP, Instruments.STACK)
_INSTRUMENTS = {
    VALID_DEREF: _MEMORY,
    VALID_FREE: _MEMORY,
    LOSS: _MEMORY,
    LEFTOVER: _MEMORY,
    NO_OVERFLOW: (Instruments.ARITHMETIC,),
}
"""Property -> how the program is compiled to see it, where that is not for its threads alone."""

_EXPECTED: Mapping[str, Callable[[TracePlan, StopEvent], bool]] = {
    UNREACH_CALL: _failed,
    NO_MISUSE: _misused,
    VALID_DEREF: _accessed,
    VALID_FREE: _freed,
    LOSS: _lost,
    LEFTOVER: _kept,
    NO_OVERFLOW: _overflown,
}
"""Property -> whether the last event of a run violates it as the trace does."""


def _raced(led: Led) -> tuple[bool, str]:
    if led.met is None:
        return False, "the two accesses do not meet"
    both = " and ".join(
        f"{led.names[its.thread]} at {its.site} ({its.kind.name.lower().replace('_', ' ')})"
        for its in led.raced or led.met
    )
    seen = f"{both} stand before accesses of the same {led.met[0].object or 'memory'}"
    return led.raced is not None, seen if led.raced else f"not at the lines of the trace: {seen}"


def _hang(trace: Trace, led: Led) -> tuple[bool, str]:
    goes_on = trace.property == NoPartialDeadlock.name and led.last is not None
    if led.last is not None and not (
        goes_on and led.last.kind in (StopKind.ENDED, StopKind.LEAKED)
    ):
        return False, _told(led.last, led)
    ready = led.last.ready if led.last is not None else frozenset()
    for its in trace.blocked:
        number = led.number(its.thread)
        if number is None or number in led.finished:
            return False, f"{its.thread} does not wait"
        event = led.pending[number]
        if number in ready:
            return False, f"{its.thread} could go on at {event.site}"
        if event.site.line != its.position.origin.line:
            return False, f"{its.thread} stands at {event.site}, not at {its.position.origin}"
        if event.kind is not StopKind.WAITS:
            return False, f"{its.thread} does not wait at {event.site}"
    return True, f"they wait for ever: {_standing(led)}"


def _standing(led: Led) -> str:
    return ", ".join(
        f"{name} at {led.pending[number].site}"
        for number, name in led.names.items()
        if number not in led.finished and number in led.pending
    )
