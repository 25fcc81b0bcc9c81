"""Causes that are the end of an object's life, or that it has none."""

from __future__ import annotations

from abpress.ir.program import VALID_DEREF, VALID_FREE
from abpress.semantics.outcome import LEFTOVER, LOSS
from abpress.witness.diagnosis.flips import Flips
from abpress.witness.diagnosis.scene import Scene, SceneAccess
from abpress.witness.trace import Diagnosis, LifeEvent, is_named

_NEVER_FREED = "never freed"


def after_its_end(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Who has ended the life of the object that is used or freed, and whether the other order of
    these two would do."""
    if scene.trace.property not in (VALID_DEREF, VALID_FREE):
        return None
    message = scene.finding.message
    ends = [e for e in scene.trace.history if e.what in ("freed", "ended") and is_named(e, message)]
    if not ends or not scene.trace.steps:
        return None
    end, use = ends[0], scene.trace.steps[-1]
    doing = "frees it again" if message.startswith("double free") else "uses it"
    ended = "frees" if end.what == "freed" else "leaves the block of"
    cause = {"frees it again": "double free", "uses it": "use after free"}[doing]
    if end.what == "ended":
        cause = "use after return"
    there, here = scene.place(end.position), scene.place(use.position)
    then = " and" if end.thread == use.thread else f", and {use.thread}"
    text = f"{end.thread} {ended} {end.object} at {there}{then} {doing} at {here}"
    names = [name for name, _ in scene.trace.schedule]
    last = max(i for i, name in enumerate(names) if name == end.thread)
    if end.thread != use.thread and flips.waiting_avoids(last):
        text += f"; nothing makes {end.thread} wait for {use.thread}"
    return Diagnosis(cause, text)


def let_go(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Who has let go the last pointer in memory to what is lost."""
    born = _allocation(scene)
    if not born:
        return None
    pointing, released = _pointing(scene, f"&{born.object}")
    last = _freed_last(scene, pointing)
    if last is not None:
        how = f"{last.thread} frees {last.object}, which points to it, at"
        how += f" {scene.place(last.position)}"
    elif released is not None and not pointing:
        how = f"{released.thread} writes {released.cell} = {released.written} at"
        how += f" {scene.place(released.position)}"
    else:
        return None
    return Diagnosis(
        _NEVER_FREED,
        f"{_allocates(scene, born)}, and no thread frees it before {how}: nothing in memory points"
        " to it from then on",
    )


def never_freed(scene: Scene, flips: Flips) -> Diagnosis | None:
    """Who has allocated what is left or lost."""
    born = _allocation(scene)
    text = born and f"{_allocates(scene, born)}, and no thread frees it"
    return Diagnosis(_NEVER_FREED, text) if text else None


def _allocation(scene: Scene) -> LifeEvent | None:
    message = scene.finding.message
    if scene.trace.property not in (LOSS, LEFTOVER):
        return None
    history = reversed(scene.trace.history)
    return next((e for e in history if e.what == "allocated" and is_named(e, message)), None)


def _allocates(scene: Scene, born: LifeEvent) -> str:
    return f"{born.thread} allocates {born.object} at {scene.place(born.position)}"


def _pointing(scene: Scene, address: str) -> tuple[set[str], SceneAccess | None]:
    """The cells of memory that hold the address in the end, and the last write that replaces it in
    one, if there was any."""
    pointing: set[str] = set()
    last = None
    for access in scene.accesses:
        if access.written is not None and access.written in (address, f"{address}[0]"):
            pointing.add(access.cell)
        elif access.writes and access.cell in pointing:
            pointing.remove(access.cell)
            last = access
    return pointing, last


def _freed_last(scene: Scene, cells: set[str]) -> LifeEvent | None:
    """Which of the objects with these cells was freed last; None if one is left, or none has any of
    them."""
    freed = [e for e in scene.trace.history if e.what == "freed"]
    its = [e for e in freed if any(_is_in(cell, e.object) for cell in cells)]
    left = any(not any(_is_in(cell, e.object) for e in its) for cell in cells)
    return None if left or not its else its[-1]


def _is_in(cell: str, object: str) -> bool:
    return cell.startswith((f"{object}.", f"{object}["))
