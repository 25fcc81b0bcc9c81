"""Reachable objects: what threads of a state can come to, now or later, while one of them rests.

A thread reaches the static objects; its own local objects, also those whose lifetimes have ended
or not begun; and what is pointed to from its registers, from the arguments and results that it can
get from other threads, and from what it reaches. What only the resting thread can reach stays so:
the others cannot come to an address that none of them has.

Integers that are stored in static objects are no addresses here: where one is used as an address,
the verdict "true" is withheld anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from abpress.ir.types import OFFSET_BITS
from abpress.semantics.context import Context
from abpress.semantics.naming import HALF, NEGATIVE_PLAIN, PLAIN_LIMIT, ObjectInfo
from abpress.semantics.outcome import State


class Reach:
    """What can be reached in the states of a program."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._statics = [
            info.slot + j
            for info in context.objects.placed()
            if info.slot is not None and not info.mortal
            for j, kind in enumerate(info.kinds)
            if kind.pointer
        ]

    def shared(self, info: ObjectInfo) -> bool:
        """Whether every thread can reach the object by its name."""
        return info.slot is not None and not info.mortal

    def of_others(self, s: State, t: int) -> set[int]:
        """The numbers of the objects, static ones aside, that threads other than t can reach."""
        context = self._context
        dynamic: dict[int, tuple[Any, ...]] = dict(s[context.dynamic])
        todo: list[int] = [*_numbers(s[slot] for slot in self._statics)]
        for thread in s[context.base :]:
            if thread[0] != t:
                todo += _numbers(thread[2:])
                todo += context.owned(thread[0])
        reached: set[int] = set()
        while todo:
            number = todo.pop()
            if number not in reached:
                reached.add(number)
                todo += _numbers(self._content(s, dynamic, number))
        return reached

    def _content(
        self, s: State, dynamic: dict[int, tuple[Any, ...]], number: int
    ) -> tuple[Any, ...]:
        info = self._context.objects.numbered(number)
        if info is None or self.shared(info):
            return ()
        if info.slot is not None:
            return s[info.slot : info.slot + len(info.kinds)]
        return dynamic.get(number, ())


def _numbers(values: Iterable[Any]) -> Iterator[int]:
    """The numbers of the objects that addresses among the values point to (or near)."""
    for v in values:
        if v.__class__ is int and PLAIN_LIMIT <= v < NEGATIVE_PLAIN:
            yield v + HALF >> OFFSET_BITS
