"""The native core as a Python object; `native/core.h` says what it does."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

from abpress.core.build import NotBuilt, library
from abpress.core.code import OPERATIONS
from abpress.core.told import QUESTIONS, CoreCounts, CoreEvent, CoreNode, CoreSplit, CoreTally, Ran

MOST_CHOICES = 200
NO_LIMIT = (1 << 64) - 1
NUMBER = 4
"""Bytes of a number in lists that are told and given."""


class Algorithm(IntEnum):
    """The searches of the core; the numbers are those of `enum algorithm`."""

    STATES = 0  # with stored states: all threads
    S_POR = 1
    HEAP_REACH = 2
    HEAP_REACH_FIELDS = 3
    DE_S_POR = 4
    DE_POR = 5
    DL_S_POR = 6
    DL_POR = 7
    DL_SUMMARIES = 8
    DL_HB = 9
    STATEFUL_DPOR = 10
    O_DPOR = 11
    HYBRID = 12
    INTERLEAVINGS = 13  # and without
    SLEEP = 14
    PERSISTENT = 15
    SOURCE = 16
    CONTEXTS = 17
    OPTIMAL = 18
    OPTIMAL_CONTEXTS = 19
    OBSERVERS = 20
    OBSERVED_CONTEXTS = 21
    RANDOM = 22  # executions are drawn


_COUNTS = len(fields(CoreCounts))

_Listener = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)
_Words = ctypes.POINTER(ctypes.c_int64)


class Taken(IntEnum):
    """What a search without work gets from others."""

    NOTHING_YET = 0
    TAKEN = 1
    ALL_IS_DONE = 2


class CommonStates:
    """What several searches have in common, each in a thread of its own; closed after them. Raises
    NotBuilt."""

    def __init__(self, searches: int, path: Path | None = None) -> None:
        self._library = load(path)
        self.its: Any = self._library.common_new(searches)
        if not self.its:
            raise MemoryError

    def stop(self) -> None:
        """All searches end as soon as they can."""
        self._library.common_stop(self.its)

    def close(self) -> None:
        """Frees the states."""
        its, self.its = self.its, None
        self._library.common_free(its)


class MalformedCode(Exception):
    """What was given to the core is no program."""


@cache
def load(path: Path | None = None) -> ctypes.CDLL:
    """The library: at a path, or built for this machine. Raises NotBuilt."""
    try:
        its = ctypes.CDLL(str(library() if path is None else path))
    except OSError as error:
        raise NotBuilt(f"the library does not load: {error}", is_news=True) from error
    pointer, size, c_int = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    ints, words = ctypes.POINTER(c_int), _Words
    counts, text = ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_char_p)
    numbers, sizes = ctypes.c_char_p, ctypes.POINTER(size)  # numbers of 32 bits
    for name, result, parameters in (
        ("core_new", pointer, (words, size, c_int, *[ctypes.c_uint64] * 2, _Listener, text)),
        ("core_free", None, (pointer,)),
        ("core_begin", None, (pointer,)),
        ("core_sleep", None, (pointer, c_int)),
        ("core_branch", None, (pointer, c_int, size, size)),
        ("core_go", None, (pointer,)),
        ("core_split", ctypes.c_longlong, (pointer, counts)),
        ("core_node", c_int, (pointer, size, counts)),
        ("core_wanted", None, (pointer, ints, size)),
        ("core_plans", None, (pointer, size, c_int)),
        ("core_child", c_int, (pointer, c_int, c_int)),
        ("core_plan_below", None, (pointer, numbers, size)),
        ("core_known_thread", None, (pointer, c_int, c_int, c_int)),
        ("core_leaves", None, (pointer, numbers, size)),
        ("core_leaves_done", size, (pointer,)),
        ("core_awaited", None, (pointer, words)),
        ("core_waited_for", c_int, (pointer, words)),
        ("core_stale", c_int, (pointer,)),
        ("core_follow", None, (pointer, pointer, numbers, size)),
        ("core_certain", c_int, (pointer,)),
        ("core_stops", None, (pointer, c_int)),
        ("core_rest", None, (pointer,)),
        ("core_divide", c_int, (pointer, counts)),
        ("core_said", pointer, (pointer, sizes)),
        ("core_accesses", size, (pointer,)),
        ("core_access", size, (pointer, size, words, size)),
        ("planner_new", pointer, (c_int,)),
        ("planner_free", None, (pointer,)),
        ("planner_access", c_int, (pointer, c_int, *[numbers, size] * 3)),
        ("planner_insert", None, (pointer, numbers, size, numbers, size)),
        ("planner_explored", None, (pointer, numbers, size, numbers, size, numbers, size)),
        ("planner_divided", None, (pointer, c_int, numbers, size, numbers, size)),
        ("planner_open", None, (pointer, c_int)),
        ("planner_give", pointer, (pointer, size, sizes)),
        ("planner_keep", pointer, (pointer, sizes)),
        ("planner_news", pointer, (pointer, sizes)),
        ("planner_keeps_no_news", None, (pointer,)),
        ("planner_whole", pointer, (pointer, sizes)),
        ("planner_copy", None, (pointer, numbers, size)),
        ("planner_load", None, (pointer, numbers, size)),
        ("planner_counts", None, (pointer, counts)),
        ("planner_bad", ctypes.c_char_p, (pointer,)),
        ("core_run", c_int, (pointer, ctypes.c_uint64, ctypes.c_uint64)),
        ("core_counts", None, (pointer, counts)),
        ("core_hunt", c_int, (pointer, words, size)),
        ("core_hunt_begin", c_int, (pointer, ints, *[ctypes.c_double] * 3)),
        ("core_hunt_repeat", None, (pointer, size)),
        ("core_hunt_run", c_int, (pointer, ctypes.c_uint64, words)),
        ("core_hunt_step", c_int, (pointer, size, ints, words)),
        ("core_hunt_shows", c_int, (pointer,)),
        ("core_hunt_random", ctypes.c_double, (pointer,)),
        ("core_left", c_int, (pointer, ctypes.POINTER(ctypes.c_double))),
        ("core_thread", None, (pointer, c_int, ints)),
        ("core_depth", size, (pointer,)),
        ("core_step", c_int, (pointer, size, ints, ints)),
        ("core_waited", c_int, (pointer, ctypes.c_int64)),
        ("core_taken", c_int, (pointer, ints)),
        ("core_joins", None, (pointer, ctypes.c_uint64)),
        ("core_refusal", ctypes.c_char_p, (pointer, words)),
        ("common_new", pointer, (c_int,)),
        ("common_free", None, (pointer,)),
        ("common_stop", None, (pointer,)),
        ("core_join", c_int, (pointer, pointer, c_int)),
        ("core_take", c_int, (pointer,)),
        ("core_operations", ctypes.c_char_p, ()),
    ):
        function = getattr(its, name)
        function.restype, function.argtypes = result, parameters
    known = "".join(f"{name}:{operands} " for name, operands in OPERATIONS.items())
    if its.core_operations().decode() != known:
        raise NotBuilt("the library has other operations", is_news=True)
    return its


class NativeCore:
    """A search of a lowered program. Raises NotBuilt, and MalformedCode if it is none.

    `listener` is told events, of which thread, and returns whether the search ends; or it is asked,
    of a thread or two numbers, and returns the answer, 0 for none. An exception of it ends the
    search, and is raised by `run`. Without stored states threads take fewer than `most_steps`, and
    come back to a place `unroll` times.
    """

    def __init__(
        self,
        words: array[int],
        algorithm: Algorithm,
        listener: Callable[[CoreEvent, int, int], int],
        path: Path | None = None,
        most_steps: int = NO_LIMIT,
        unroll: int = NO_LIMIT,
    ) -> None:
        self._core: Any = None
        self._library = load(path)
        self._listener = listener
        self._error: BaseException | None = None
        self._callback = _Listener(self._told)
        self._ints = (ctypes.c_int * MOST_CHOICES)()
        given = (ctypes.c_int64 * len(words)).from_buffer(words)
        why = ctypes.c_char_p()
        self._core = self._library.core_new(
            ctypes.cast(given, _Words),
            len(words),
            algorithm,
            most_steps,
            unroll,
            self._callback,
            ctypes.byref(why),
        )
        if not self._core:
            raise MalformedCode((why.value or b"").decode())

    def close(self) -> None:
        """Frees what the search has stored."""
        core, self._core = self._core, None
        if core:
            self._library.core_free(core)

    def __del__(self) -> None:
        self.close()

    def _told(self, event: int, one: int, other: int) -> int:
        try:
            return self._listener(CoreEvent(event), one, other)
        except BaseException as error:
            self._error = error
            return int(event not in QUESTIONS)

    def run(self, steps: int, states: int) -> Ran:
        """Goes on for about so many steps; not beyond so many states, but for some steps."""
        ran = Ran(self._library.core_run(self._core, steps, states))
        self._raise()
        return ran

    def _raise(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error

    # -- states that several searches have in common, as `native/common.c` says --------------------

    def join(self, common: CommonStates, begins: bool) -> None:
        """Has states in common with others, of which one begins."""
        if not self._library.core_join(self._core, common.its, begins):
            raise MalformedCode("this search has no states in common with others")

    def take(self) -> Taken:
        """Goes on with what another search has handed over, if there is something."""
        return Taken(self._library.core_take(self._core))

    # -- parts of a tree of executions, as `native/parts.c` says ----------------------------------

    def begin(self) -> None:
        """Enters the initial state."""
        self._library.core_begin(self._core)
        self._raise()

    def sleep(self, thread: int) -> None:
        """Puts a thread to sleep at the last node."""
        self._library.core_sleep(self._core, thread)
        self._raise()

    def branch(self, thread: int, first: int, count: int) -> None:
        """Begins to explore alternatives of a thread's step at the last node, which is frozen."""
        self._library.core_branch(self._core, thread, first, count)
        self._raise()

    def go(self) -> None:
        """Takes the step of that thread."""
        self._library.core_go(self._core)
        self._raise()

    def split(self) -> CoreSplit | None:
        """Hands over what others can have, if there is something."""
        found = (ctypes.c_uint64 * (3 + len(fields(CoreTally))))()
        node = self._library.core_split(self._core, found)
        frozen, first, given, *before = found
        return None if node < 0 else CoreSplit(node, frozen, first, given, CoreTally(*before))

    def node(self, k: int) -> CoreNode:
        """A node of the path."""
        found = (ctypes.c_uint64 * len(fields(CoreNode)))()
        if not self._library.core_node(self._core, k, found):
            raise IndexError(k)
        return CoreNode(*found)

    def wanted(self, count: int) -> tuple[int, ...]:
        """The threads of which one is missing, the likeliest first."""
        self._library.core_wanted(self._core, self._ints, count)
        return tuple(self._ints[:count])

    def plans(self, k: int, below: bool) -> bytes:
        """What a wakeup tree has at a node, or below the thread under way there."""
        self._library.core_plans(self._core, k, below)
        return self.said()

    def child(self, creator: int, n: int) -> int:
        """The number of the n-th thread that another one creates."""
        return int(self._library.core_child(self._core, creator, n))

    def plan_below(self, plans: bytes) -> None:
        """Plans that below the thread under way at the last node."""
        self._library.core_plan_below(self._core, plans, len(plans) // NUMBER)

    # -- leaves of a wakeup tree, as `native/leaves.c` says ---------------------------------------

    def known_thread(self, thread: int, creator: int, n: int) -> None:
        """Whose n-th thread is named by a number where leaves are given out."""
        self._library.core_known_thread(self._core, thread, creator, n)

    def leaves(self, leaves: bytes) -> None:
        """Goes to before the last step of the way to the first one of some leaves."""
        self._library.core_leaves(self._core, leaves, len(leaves) // NUMBER)
        self._raise()

    def follow(self, copy: object, known: bytes) -> None:
        """What is in a copy of the tree, a pointer that stays, is not said; accesses have these
        numbers there, as far as they have some."""
        self._library.core_follow(self._core, copy, known, len(known) // NUMBER)

    def awaited(self, name: Sequence[int]) -> None:
        """Somebody has seen a thread wait for the cell with that name."""
        self._library.core_awaited(self._core, (ctypes.c_int64 * len(name))(*name))

    def waited_for(self, length: int) -> tuple[int, ...] | None:
        """The name, of so many words, of a cell for which a thread was seen to wait here, unless it
        was told before."""
        found = (ctypes.c_int64 * length)()
        return tuple(found) if self._library.core_waited_for(self._core, found) else None

    @property
    def stale(self) -> bool:
        """Whether such a cell is written blindly here, so that the search does not go on."""
        return bool(self._library.core_stale(self._core))

    @property
    def leaves_done(self) -> int:
        """How many of these are explored."""
        return int(self._library.core_leaves_done(self._core))

    @property
    def certain(self) -> bool:
        """Whether no thread has had a choice."""
        return bool(self._library.core_certain(self._core))

    def stops(self, stops: bool) -> None:
        """Whether the search rests at the end of the next execution."""
        self._library.core_stops(self._core, stops)

    def rest(self) -> bytes:
        """What is left below the leaf where the search rests; it is not explored here any more."""
        self._library.core_rest(self._core)
        return self.said()

    def divide(self) -> tuple[int, int, CoreTally] | None:
        """Gives some of its leaves back, if it can: how many are explored by then, how many more
        are kept, and what was done of those that are explored."""
        found = (ctypes.c_uint64 * (2 + len(fields(CoreTally))))()
        if not self._library.core_divide(self._core, found):
            return None
        explored, kept, *done = found
        return explored, kept, CoreTally(*done)

    def said(self) -> bytes:
        """What was said since this was asked for last."""
        length = ctypes.c_size_t()
        found = self._library.core_said(self._core, ctypes.byref(length))
        return ctypes.string_at(found, NUMBER * length.value) if length.value else b""

    @property
    def accesses(self) -> int:
        """How many accesses have numbers, from 1 on."""
        return int(self._library.core_accesses(self._core))

    def access(self, number: int) -> tuple[int, ...]:
        """Of an access its thread and whether it ends the program, how many keys it reads and
        writes, and for each of these `KEY_WORDS` words."""
        length = self._library.core_access(self._core, number, None, 0)
        found = (ctypes.c_int64 * length)()
        self._library.core_access(self._core, number, found, length)
        return tuple(found)

    @property
    def counts(self) -> CoreCounts:
        """What was done so far."""
        found = (ctypes.c_uint64 * _COUNTS)()
        self._library.core_counts(self._core, found)
        return CoreCounts(*found)

    @property
    def left(self) -> tuple[float, float, float, float] | None:
        """What `search.estimate.by_the_path` asks for, if something is known."""
        found = (ctypes.c_double * 4)()
        known = self._library.core_left(self._core, found)
        return (found[0], found[1], found[2], found[3]) if known else None

    def joins(self, threads: Collection[int]) -> None:
        """Answers which threads are joined."""
        self._library.core_joins(self._core, sum(1 << thread - 1 for thread in threads))

    @property
    def refusal(self) -> tuple[str, int]:
        """Why the search was refused, and the location where; -1 if there is none."""
        where = ctypes.c_int64(-1)
        why = self._library.core_refusal(self._core, ctypes.byref(where))
        return (why or b"").decode(), where.value

    def thread(self, thread: int) -> tuple[int, int]:
        """The creator of a thread, and the number of the creation."""
        self._library.core_thread(self._core, thread, self._ints)
        return self._ints[0], self._ints[1]

    @property
    def depth(self) -> int:
        """The number of steps to the top of the stack."""
        return int(self._library.core_depth(self._core))

    def step(self, k: int) -> tuple[int, tuple[int, ...]]:
        """The thread and the choices of such a step."""
        thread = ctypes.c_int()
        count = self._library.core_step(self._core, k, ctypes.byref(thread), self._ints)
        return thread.value, tuple(self._ints[:count])

    def waited(self, pc: int) -> bool:
        """Whether a thread had to wait in a loop at a location."""
        return bool(self._library.core_waited(self._core, pc))

    @property
    def taken(self) -> tuple[int, ...]:
        """The choices of the last attempt, so far."""
        return tuple(self._ints[: self._library.core_taken(self._core, self._ints)])
