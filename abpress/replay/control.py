"""Leads a compiled program along a plan: who goes on, at each of its stops."""

from __future__ import annotations

import os.path
import re
from collections import Counter
from collections.abc import Sequence, Set

from abpress.ir.program import NO_MISUSE
from abpress.replay.accesses import DOES, as_access, cell_of, conflict, object_of
from abpress.replay.building import Executable
from abpress.replay.led import Led, Matching
from abpress.replay.machine import (
    ACCESSES,
    LAST,
    Machine,
    Silent,
    StopEvent,
    StopKind,
    ThreadSwitch,
)
from abpress.replay.plan import (
    FREE,
    IN_TWO_PARTS,
    JOINS,
    SPURIOUS,
    CallKey,
    Does,
    GivenResult,
    PlanItem,
    TracePlan,
)
from abpress.witness.trace import BlockedThread

_ON_HEAP = "@"
"""In the names of cells of the heap."""

_CHOSEN = re.compile(r"wakes (?P<woken>.*)|(?P<serial>\S+) is told to be the serial one")
"""What the model says of a call that chooses a thread."""

MOST_BEYOND = 20_000
"""Events behind the end of the trace that are waited for."""


def _may_wait(item: PlanItem, line: int) -> bool:
    """Whether an item may be done after another one of a line, though it is before it in the plan:
    expressions are read in an order that the compiler has chosen."""
    return item.does is Does.READS and item.position.line == line


class Stopped(Exception):
    """The program has said its last."""


class Leader:
    """Leads one run. Mutable."""

    def __init__(
        self, plan: TracePlan, machine: Machine, its: Executable, matching: Matching
    ) -> None:
        self._plan, self._machine = plan, machine
        self._objects = its.objects
        self._constants = its.places.constants
        self._items = {  # in our order
            name: [item for item in items if self._may_stop(item, its.controlled)]
            for name, items in plan.items.items()
        }
        self._matching = matching
        self._segment = 0
        self._at: Counter[str] = Counter()  # items that are done, by thread
        self._children: Counter[int] = Counter()
        self._sites: dict[int, object] = {}  # where each thread has stopped before
        self._atomic = 0
        self._runs = 0
        self.led = Led()

    def _may_stop(self, item: PlanItem, controlled: Set[str]) -> bool:
        """Whether the program may stop where it does this."""
        if item.does is Does.CALLS:
            return item.what in controlled
        return self._object_of(item.what) not in self._constants

    def lead(self) -> Led:
        """Leads the program to its end, or to where the trace says that it stands for ever."""
        try:
            self._stop()
            while (thread := self._planned()) is not None:
                self._go(thread)
            self._beyond()
        except Stopped:
            pass
        except Silent as why:
            self.led.silent = str(why)
        return self.led

    # -- one stop -------------------------------------------------------------------------------

    def _go(self, thread: int) -> None:
        """Lets a thread go on, to its next stop."""
        if thread != self._runs:
            begins = self._plan.begins[self._segment :]
            left, enters = (self.led.pending[t].site for t in (self._runs, thread))
            names = self._name(self._runs), self._name(thread)
            step = begins[0] + 1 if begins else None
            self.led.switches.append(ThreadSwitch(names[0], left, names[1], enters, step))
        self._runs = thread
        self._machine.answer(thread)
        self._stop()

    def _stop(self) -> None:
        """The next stop of the running thread; questions that leave no choice are answered."""
        while True:
            event = self._machine.event()
            thread, kind = event.thread, event.kind
            if kind in ACCESSES:
                self.led.accesses.setdefault(self._name(thread), []).append(event)
            elif kind is not StopKind.GIVEN:
                self.led.stops.add((event.site.callee, event.site.line))
            if kind in LAST:
                self.led.last = event
                raise Stopped
            if kind is StopKind.CREATED:
                self._children[thread] += 1
                self.led.names[event.address] = f"{self._name(thread)}.{self._children[thread]}"
                self.led.pending[event.address] = event
                self._machine.answer(thread)
            elif kind is StopKind.INPUT:
                self._machine.answer(thread, self._input(event), self._plan.unwritten)
            elif kind is StopKind.GIVEN:
                self._machine.answer(thread, *self._result(event))
            elif kind in (StopKind.CHOICE, StopKind.CHOICE_OF):
                self._machine.answer(thread, self._chosen(event))
            elif kind is StopKind.IS_UNDEFINED:
                self._machine.answer(thread, self._plan.trace.property == NO_MISUSE)
            elif kind is StopKind.IS_TOLD:
                blocked = {its.thread for its in self._plan.trace.blocked}
                self._machine.answer(thread, self._name(thread) not in blocked)
            elif kind in (StopKind.ATOMIC_BEGIN, StopKind.ATOMIC_END) and self._atomic:
                self._atomic += 1 if kind is StopKind.ATOMIC_BEGIN else -1
                self._machine.answer(thread)
            else:
                if kind is StopKind.DONE:
                    self.led.finished.add(thread)
                self.led.pending[thread] = event
                self._ready, self._asleep = event.ready, event.asleep
                return

    def _name(self, thread: int) -> str:
        return self.led.names.get(thread, "?")

    def _input(self, event: StopEvent) -> int:
        # What is chosen and not used is not in the trace: other lines may not have its values.
        return self._next_input((self._name(event.thread), event.site.callee, event.site.line))

    def _next_input(self, key: CallKey) -> int:
        values = self._plan.inputs.get(key, ())
        number = self.led.asked[key]
        self.led.asked[key] += 1
        return values[number] if number < len(values) else 0

    def _result(self, event: StopEvent) -> tuple[int, int]:
        """What a call returns, and 1 more than `errno`; twice 0 if it is made."""
        key = (self._name(event.thread), event.site.callee, event.site.line)
        results = self._plan.results.get(key, ())
        number = self.led.asked[key]
        self.led.asked[key] += 1
        given = results[number] if number < len(results) else GivenResult(None)
        return (0, 0) if given.result is None else (given.result, given.errno + 1)

    def _chosen(self, event: StopEvent) -> int:
        """As the model has chosen in the call that the thread is in."""
        name = self._name(event.thread)
        done = self._items.get(name, [])[: self._at[name]]
        said = done[-1].said if done and done[-1].does is Does.CALLS else ()
        if event.kind is StopKind.CHOICE and "exchange" in event.site.callee:
            return self._next_input((name, SPURIOUS, event.site.line))
        if event.kind is StopKind.CHOICE:
            return int(any("time is over" in text for text in said))
        for names in filter(None, map(_CHOSEN.match, said)):
            for other in re.findall(r"[\w.]+", names["woken"] or names["serial"]):
                number = self.led.number(other)
                if number is not None:
                    return number
        return 0

    # -- along the plan -------------------------------------------------------------------------

    def _planned(self) -> int | None:
        """The thread that the plan lets go on; None behind its end."""
        if self._atomic:
            return self._atomically()
        segments = self._plan.segments
        while self._segment < len(segments):
            name = segments[self._segment]
            thread = self.led.number(name)
            if thread is None:
                self._depart(f"{name} was not created")
            elif thread not in self.led.finished and self._goes_on(thread, name):
                return thread
            self._segment += 1
        return None

    def _atomically(self) -> int:
        """The thread whose step is not interrupted; what it does is done."""
        thread = self._runs
        name = self._name(thread)
        event, items = self.led.pending[thread], self._items.get(name, [])
        found = self._find(event, items, self._at[name])
        if found is not None:
            self._does(event, items, found)
        if thread not in self._ready:
            self._depart(f"{name} waits in an atomic section at {event.site}")
            raise Stopped
        return thread

    def _goes_on(self, thread: int, name: str) -> bool:
        """Whether a thread goes on in the current segment; then what it does is done."""
        event = self.led.pending[thread]
        items = self._items.get(name, [])
        begin = self._at[name]
        found = None if self._continues(event) else self._find(event, items, begin)
        item = None if found is None else items[found]
        if item is not None and item.segment > self._segment:
            return False
        if found is not None and self._races_next(event, name, items[found:]):
            return False
        more = any(its.segment <= self._segment for its in items[begin:])
        frees = event.site.callee == FREE and begin < len(items)
        begins_now = event.kind in (StopKind.CREATED, StopKind.BEGUN)
        by_the_way = self._continues(event) or frees or begins_now
        if item is None and not more and not by_the_way:
            return False
        if event.site.callee in JOINS:
            self._let_end(thread)
        if thread not in self._ready and not self._wakes(thread, item, items[:begin]):
            if more:
                self._depart(f"{name} has to wait at {event.site}")
            return False
        if found is not None:
            self._does(event, items, found)
        self._sites[thread] = event.site
        if event.kind is StopKind.ATOMIC_BEGIN:
            self._atomic = 1
        return True

    def _let_end(self, thread: int) -> None:
        """Lets threads go on that have only to end, as the trace tells: one of them is joined."""
        for _ in range(MOST_BEYOND):
            able = [n for n in sorted(self._ready) if self._has_to_end(self._name(n))]
            if thread in self._ready or not able:
                return
            self._go(able[0])

    def _has_to_end(self, name: str) -> bool:
        return name in self._plan.ended and self._at[name] == len(self._items.get(name, []))

    def _races_next(self, event: StopEvent, name: str, left: Sequence[PlanItem]) -> bool:
        """Whether the access is the one that races, and before it as the model takes it, member by
        member: what is left of the plan is of the same line and object."""
        its = next((its for its in self._plan.trace.ready if its.thread == name), None)
        if its is None or event.kind not in ACCESSES or not self._is_told(event, its):
            return False
        object = self._object_of(cell_of(its))
        line = its.position.origin.line
        return object != "" and all(
            item.position.line == line
            and item.does.value == _said(its).partition(" ")[0]
            and self._object_of(item.what) == object
            for item in left
        )

    def _is_told(self, event: StopEvent, its: BlockedThread) -> bool:
        """Whether a thread is before an access like the one that races, as the trace tells it."""
        does = DOES.get(event.kind)
        object = self._object_of(cell_of(its))
        return (
            event.kind in ACCESSES
            and event.site.line == its.position.origin.line
            and (does is None or _said(its).startswith(does.value))
            and object in ("", event.object)
        )

    def _continues(self, event: StopEvent) -> bool:
        """Whether the thread is in a call that it has begun, and in its last part."""
        name = self._name(event.thread)
        if event.kind is not StopKind.WAITS or event.site.callee not in IN_TWO_PARTS:
            return False
        if self._sites.get(event.thread) is not event.site:
            return False
        items, at = self._items.get(name, []), self._at[name]
        here = items[at - 1 : at + 1]
        second = (
            len(here) == 2 and here[0].position == here[1].position and here[0].what == here[1].what
        )
        return not second

    def _wakes(self, thread: int, item: PlanItem | None, before: Sequence[PlanItem]) -> bool:
        """Whether a thread wakes up without a signal, which the library may do."""
        if thread not in self._asleep:
            return False
        call = item or (before[-1] if before else None)
        if call is None or not any("spurious" in text or "time" in text for text in call.said):
            return False
        self.led.spurious.append(self._name(thread))
        return True

    def _find(self, event: StopEvent, items: Sequence[PlanItem], begin: int) -> int | None:
        """The item that the thread is about to do, among those that are not done. An access of
        what has no name is one of the heap rather than of the stack, where most are not shown.
        Reads of one line in one segment are in the order of the compiler."""
        on_stack = None
        for number in range(begin, len(items)):
            item = items[number]
            if self._is(event, item):
                if event.object or item.does is Does.CALLS or _ON_HEAP in item.what:
                    return self._last_member(items, number) if self._matching.late else number
                on_stack = number if on_stack is None else on_stack
            passes = item.segment <= self._segment and _may_wait(item, event.site.line)
            if not (self._matching.lenient or passes) and self._is_shown(item):
                break
        return on_stack

    def _last_member(self, items: Sequence[PlanItem], number: int) -> int:
        """The last of the accesses that the model takes member by member for the first of them."""
        first = items[number]
        while number + 1 < len(items) and self._is_member(items[number + 1], first):
            number += 1
        return number

    def _is_member(self, item: PlanItem, other: PlanItem) -> bool:
        """Whether two reads are of one variable at one place."""
        if item.does is not Does.READS or other.does is not Does.READS:
            return False
        object = self._object_of(item.what)
        same = item.position == other.position and item.what != other.what
        return object != "" and same and self._object_of(other.what) == object

    def _is_shown(self, item: PlanItem) -> bool:
        """Whether the program stops there for certain."""
        return item.does is Does.CALLS or self._object_of(item.what) != ""

    def _is(self, event: StopEvent, item: PlanItem) -> bool:
        site, place = event.site, item.position
        if os.path.basename(site.file) != os.path.basename(place.file):
            return False
        if self._matching.lines and site.line != place.line:
            return False
        if event.kind in (StopKind.STEP, StopKind.WAITS):
            return item.does is Does.CALLS and item.what == site.callee
        if event.kind not in ACCESSES or item.does is Does.CALLS:
            return False
        does = DOES[event.kind]
        if does is not None and does is not item.does:
            return False
        object = self._object_of(item.what)
        if not object and not self._matching.lines:
            return False
        return object == event.object

    def _object_of(self, cell: str) -> str:
        return object_of(cell, self._objects)

    def _does(self, event: StopEvent, items: list[PlanItem], found: int) -> None:
        """Notes that an item is done; those of its expression before it are still to be done."""
        name = self._name(event.thread)
        begin, item = self._at[name], items[found]
        if not self._matching.lenient:
            sooner: list[PlanItem] = []
            later: list[PlanItem] = []
            for its in items[begin:found]:
                waits = its.segment == item.segment and _may_wait(its, item.position.line)
                waits = waits and not (self._matching.late and self._is_member(its, item))
                (later if waits and self._is_shown(its) else sooner).append(its)
            items[begin : found + 1] = [*sooner, item, *later]
            found = begin + len(sooner)
        self._at[name] = self._behind(event, items, found)

    def _behind(self, event: StopEvent, items: Sequence[PlanItem], found: int) -> int:
        """The number of the first item that is not done by this; an update does several."""
        item, at = items[found], found + 1
        if event.kind is not StopKind.UPDATE or item.does is Does.WRITES:
            return at
        while at < len(items):
            other = items[at]
            if (other.what, other.segment) != (item.what, item.segment):
                break
            if other.position.line != item.position.line:
                break
            at += 1
            if other.does is Does.WRITES:
                break
        return at

    def _depart(self, how: str) -> None:
        self.led.departures.append(how)

    # -- behind its end -------------------------------------------------------------------------

    def _beyond(self) -> None:
        trace = self._plan.trace
        if trace.ready:
            self._race()
            return
        last = self._plan.segments[-1] if self._plan.segments else "main"
        preferred = None if trace.blocked else self.led.number(last)
        for _ in range(MOST_BEYOND):
            if self._atomic:
                self._go(self._runs)
                continue
            able = sorted(self._ready - self.led.finished)
            if not able:
                return
            if trace.blocked:
                told = [self.led.number(its.thread) for its in trace.blocked]
                able = [t for t in able if t in told] or able
            self._go(preferred if preferred in able else able[0])

    def _race(self) -> None:
        """Brings both threads to their accesses."""
        told = self._plan.trace.ready
        both = [number for its in told if (number := self.led.number(its.thread)) is not None]
        if len(both) < len(told):
            return
        # Who writes waits; expressions read in an order that the compiler has chosen.
        waits = next((n for n, its in enumerate(told) if _said(its).startswith("writes")), 0)
        order = [n for n in range(len(told)) if n != waits] + [waits]
        if self._matching.lenient:
            order.reverse()
        for _ in range(MOST_BEYOND):
            events = [as_access(self.led.pending[t]) for t in both]
            if conflict(events[0], events[1]):
                self.led.met = (events[0], events[1])
                places = zip(events, told, strict=True)
                if all(e.site.line == its.position.origin.line for e, its in places):
                    self.led.raced = self.led.met
                    return
            able = [n for n in order if both[n] in self._ready]
            away = [n for n in able if not self._is_told(events[n], told[n])]
            if not able:
                return
            self._go(both[(away or able)[0]])


def _said(its: BlockedThread) -> str:
    """What a thread is about to do: who frees an object writes it."""
    return its.text.replace("frees ", "writes ", 1) if its.text.startswith("frees ") else its.text
