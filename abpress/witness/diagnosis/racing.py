"""Causes of data races: which lock is missing where, or who does not wait for whom."""

from __future__ import annotations

from abpress.properties.data_race import DataRace, RacingAccess
from abpress.witness.diagnosis.flips import Flips
from abpress.witness.diagnosis.scene import Scene
from abpress.witness.trace import Diagnosis

_ATOMIC = ("atomically", "in an atomic section")
"""How words about an atomic access begin."""


def racing(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Which lock one of the two accesses does not hold."""
    race = scene.finding.shown(scene.system, scene.last)
    if not isinstance(race, DataRace):
        return None
    one, other = race.first, race.second
    for end, use in ((one, other), (other, one)):
        if end.what == "frees":
            return Diagnosis(
                "freed too early",
                f"{_told(scene, end)}, and {_told(scene, use)}: {end.thread} has to know that"
                f" {use.thread} is done with it, as by joining it",
            )
    atomic = [a.what.startswith(_ATOMIC) for a in (one, other)]
    if any(atomic):
        plain = other if atomic[0] else one
        return Diagnosis(
            "plain access beside atomic ones",
            f"{_told(scene, plain)} like any variable, while"
            f" {(one if atomic[0] else other).thread} accesses it atomically: each of its accesses"
            " has to be atomic",
        )
    both = sorted(set(one.locks) & set(other.locks))
    if both:  # nobody else has a mutex
        return Diagnosis(
            "lock held for reading",
            f"{_told(scene, one)}, and {_told(scene, other)}; both hold {both[0]}, and as readers:"
            " who writes has to hold it for writing",
        )
    if one.locks and other.locks:
        return Diagnosis(
            "different locks",
            f"{_with_locks(scene, one)}; {_with_locks(scene, other)}: the same lock has to be held"
            " by both",
        )
    if one.locks or other.locks:
        guarded, bare = (one, other) if one.locks else (other, one)
        return Diagnosis(
            "missing lock",
            f"{_with_locks(scene, guarded)}, and {_told(scene, bare)} without it",
        )
    usual = _usual_locks(scene, one)
    lock = f"{' and '.join(usual)}, which is held for it elsewhere" if usual else "a lock"
    return Diagnosis(
        "missing lock",
        f"{_told(scene, one)}, and {_told(scene, other)}; neither holds {lock}",
    )


def _told(scene: Scene, access: RacingAccess) -> str:
    return f"{access.thread} {access.what} {access.object} at {scene.place(access.position)}"


def _with_locks(scene: Scene, access: RacingAccess) -> str:
    return f"{_told(scene, access)} holding {' and '.join(access.locks)}"


def _usual_locks(scene: Scene, access: RacingAccess) -> list[str]:
    """The mutexes that are held at all other accesses of the object that the execution has, but
    while there is one thread only."""
    others = [a for a in scene.by_cell.get(access.object, ()) if a.locks]
    common = set(others[0].locks) if others else set()
    for other in others:
        common &= set(other.locks)
    return sorted(common)
