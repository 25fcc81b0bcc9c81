"""Sleeping threads, where observers of writes decide whether they are weak initials."""

from __future__ import annotations

from typing import NamedTuple

from abpress.reductions.stateless.sequences import Item, Items
from abpress.relations.footprint import Footprint


class Sleeper(NamedTuple):
    """A thread of done(w) that is a weak initial of the w' since.

    `overwritten`: the bits of cells that it writes blindly, and others have written so, too: before
    its step if it is `over` (then only until the next write). Somebody who reads one of them now
    makes the others' writes happen before the step.
    """

    thread: int
    access: Footprint
    overwritten: int = 0
    over: bool = False

    def after(self, item: Item) -> Sleeper | None:
        """The sleeper after one more event; None if it is no weak initial any more."""
        access = item.access
        if self.over:
            if access.read() & self.overwritten:
                return None
            return self._replace(overwritten=self.overwritten & ~access.written)
        if item.thread == self.thread:
            return self._replace(over=True)
        if self.access.ordered(access):
            return None
        return self._replace(overwritten=self.overwritten | self.access.blind & access.blind)

    def sleeps(self, v: Items) -> bool:
        """Whether it is a weak initial still `after` all items of v."""
        thread, access, overwritten, over = self
        touched, written, blind = access.touched, access.written, access.blind
        items = iter(v)
        if not over:
            for other, its in items:
                if other == thread:
                    break
                shared = written & its.touched | touched & its.written
                if shared:
                    if shared & ~(blind & its.blind):
                        return False
                    overwritten |= shared
            else:
                return True
        if overwritten:
            for _, its in items:
                if its.read() & overwritten:
                    return False
                overwritten &= ~its.written
        return True
