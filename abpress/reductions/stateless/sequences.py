"""Sequences of events that can be executed after a prefix of an execution.

Legend, after [ODPOR14]: `E` is the current execution, `E'` a prefix of it, `v` a sequence of events
that can be executed after E'. An *initial* of v is a thread whose first event in v has no event of
v happen before it. A *weak initial* of v after E' is an initial, or a thread that is not in v and
whose next step after E' is independent of all of v.

The bits of `Footprint.conflicts` stand in the loops here: with calls they take half as long again
(the initials of 20 events 2.6 instead of 1.7 microseconds).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from abpress.relations.footprint import Footprint


class Item(NamedTuple):
    """An event of a sequence that is to be explored: a thread, and what its step accesses there."""

    thread: int
    access: Footprint


Items = tuple[Item, ...]
"""A sequence of events."""


def initials(v: Items) -> Iterator[int]:
    """The initials of v, in the order of v."""
    touched = written = 0
    seen = set()
    for thread, access in v:
        if thread not in seen:
            seen.add(thread)
            if not (access.written & touched or access.touched & written):
                yield thread
        touched |= access.touched
        written |= access.written


def any_initial(v: Items, sleep: Mapping[int, Footprint]) -> bool:
    """Whether some thread of the sleep set is an initial of v."""
    return bool(sleep) and any(thread in sleep for thread in initials(v))


def ancestors(v: Items) -> Items:
    """The items of v that happen before its last one."""
    thread, access = v[-1]
    threads, touched, written = {thread}, access.touched, access.written
    found = []
    for item in reversed(v[:-1]):
        thread, access = item
        if thread in threads or access.written & touched or access.touched & written:
            threads.add(thread)
            touched |= access.touched
            written |= access.written
            found.append(item)
    return tuple(reversed(found))


def any_weak_initial(v: Items, sleep: Mapping[int, Footprint]) -> bool:
    """Whether some thread of the sleep set is a weak initial of v."""
    if not sleep:
        return False
    touched = written = 0
    others = dict(sleep)
    for thread, access in v:
        asleep = others.pop(thread, None) is not None
        if asleep and not (access.written & touched or access.touched & written):
            return True
        touched |= access.touched
        written |= access.written
    return any(not (a.written & touched or a.touched & written) for a in others.values())


def without(v: Items, thread: int, access: Footprint | None) -> Items | None:
    """v after the thread's first step if that is a weak initial of v, else None.

    `access` is what the thread's next step before v accesses; None: unknown, then a thread that is
    not in v counts as no weak initial.
    """
    touched = written = 0
    for k, (other, its) in enumerate(v):
        if other == thread:
            if its.written & touched or its.touched & written:
                return None
            return (*v[:k], *v[k + 1 :])
        touched |= its.touched
        written |= its.written
    if access is None or access.written & touched or access.touched & written:
        return None
    return v
