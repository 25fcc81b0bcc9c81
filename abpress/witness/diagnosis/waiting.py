"""Causes of deadlocks: who holds what others wait for, and which signal came too early."""

from __future__ import annotations

from collections.abc import Container, Iterator

from abpress.properties.finding import Deadlock
from abpress.witness.diagnosis.flips import Flips
from abpress.witness.diagnosis.scene import Scene
from abpress.witness.library import object_kept, synchronises
from abpress.witness.trace import BlockedThread, Diagnosis, LifeEvent

ANYTHING = "uninitialised memory"
"""How the words for an arbitrary value begin that memory holds."""


def not_initialised(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Who uses a lock or the like that nobody has initialised: it holds anything, and so may be one
    that is never free."""
    for action in (action for move in scene.moves for action in move):
        taken = any(what.startswith(ANYTHING) for what, _ in action.choices)
        if taken and synchronises(action.position):
            its = next((object_kept(action.position, cell) for cell, _ in action.reads), "")
            return Diagnosis(
                "not initialised",
                f"{action.thread} uses {its or 'an object of the library'} at"
                f" {scene.place(action.position)}, which nobody has initialised: what it holds is"
                " arbitrary, and whether anybody waits there for ever with it",
            )
    return None


def deadlocked(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Why the threads wait at the end for ever; None if no thread is found for which they wait."""
    causes = [_own_lock, _circle]
    if isinstance(scene.finding, Deadlock):  # else there are threads that may go on
        causes += [_lost_signal, _ended_with_lock, _waits_with_lock, _nobody]
    for cause in causes:
        if (found := next(cause(scene), None)) is not None:
            return found
    return None


def _held(scene: Scene) -> dict[str, list[LifeEvent]]:
    """Who holds which lock, and since when."""
    held: dict[str, list[LifeEvent]] = {}
    for event in scene.trace.history:
        if event.what == "held":
            held.setdefault(event.object, []).append(event)
    return held


def _waits_for_locks(scene: Scene) -> Iterator[tuple[BlockedThread, LifeEvent]]:
    """The threads that wait for a lock, each with who holds it."""
    held = _held(scene)
    for blocked in scene.trace.blocked:
        for event in held.get(blocked.object, ()):
            yield blocked, event


def _own_lock(scene: Scene) -> Iterator[Diagnosis]:
    for blocked, event in _waits_for_locks(scene):
        if event.thread == blocked.thread:
            yield Diagnosis(
                "locked twice",
                f"{blocked.thread} waits at {scene.place(blocked.position)} for {blocked.object},"
                f" which it has itself locked at {scene.place(event.position)}",
            )


def _circle(scene: Scene) -> Iterator[Diagnosis]:
    """Threads of which each waits for the next one: for a lock that it holds, or for its end."""
    held = _held(scene)
    blocked = {b.thread: b for b in scene.trace.blocked}
    after = {b.thread: _awaited_thread(b, held, blocked) for b in blocked.values()}
    for first in blocked:
        path: list[str] = []
        thread = first
        while thread in blocked and thread not in path:
            path.append(thread)
            thread = after[thread]
        if thread != first:
            continue
        parts = [_in_circle(scene, blocked[name], held) for name in path]
        locks = all(b.object in held for b in map(blocked.__getitem__, path))
        advice = "; taken in one order by all, they cannot wait for one another" if locks else ""
        yield Diagnosis(
            "lock order cycle" if locks else "cycle of waits", "; ".join(parts) + advice
        )


def _awaited_thread(
    waiting: BlockedThread, held: dict[str, list[LifeEvent]], blocked: Container[str]
) -> str:
    """The thread that holds what is waited for, one that waits itself if there are several; else
    what is waited for, which may be a thread."""
    holders = [event.thread for event in held.get(waiting.object, ())]
    waits = [thread for thread in holders if thread in blocked]
    return next(iter((*waits, *holders)), waiting.object)


def _in_circle(scene: Scene, blocked: BlockedThread, held: dict[str, list[LifeEvent]]) -> str:
    its = [e for events in held.values() for e in events if e.thread == blocked.thread]
    has = " and ".join(f"{e.object} since {scene.place(e.position)}" for e in its)
    waits = f"waits for {blocked.object} at {scene.place(blocked.position)}"
    return f"{blocked.thread} holds {has} and {waits}" if has else f"{blocked.thread} {waits}"


def _lost_signal(scene: Scene) -> Iterator[Diagnosis]:
    for event in scene.trace.history:
        waits = [b for b in scene.trace.blocked if b.object == event.object]
        if event.what == "signalled" and waits:
            yield Diagnosis(
                "lost wake-up",
                f"{event.thread} signals {event.object} at {scene.place(event.position)} when"
                f" nobody waits, and {waits[0].thread} waits for a signal at"
                f" {scene.place(waits[0].position)} from then on: what is signalled has to be"
                " looked at, with the mutex held, before waiting",
            )


def _ended_with_lock(scene: Scene) -> Iterator[Diagnosis]:
    alive = {blocked.thread for blocked in scene.trace.blocked}
    for blocked, event in _waits_for_locks(scene):
        if event.thread not in alive:
            yield Diagnosis(
                "lock not released",
                f"{event.thread} has locked {event.object} at {scene.place(event.position)} and"
                f" ended without unlocking it; {blocked.thread} waits for it at"
                f" {scene.place(blocked.position)}",
            )


def _waits_with_lock(scene: Scene) -> Iterator[Diagnosis]:
    """A thread waits, for a signal or the like, and holds what others wait for."""
    blocked = {b.thread: b for b in scene.trace.blocked}
    for waiting, event in _waits_for_locks(scene):
        holder = blocked[event.thread]
        yield Diagnosis(
            "waits with a lock held",
            f"{holder.thread} {holder.text} at {scene.place(holder.position)} and holds"
            f" {event.object} meanwhile, since {scene.place(event.position)}; {waiting.thread}"
            f" cannot go on without it ({scene.place(waiting.position)})",
        )


def _nobody(scene: Scene) -> Iterator[Diagnosis]:
    """Nobody is left who could help."""
    joined = {b.object for b in scene.trace.blocked}
    for blocked in scene.trace.blocked:
        if blocked.thread in joined or len(scene.trace.blocked) == 1:
            yield Diagnosis(
                "nobody is left to help",
                f"{blocked.thread} {blocked.text} ({scene.place(blocked.position)}), and no thread"
                " is left that could end that",
            )
