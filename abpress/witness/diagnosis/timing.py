"""Causes of violations that are a matter of who waits for whom: what is read or changed too
early."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from abpress.witness.diagnosis.flips import Flips
from abpress.witness.diagnosis.interleaving import MOST_TRIED
from abpress.witness.diagnosis.scene import Scene, SceneAccess
from abpress.witness.trace import Diagnosis


def too_early(scene: Scene, flips: Flips) -> Diagnosis | None:
    """The last access that only violates if the thread does not wait for the others first: it reads
    what is written later, or who reads what it writes leaves out what there was to do."""
    tried: set[int] = set()
    for access in reversed(scene.accesses):
        if access.step in tried:
            continue
        tried.add(access.step)
        if len(tried) > MOST_TRIED:
            return None
        if _waiting_avoids(scene, flips, access):
            found = _written_later(scene, flips, access.step)
            if found is not None:
                return _told_early(scene, *found)
            changed = _changed_early(scene, flips, access.step)
            if changed is not None:
                return changed
    return None


def _waiting_avoids(scene: Scene, flips: Flips, access: SceneAccess) -> bool:
    """Whether nothing is violated if the thread waits before the access for all others, or before
    it has taken the locks that it holds there, which others may need."""
    steps = dict.fromkeys((access.step, scene.entry(access.step)))
    return any(flips.waiting_avoids(step) for step in steps)


def _written_later(scene: Scene, flips: Flips, step: int) -> tuple[SceneAccess, SceneAccess] | None:
    """A read of the step, of what nobody else has written by then, and the write of it by another
    thread in the execution that was tried last."""
    for access in (a for a in scene.accesses if a.step == step and a.reads):
        earlier = [a for a in scene.by_cell[access.cell] if a.step < step and a.writes]
        if not any(a.thread != access.thread for a in earlier):
            write = flips.write_of(access)
            if write is not None:
                return access, write
    return None


def _told_early(scene: Scene, access: SceneAccess, write: SceneAccess) -> Diagnosis:
    me, other = access.thread, write.thread
    here, there = scene.place(access.position), scene.place(write.position)
    for first in (a for a in scene.accesses if a.step < access.step and a.thread == other):
        if first.writes and first.cell != access.cell:
            mine = (a for a in scene.by_cell[first.cell] if a.thread == me and a.step > first.step)
            seen = next(mine, None)
            if seen is not None:
                return Diagnosis(
                    "intermediate state",
                    f"{other} writes {first.cell} at {scene.place(first.position)} and"
                    f" {access.cell} at {there}; {me} sees the one change and not the other, at"
                    f" {scene.place(seen.position)} and at {here}",
                )
    decided = _same_read(scene, access, write)
    if decided is not None:
        read = scene.place(decided.position)
        same = f" reads the same at {read} and" if read != there else ""
        return Diagnosis(
            "stale value",
            f"{me} reads {access.cell} = {access.value} at {here} and goes on with it; {other}"
            f"{same} replaces it at {there} meanwhile: only one of them may act on that value",
        )
    return Diagnosis(
        "read too early",
        f"{me} reads {access.cell} = {access.value} at {here} before {other} has written it, at"
        f" {there}: if {me} waits for that, nothing is violated",
    )


def _same_read(scene: Scene, access: SceneAccess, write: SceneAccess) -> SceneAccess | None:
    """Where, in the execution that violates, the thread that writes the cell later has read what
    the other one reads; None if it does not write it later, or decides by something else."""
    its = scene.by_cell[access.cell]
    theirs = [a for a in its if a.thread == write.thread]
    later = [a for a in theirs if a.step > access.step and a.writes]
    if not later:
        return None
    reads = [a for a in theirs if a.step <= later[0].step and a.reads]
    return next((a for a in reversed(reads) if a.value == access.value), None)


def _changed_early(scene: Scene, flips: Flips, step: int) -> Diagnosis | None:
    """A write of the step that others read before they do what they would do otherwise."""
    for write in (a for a in scene.accesses if a.step == step and a.writes):
        seen = [a for a in scene.by_cell[write.cell] if a.step > step and a.reads]
        reader = next((a for a in seen if a.thread != write.thread), None)
        missed = None if reader is None else _left_out(scene, flips, write)
        if reader is not None and missed is not None:
            return Diagnosis(
                "changed too early",
                f"{write.thread} writes {write.cell} = {write.written} at"
                f" {scene.place(write.position)}, and {reader.thread} reads it at"
                f" {scene.place(reader.position)}; if {write.thread} waits for the others first,"
                f" {missed.thread} still writes {missed.cell} at {scene.place(missed.position)},"
                " and nothing is violated",
            )
    return None


def _left_out(scene: Scene, flips: Flips, write: SceneAccess) -> SceneAccess | None:
    """What other threads write before this in the execution that was tried last, and more often
    than in the one that violates."""
    others = (a for a in scene.accesses if a.writes and a.thread != write.thread)
    done = Counter(a.position for a in others)
    for its in flips.writes():
        if its.thread == write.thread:
            if its.cell == write.cell and its.position == write.position:
                return None
        elif done[its.position]:
            done[its.position] -= 1
        else:
            return its
    return None


def needed_order(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Where nothing simpler is found: the accesses whose order, turned round one pair at a time,
    decides whether the violation happens."""
    needed: list[tuple[SceneAccess, SceneAccess]] = []
    for tried, (first, second) in enumerate(_neighbours(scene)):
        if tried >= MOST_TRIED:
            break
        if _waiting_avoids(scene, flips, first):
            needed.append((first, second))
    if not needed:
        return None
    parts = [
        f"{_does(a)} at {scene.place(a.position)} ({a.thread}) comes before {_does(b)} at"
        f" {scene.place(b.position)} ({b.thread})"
        for a, b in reversed(needed[:3])
    ]
    return Diagnosis(
        "order of accesses",
        f"It needs this order: {'; '.join(parts)}. With any of these the other way round nothing"
        " is violated",
    )


def _does(access: SceneAccess) -> str:
    verb = "update" if access.reads and access.writes else "write" if access.writes else "read"
    return f"the {verb} of {access.cell}"


def _neighbours(scene: Scene) -> Iterator[tuple[SceneAccess, SceneAccess]]:
    """Accesses of one cell that follow one another, by two threads, one of which writes; the last
    ones first, of each pair of steps one."""
    pairs = {
        (first.step, second.step): (first, second)
        for accesses in scene.by_cell.values()
        for first, second in pairwise(accesses)
        if first.thread != second.thread and (first.writes or second.writes)
    }
    for key in sorted(pairs, key=lambda key: (-key[1], -key[0])):
        yield pairs[key]
