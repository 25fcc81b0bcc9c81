"""Why an execution violates a property: its cause, from what changes the outcome."""

from __future__ import annotations

from collections.abc import Callable

from abpress.properties.data_race import DataRace
from abpress.witness.diagnosis.flips import Flips
from abpress.witness.diagnosis.interleaving import interrupted, unfinished, woken_for_nothing
from abpress.witness.diagnosis.lifetimes import after_its_end, let_go, never_freed
from abpress.witness.diagnosis.permits import too_many
from abpress.witness.diagnosis.racing import racing
from abpress.witness.diagnosis.scene import Scene
from abpress.witness.diagnosis.timing import needed_order, too_early
from abpress.witness.diagnosis.waiting import ANYTHING, deadlocked, not_initialised
from abpress.witness.trace import Diagnosis, TraceStep

LONGEST = 2_000
"""Steps of an execution of which the cause is looked for."""

Cause = Callable[[Scene, Flips], Diagnosis | None]


def diagnosis_of(scene: Scene, expired: Callable[[], bool] = lambda: False) -> Diagnosis | None:
    """The cause of the violation; None if none is found. Deterministic, and bounded by steps;
    `expired` can only end it."""
    if len(scene.schedule) > LONGEST or expired():
        return None
    flips = Flips(scene, expired=expired)
    return next(filter(None, (cause(scene, flips) for cause in _causes(scene))), None)


def _causes(scene: Scene) -> tuple[Cause, ...]:
    """What may be the cause of such a finding, the simplest first."""
    if isinstance(scene.finding, DataRace):
        return (racing,)
    if scene.finding.waits:
        return (not_initialised, deadlocked)
    return (
        after_its_end,
        let_go,
        _any_order,
        woken_for_nothing,
        too_many,
        interrupted,
        unfinished,
        too_early,
        needed_order,
        never_freed,
    )


def _is_input(step: TraceStep, choice: tuple[str, int]) -> bool:
    """Whether a choice is one of the program, and none of a model of the library."""
    return not step.position.in_model or choice[0].startswith(ANYTHING)


def _any_order(scene: Scene, flips: Flips) -> Diagnosis | None:
    """That it does not depend on the order: threads one after the other violate it, too."""
    choices = [pair for step in scene.trace.steps for pair in step.choices if _is_input(step, pair)]
    inputs = ", ".join(f"{what} = {value}" for what, value in choices[:4])
    given = f", with {inputs}" if inputs else ""
    threads = set(scene.threads)
    if len(threads) == 1:
        return Diagnosis("no interleaving", f"{scene.trace.threads[0]} alone does it{given}")
    first = min(threads)
    one_by_one = [t for t in sorted(threads) for _ in scene.schedule]
    if not all(
        flips.violates_one_by_one(order, last)
        for order, last in ((one_by_one, None), ([], None), ([], first))
    ):
        return None
    return Diagnosis(
        "any order",
        f"Threads that run one after the other come to it as well{given}, in order of creation and"
        " in the reverse: it is not a matter of interleaving",
    )
