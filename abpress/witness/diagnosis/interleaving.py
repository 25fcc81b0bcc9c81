"""Causes of violations that are between accesses of several threads: what must not be
interrupted."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from abpress.witness.diagnosis.flips import FlipEnding, Flips
from abpress.witness.diagnosis.scene import Scene, SceneAccess
from abpress.witness.trace import Diagnosis

MOST_TRIED = 40
"""Orders that are tried for one kind of cause: what decides is mostly near the end."""


@dataclass(frozen=True, slots=True)
class _Interrupted:
    """A thread accesses a cell, and later that or another one, and another thread in between, so
    that the thread does not see what it would see without interruption.

    `between` conflicts with `after`. `unseen`: the thread takes the value that it finds again for
    one that nobody has changed. `other` is the access that conflicts with `before`, if these are
    two cells.
    """

    before: SceneAccess
    between: SceneAccess
    after: SceneAccess
    unseen: bool = False
    other: SceneAccess | None = None

    def rank(self, asked: Set[str]) -> tuple[bool, bool, int, int]:
        """Which of two patterns is tried first: the lesser. What is between accesses of what the
        violation is about, is more of a cause than what happens to come with it."""
        about = self.before.cell in asked
        return not self.unseen, not about, self.after.step - self.before.step, -self.after.step


def interrupted(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Two accesses of one thread that only violate if another one comes in between, as the
    unserialisable patterns of [AVIO06]; tried by taking the first thread without interruption."""
    asked = _asked(scene)
    of_one = [its for accesses in scene.by_cell.values() for its in _of_cell(accesses)]
    for patterns in (of_one, list(_of_two_cells(scene))):
        for pattern in sorted(patterns, key=lambda its: its.rank(asked))[:MOST_TRIED]:
            if _matters(scene, pattern, flips):
                return Diagnosis(*_told(scene, pattern))
    return None


def _asked(scene: Scene) -> frozenset[str]:
    """The cells that the violation is about: those of its step; if it looks at none, as what has
    been read before is tested, those that its thread has accessed since another one moved."""
    last = len(scene.schedule) - 1
    its = frozenset(a.cell for a in scene.accesses if a.step == last)
    if its:
        return its
    others = (i for i in range(last, -1, -1) if scene.threads[i] != scene.threads[last])
    return frozenset(a.cell for a in scene.accesses if a.step > next(others, -1))


def unfinished(scene: Scene, flips: Flips) -> Diagnosis | None:
    """A thread that is about to access a cell again when another one comes in between and violates:
    if it had gone on to its end, or to that of its round, nothing would be violated."""
    last = len(scene.schedule) - 1
    asked = _asked(scene)
    latest = {(a.thread, a.cell): a for a in scene.accesses}
    tried = sorted(latest.values(), key=lambda a: (a.cell not in asked, -a.step))
    for before in tried[:MOST_TRIED]:
        if scene.threads[before.step] == scene.threads[last]:
            continue
        if flips.finishing_first(before.step) is not FlipEnding.AVOIDED:
            continue
        mine = (a for a in flips.accesses() if a.step > before.step and a.thread == before.thread)
        after = next((a for a in mine if a.cell == before.cell), None)
        later = (a for a in scene.by_cell[before.cell] if a.step > before.step)
        between = [a for a in later if after and _unserialisable(before, a, after)]
        if after and between:
            after = replace(after, step=last + 1, locks=before.locks)
            pattern = _Interrupted(before, between[-1], after)
            return Diagnosis("atomicity violation", _told_unfinished(scene, pattern))
    return None


def _told_unfinished(scene: Scene, pattern: _Interrupted) -> str:
    before, between, after = pattern.before, pattern.between, pattern.after
    first, then = scene.place(before.position), scene.place(after.position)
    done = "changes" if before.writes else "reads"
    does = "changes" if between.writes else "reads"
    return (
        f"{before.thread} {done} {before.cell} at {first} and is not done with it before it"
        f" {'changes' if after.writes else 'reads'} it again at {then}; in between"
        f" {between.thread} {does} it at {scene.place(between.position)}."
        f" {_about_locks(scene, pattern)}"
    )


def _of_cell(accesses: list[SceneAccess]) -> Iterator[_Interrupted]:
    """Accesses of one cell by one thread that follow one another, with one of another between."""
    latest: dict[str, int] = {}
    for i, after in enumerate(accesses):
        at = latest.get(after.thread)
        latest[after.thread] = i
        if at is None or at == i - 1:
            continue
        before, inner = accesses[at], accesses[at + 1 : i]
        between = next((b for b in reversed(inner) if _unserialisable(before, b, after)), None)
        if between is not None:
            yield _Interrupted(before, between, after, _is_unseen(before, inner, after))


def _unserialisable(before: SceneAccess, between: SceneAccess, after: SceneAccess) -> bool:
    """Whether the order is none that one after the other could have."""
    if between.writes:
        return not (before.writes and not before.reads and after.writes and not after.reads)
    return before.writes and after.writes and before.step != after.step


def _is_unseen(before: SceneAccess, inner: list[SceneAccess], after: SceneAccess) -> bool:
    """Whether the value is the same again, was another one in between, and is then replaced."""
    same = before.reads and after.reads and after.writes and before.value == after.value
    return same and any(a.writes and a.written != before.value for a in inner)


def _of_two_cells(scene: Scene) -> Iterator[_Interrupted]:
    """Accesses of two cells by one thread, with accesses of both by another one between."""
    accesses = scene.accesses
    latest: dict[str, int] = {}
    for i, after in enumerate(accesses):
        at = latest.get(after.thread)
        latest[after.thread] = i
        if at is None or at == i - 1 or accesses[at].cell == after.cell:
            continue
        before, inner = accesses[at], accesses[at + 1 : i]
        for between in inner:
            if _in_conflict(between, after):
                others = (
                    a for a in inner if a.thread == between.thread and _in_conflict(a, before)
                )
                other = next(others, None)
                if other is not None:
                    yield _Interrupted(before, between, after, other=other)
                    break


def _in_conflict(one: SceneAccess, other: SceneAccess) -> bool:
    return one.cell == other.cell and (one.writes or other.writes)


def _matters(scene: Scene, pattern: _Interrupted, flips: Flips) -> bool:
    """Whether nothing is violated if the thread goes from the one access to the other at once; if
    it has to wait in between, or would write what another one has read before, if the others come
    before."""
    first, last = pattern.before.step, pattern.after.step
    threads = scene.threads
    me = threads[first]
    mine = [t for t in threads[first : last + 1] if t == me]
    others = [t for t in threads[first : last + 1] if t != me]
    at_once = [*threads[:first], *mine]
    possible = flips.possible(at_once)
    if possible and flips.avoids([*at_once, *others, *threads[last + 1 :]]):
        return True
    if possible and not _has_read_before(scene, pattern):
        return False
    return flips.avoids([*threads[:first], *others, *mine, *threads[last + 1 :]])


def _has_read_before(scene: Scene, pattern: _Interrupted) -> bool:
    """Whether two threads have both read a cell before both write it: then each loses what the
    other one writes."""
    before, between, after = pattern.before, pattern.between, pattern.after
    its = (a for a in scene.by_cell[before.cell] if a.thread == between.thread and a.reads)
    return after.writes and not before.writes and any(a.step < before.step for a in its)


def _told(scene: Scene, pattern: _Interrupted) -> tuple[str, str]:
    before, between, after = pattern.before, pattern.between, pattern.after
    me, other, cell = before.thread, between.thread, before.cell
    first, then = scene.place(before.position), scene.place(after.position)
    there = scene.place(between.position)
    if pattern.other is not None:
        what, cause = (
            f"{me} uses {cell} at {first} and {after.cell} at {then} as if they belonged together;"
            f" in between {other} accesses {cell} at {scene.place(pattern.other.position)} and"
            f" {after.cell} at {there}",
            "intermediate state",
        )
    elif pattern.unseen:
        what, cause = (
            f"{me} reads {cell} = {before.value} at {first} and finds the same value at {then}; in"
            f" between {other} has changed it and changed it back, at last at {there}",
            "ABA",
        )
    elif not between.writes:
        what, cause = (
            f"{other} reads {cell} at {there} between two writes of {me}, at {first} and at {then}",
            "intermediate value",
        )
    elif before.writes:
        what, cause = (
            f"{me} writes {cell} at {first} and accesses it again at {then}; in between {other}"
            f" writes it at {there}",
            "overwritten value",
        )
    elif after.writes and not after.reads:
        what, cause = (
            f"{me} reads {cell} = {before.value} at {first} and writes {cell} = {after.written} at"
            f" {then}; what {other} writes in between, at {there}, is lost",
            "lost update",
        )
    else:
        again = " again" if before.value == after.value else ""
        what, cause = (
            f"{me} reads {cell} = {before.value} at {first}, and at {then} it is"
            f" {after.value}{again}: in between {other} writes it at {there}",
            "check then act",
        )
    return cause, f"{what}. {_about_locks(scene, pattern)}"


def _about_locks(scene: Scene, pattern: _Interrupted) -> str:
    """Which locks the threads hold there, and which do not help."""
    before, between, after = pattern.before, pattern.between, pattern.after
    if _waits_between(scene, pattern):
        return (
            f"{before.thread} has waited for a signal in between and does not look at {before.cell}"
            " again before it goes on: what is waited for has to be looked at in a loop"
        )
    kept = set(before.locks) & set(after.locks)
    through = kept & _held_through(scene, pattern)
    released = sorted(kept - through)
    if released:
        return (
            f"{before.thread} unlocks {released[0]} in between: it has to be held until"
            f" {scene.place(after.position)}"
        )
    both = sorted(through & set(between.locks))
    if both:  # nobody else has a mutex
        return f"Both hold {both[0]}, and as readers: who writes has to hold it for writing"
    if through:
        return (
            f"{before.thread} holds {' and '.join(sorted(through))} all the time,"
            f" {between.thread} does not"
        )
    if between.locks:
        first, then = scene.place(before.position), scene.place(after.position)
        where = f"at {first}" if first == then else f"all the way from {first} to {then}"
        return (
            f"{between.thread} holds {' and '.join(between.locks)} there, {before.thread} does not"
            f" hold it {where}"
        )
    return f"Nothing keeps {between.thread} from coming in between: it holds no lock there"


def _waits_between(scene: Scene, pattern: _Interrupted) -> bool:
    """Whether the thread waits for a signal between its accesses."""
    return any(
        said.startswith("waits for a signal")
        for move in scene.moves[pattern.before.step : pattern.after.step]
        for action in move
        if action.thread == pattern.before.thread
        for said in action.said
    )


def _held_through(scene: Scene, pattern: _Interrupted) -> set[str]:
    """The locks that the thread holds after each of its actions from the one access on, before
    the other."""
    me = pattern.before.thread
    held = set(pattern.before.locks)
    steps = slice(pattern.before.step, pattern.after.step)
    for move, locks in zip(scene.moves[steps], scene.locks[steps], strict=True):
        for action, its in zip(move, locks, strict=True):
            if action.thread == me:
                held &= set(its)
    return held


_SPURIOUS = "wakes up without a signal"


def woken_for_nothing(scene: Scene, flips: Flips) -> Diagnosis | None:
    """A wait that ends without a signal, after which nobody looks again at what was waited for."""
    for step, move in reversed(list(enumerate(scene.moves))):
        wakes = (a for a in move if any(text.startswith(_SPURIOUS) for text in a.said))
        for action in wakes:
            mine = [a for a in scene.accesses if a.thread == action.thread]
            before = {a.position for a in mine if a.step < step}
            next_one = next((a for a in mine if a.step >= step), None)
            looks_again = next_one is not None and next_one.position in before
            if not looks_again and flips.waiting_avoids(step):
                return Diagnosis(
                    "spurious wake-up",
                    f"{action.thread} wakes up at {scene.place(action.position)} without a signal,"
                    " which POSIX allows, and goes on: what is waited for has to be looked at in a"
                    " loop",
                )
    return None
