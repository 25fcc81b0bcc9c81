"""What calls of the thread library do, in the words of their users.

The models of the library keep sets of threads and numbers in their objects. What an execution reads
and writes there is told as what it means: who locks, who waits and who is woken, and the values of
semaphores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from abpress.errors import Position
from abpress.ir.types import PARTS, lock_of
from abpress.semantics.thread_sets import members
from abpress.semantics.tracing import TracedAction

MOST_IDS = 256
"""A set of threads has as many bits; ids from here on are marks."""

_INCONSISTENT = 16
"""What the kind of a mutex tells in this bit: it is robust, and its owner has ended with it."""

SPIN_LOCKS = "<spin.c>"
"""The model of locks that have no members: they are one number, as are those of `_ONCE`."""

_ONCE = "<once.c>"

SEMAPHORES = "<sem.c>"
"""The model of semaphores."""

NameOf = Callable[[int], str]
"""The name of the thread with an id."""


def is_kept(position: Position, cell: str) -> bool:
    """Whether a cell that is accessed there is what a model keeps, in ways of its own."""
    file = position.file
    if file in (SPIN_LOCKS, _ONCE) or cell.rpartition(":")[2].startswith("__abp"):
        return position.in_model
    return file in _TELLERS and cell.rpartition(".")[2] in PARTS


def object_kept(position: Position, cell: str) -> str:
    """The lock or the like of which a cell is a part that is accessed there; else the cell."""
    object, _, member = cell.rpartition(".")
    return object if position.file in _TELLERS and member in PARTS else cell


def synchronises(position: Position) -> bool:
    """Whether what is kept there orders threads: in the models of locks and the like."""
    return position.file in _TELLERS


@dataclass(frozen=True, slots=True)
class Signal:
    """The last signal on a condition variable: who sent it where, and whether nobody waited."""

    thread: str
    position: Position
    lost: bool


@dataclass(slots=True)
class _Wait:
    """A thread waits for a signal on `cond`. Mutable."""

    cond: str
    signalled: bool = False
    late: bool = False


@dataclass
class LibraryWords:
    """Tells one execution, action by action. Mutable: it knows what has happened."""

    name_of: NameOf
    _signals: dict[str, Signal] = field(default_factory=dict)
    _values: dict[str, str] = field(default_factory=dict)
    _waits: dict[int, _Wait] = field(default_factory=dict)
    _at_barrier: dict[int, str] = field(default_factory=dict)
    _used: dict[int, str] = field(default_factory=dict)  # the last lock or the like, by thread

    def told(self, thread: int, event: TracedAction) -> tuple[str, ...]:
        """What an action of a model does; nothing of what is no such action."""
        teller = _TELLERS.get(event.position.file)
        said = () if teller is None else tuple(teller(self, thread, event))
        self._values.update(event.reads)
        self._values.update(event.writes)
        for cell, _ in event.reads:
            object, _, member = cell.rpartition(".")
            if event.position.in_model and member in PARTS:
                self._used[thread] = object
        return said

    def stuck(self, thread: int, position: Position) -> str:
        """The lock that a thread waits for, for ever, as it holds it itself: where it waits for no
        cell, in the model of reader-writer locks. Empty elsewhere."""
        return self._used.get(thread, "") if position.file == "<rwlock.c>" else ""

    def awaited(self, thread: int, position: Position, cell: str, value: str) -> str:
        """What a thread waits for that waits there for another value of a cell."""
        object, _, member = cell.rpartition(".")
        number = _number(value)
        match position.file, member:
            case "<cond.c>", "waiting" | "__abp_woken":
                wait = self._waits.get(thread)
                return f"a signal on {wait.cond if wait else object}"
            case _, "owner" if 0 < number < MOST_IDS:
                return f"{object}, held by {self.name_of(number)}"
            case "<sem.c>", "count":
                return f"{object}, which is {number - 1}"
            case "<rwlock.c>", "writer":
                return f"{object}, held for writing by {self.name_of(number)}"
            case "<rwlock.c>", "readers":
                return f"{object}, held for reading by {self._names(members(number))}"
            case "<barrier.c>", "waiting":
                arrived, total = (self._values.get(f"{object}.{m}") for m in ("arrived", "total"))
                return f"{object}, where {arrived} of {total} have arrived"
            case "<spin.c>", _ if 0 < number < MOST_IDS:
                return f"{cell}, held by {self.name_of(number)}"
            case "<once.c>", _:
                return f"the end of the routine of {cell}"
        return f"{cell}, which is {value}"

    def object_of(self, thread: int, position: Position, cell: str) -> str:
        """The lock or the like, or the variable, that a thread waits for at a cell."""
        object, _, member = cell.rpartition(".")
        if position.file == "<cond.c>" and thread in self._waits:
            return self._waits[thread].cond
        return object if position.in_model and member in PARTS else cell

    def lost_signal(self, thread: int) -> tuple[str, Signal] | None:
        """The condition variable of which the thread awaits a signal, and the last one if that came
        when nobody waited."""
        wait = self._waits.get(thread)
        if wait is None or not (signal := self._signals.get(wait.cond)) or not signal.lost:
            return None
        return wait.cond, signal

    def _names(self, threads: Iterator[int]) -> str:
        return ", ".join(map(self.name_of, threads))

    def _changes(self, event: TracedAction, member: str) -> Iterator[tuple[str, int, int]]:
        """The objects of which the action writes a member: its values before and after."""
        for cell, value in event.writes:
            object, _, its = cell.rpartition(".")
            if its == member:
                yield object, _number(self._values.get(cell, "0")), _number(value)

    # -- by model -------------------------------------------------------------------------------

    def mutex(self, thread: int, event: TracedAction) -> Iterator[str]:
        """Locks that one thread has, perhaps several times."""
        for mutex, before, owner in self._changes(event, "owner"):
            if owner == thread:
                dead = _number(self._values.get(f"{mutex}.kind", "0")) & _INCONSISTENT
                yield f"locks {mutex}" + (", whose owner has ended" if dead else "")
            elif owner == 0 and before == thread:
                ends = event.position.function == "__abp_thread_exit_robust"
                yield f"ends with {mutex} locked" if ends else f"unlocks {mutex}"
            elif owner >= MOST_IDS:
                yield f"destroys {mutex}"
        for mutex, before, count in self._changes(event, "count"):
            if before != count:
                yield f"locks {mutex} again" if count > before else f"unlocks {mutex} once of more"
        for mutex, before, kind in self._changes(event, "kind"):
            if before & ~kind & _INCONSISTENT:
                yield f"makes {mutex} consistent"
            elif kind > before and event.position.function == "__abp_release":
                yield f"{mutex} is not recoverable from now on"
        if "try" in event.position.function or "timed" in event.position.function:
            for cell, value in event.reads:
                if cell.endswith(".owner") and 0 < _number(value) < MOST_IDS:
                    yield f"{lock_of(cell)} is held by {self.name_of(_number(value))}"

    def condition(self, thread: int, event: TracedAction) -> Iterator[str]:
        """Condition variables, and the mutexes that are unlocked meanwhile."""
        function = event.position.function
        conds = [lock_of(cell) for cell, _ in event.reads if cell.endswith(".waiting")]
        if function == "__abp_cond_enter":
            if conds and thread not in self._waits:
                self._waits[thread] = _Wait(conds[0])
                yield f"waits for a signal on {conds[0]}"
            yield from self.mutex(thread, event)
        elif function == "__abp_cond_relock":
            for said in self.mutex(thread, event):
                yield from self._woken(thread)
                yield said
        elif function.startswith("pthread_cond_timedwait"):
            if event.choices and thread in self._waits:
                self._waits[thread].late = event.choices[-1][1] != 0
        elif function == "__abp_cond_wake":
            yield from self._wakes(event)
        elif function in ("pthread_cond_signal", "pthread_cond_broadcast"):
            if conds:
                yield from self._sends(thread, event, conds[0])
        elif function == "pthread_cond_destroy" and event.writes:
            yield f"destroys {lock_of(event.writes[0][0])}"

    def _sends(self, thread: int, event: TracedAction, cond: str) -> Iterator[str]:
        waits = [wait for wait in self._waits.values() if wait.cond == cond]
        for wait in waits:
            wait.signalled = True
        self._signals[cond] = Signal(self.name_of(thread), event.position.origin, not waits)
        yield f"signals {cond}" if waits else f"signals {cond}: nobody waits"

    def _wakes(self, event: TracedAction) -> Iterator[str]:
        """Who is woken is recorded, so all others are not."""
        for cond, before, waiting in self._changes(event, "waiting"):
            for waiter, wait in self._waits.items():
                if wait.cond == cond and waiting >> waiter & 1:
                    wait.signalled = False
            if before & ~waiting:
                yield f"wakes {self._names(members(before & ~waiting))}"

    def _woken(self, thread: int) -> Iterator[str]:
        wait = self._waits.pop(thread, None)
        if wait is not None and wait.late:
            yield "wakes up as its time is over"
        elif wait is not None:
            yield "wakes up" if wait.signalled else "wakes up without a signal (spurious wake-up)"

    def semaphore(self, thread: int, event: TracedAction) -> Iterator[str]:
        """Numbers; the model keeps one more, as zero is no semaphore."""
        for semaphore, before, count in self._changes(event, "count"):
            if event.position.function == "sem_init":
                yield f"{semaphore} = {count - 1}"
            elif count == 0:
                yield f"destroys {semaphore}"
            else:
                yield f"{semaphore}: {before - 1} → {count - 1}"
        if event.position.function in ("__abp_sem_try", "sem_getvalue"):
            for cell, value in event.reads:
                if cell.endswith(".count"):
                    yield f"{cell.removesuffix('.count')} is {_number(value) - 1}"

    def reader_writer_lock(self, thread: int, event: TracedAction) -> Iterator[str]:
        """Locks that one thread has for writing or several for reading."""
        me = 1 << thread
        for lock, before, readers in self._changes(event, "readers"):
            others = self._names(members(readers & ~me))
            if readers & ~before:
                yield f"locks {lock} for reading" + (f", beside {others}" if others else "")
            elif before & ~readers & me:
                yield f"unlocks {lock}" + (f", which {others} still reads" if others else "")
        for lock, before, again in self._changes(event, "again"):
            if before != again:
                how = "locks {} for reading again" if again & me else "unlocks {} once of two"
                yield how.format(lock)
        for lock, before, writer in self._changes(event, "writer"):
            if writer == thread:
                yield f"locks {lock} for writing"
            elif writer == 0 and before == thread:
                yield f"unlocks {lock}"
            elif writer >= MOST_IDS:
                yield f"destroys {lock}"

    def barrier(self, thread: int, event: TracedAction) -> Iterator[str]:
        """Threads that wait until enough have come."""
        waits = event.position.function == "pthread_barrier_wait"
        for _, chosen in event.choices:
            yield f"{self._names(members(chosen))} is told to be the serial one"
        for barrier, _, arrived in self._changes(event, "arrived"):
            if waits and arrived:
                self._at_barrier[thread] = barrier
                total = self._values.get(f"{barrier}.total", "?")
                yield f"arrives at {barrier} ({arrived} of {total})"
            elif waits:
                yield f"arrives at {barrier} as the last one: all go on"
        for barrier, _, waiting in self._changes(event, "waiting"):
            if waiting >> thread & 1:
                self._at_barrier[thread] = barrier
        for cell, value in event.reads:
            mine = self._at_barrier.get(thread) == cell.removesuffix(".waiting") != cell
            if mine and not _number(value) >> thread & 1:
                yield f"goes on from {self._at_barrier.pop(thread)}"

    def spin_lock(self, thread: int, event: TracedAction) -> Iterator[str]:
        """A lock that is the id of the thread that has it."""
        for lock, value in event.writes:
            owner = _number(value)
            if owner == thread:
                yield f"locks {lock}"
            elif owner >= MOST_IDS:
                yield f"destroys {lock}"
            elif owner == 0 and _number(self._values.get(lock, "0")) == thread:
                yield f"unlocks {lock}"

    def once(self, thread: int, event: TracedAction) -> Iterator[str]:
        """A routine that is run once: 0 before, 2 afterwards."""
        for control, value in event.writes:
            running = _number(value) != 2
            yield f"begins the routine of {control}" if running else f"{control} is done"
        if event.reads and event.reads[-1][1] == "2" and not event.writes:
            yield f"{event.reads[-1][0]} is done"


Teller = Callable[[LibraryWords, int, TracedAction], Iterator[str]]

_TELLERS: Mapping[str, Teller] = {
    "<mutex.c>": LibraryWords.mutex,
    "<cond.c>": LibraryWords.condition,
    SEMAPHORES: LibraryWords.semaphore,
    "<rwlock.c>": LibraryWords.reader_writer_lock,
    "<barrier.c>": LibraryWords.barrier,
    SPIN_LOCKS: LibraryWords.spin_lock,
    _ONCE: LibraryWords.once,
}
"""Model -> what tells of its actions."""


def _number(value: str) -> int:
    return int(value) if value.isdecimal() else 0
