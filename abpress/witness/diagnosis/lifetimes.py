"""Causes of invalid accesses that are the end of an object's life."""

from __future__ import annotations

from abpress.ir.program import VALID_DEREF, VALID_FREE
from abpress.witness.diagnosis.flips import Flips
from abpress.witness.diagnosis.scene import Scene
from abpress.witness.trace import Diagnosis, is_named


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
