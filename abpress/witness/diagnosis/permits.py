"""Semaphores that let more threads in than what is behind them can bear."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.errors import Position
from abpress.witness.diagnosis.flips import Flips
from abpress.witness.diagnosis.scene import Scene
from abpress.witness.library import SEMAPHORES, object_kept
from abpress.witness.trace import Diagnosis

_POST, _TAKING = "sem_post", ("sem_wait", "__abp_sem_try", "sem_timedwait", "sem_clockwait")
"""Functions of the model that change the number of permits."""

_NAMED = 3
"""Threads that are named; of more the first ones, and the number of the others."""


@dataclass(frozen=True, slots=True)
class _Permit:
    """A thread has a permit of a semaphore since a step."""

    semaphore: str
    thread: str
    step: int
    position: Position


def too_many(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Threads that all have a permit of one semaphore, and would give it back: nothing is violated
    if the one that has come last waits for the others. (One that is alone has a lock.)"""
    inside = _inside(scene)
    for semaphore in dict.fromkeys(its.semaphore for its in inside):
        its = [permit for permit in inside if permit.semaphore == semaphore]
        last = max(its, key=lambda permit: permit.step)
        if len(its) > 1 and flips.waiting_avoids(last.step) and _all_post(semaphore, its, flips):
            return Diagnosis("too many permits", _told(scene, its, last))
    return None


def _inside(scene: Scene) -> list[_Permit]:
    """The permits that threads have in the end."""
    found: dict[tuple[str, str], _Permit] = {}
    for step, move in enumerate(scene.moves):
        for action in move:
            at = action.position
            for cell, _ in action.writes if at.file == SEMAPHORES else ():
                its = object_kept(at, cell)
                if at.function == _POST:
                    found.pop((its, action.thread), None)
                elif at.function in _TAKING and cell.endswith(".count"):
                    found[its, action.thread] = _Permit(its, action.thread, step, at)
    return list(found.values())


def _all_post(semaphore: str, permits: list[_Permit], flips: Flips) -> bool:
    """Whether the threads give their permits back in the execution that was tried last."""
    posts = {
        thread
        for _, thread, action in flips.actions()
        if action.position.file == SEMAPHORES and action.position.function == _POST
        if any(object_kept(action.position, cell) == semaphore for cell, _ in action.writes)
    }
    return posts.issuperset(permit.thread for permit in permits)


def _told(scene: Scene, permits: list[_Permit], last: _Permit) -> str:
    names = [permit.thread for permit in permits]
    more = len(names) - _NAMED
    some = ", ".join(names if more <= 1 else [*names[:_NAMED], f"{more} more"])
    where, who = scene.place(last.position), last.thread
    return (
        f"{len(names)} threads have a permit of {last.semaphore} at once: {some}; {who} has taken"
        f" the last one, at {where}. If {who} waits until another one has posted, nothing is"
        " violated: the semaphore lets in more than there may be"
    )
