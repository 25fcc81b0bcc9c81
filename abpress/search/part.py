"""Parts of a tree of executions, in names: NOTE(native-parts)."""

from __future__ import annotations

from dataclasses import dataclass

Plans = tuple[tuple[str, int], ...]
"""Sequences that are planned after a step, as a tree: threads, each before those below it, with
how many steps they are from there."""


@dataclass(frozen=True, slots=True)
class PartTurn:
    """What is explored at a node: of a thread's step so many alternatives (0: all of them) from the
    first one on, after the threads `before`, which sleep. Of the last turn it is said what is
    planned below."""

    before: tuple[str, ...]
    thread: str
    first: int = 0
    count: int = 0
    plans: Plans = ()


TreePart = tuple[PartTurn, ...]
"""From the initial state on. All turns but the last one are on the way: they have one alternative.
What is explored is the last one; without turns the whole tree."""


@dataclass(frozen=True, slots=True)
class PartSplit:
    """What is handed over of a part, of which so many nodes, the `frozen` ones, were known to who
    gives parts out.

    `turns` are those of the last one of these, and of the ones behind, which become frozen; the
    last one of them is what is kept. At its node the threads `rest` are handed over, each with what
    is planned below, and the alternatives of its thread in `given`, if there are some.
    """

    frozen: int
    turns: TreePart
    rest: tuple[tuple[str, Plans], ...]
    given: PartTurn | None


@dataclass(frozen=True, slots=True)
class Missing:
    """At a frozen node of this number one of the threads has to be explored; the first one, if none
    is yet."""

    node: int
    threads: tuple[str, ...]
