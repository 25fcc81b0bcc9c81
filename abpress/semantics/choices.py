"""Choice points of a step: arbitrary values, and alternatives among edges.

A step is a function of the state and of a sequence of choices. All its outcomes are enumerated by
re-running it, each time with the next sequence in lexicographic order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from abpress.analysis.value_classes import Classes
from abpress.result import Soundness
from abpress.semantics.naming import WILD
from abpress.semantics.outcome import ASSUMING, AWAITING, ConcreteStep, ExecutionEnds

MAX_CHOICES = 200
"""Choice points in one step (a loop inside an atomic block can have any number)."""

MAX_ALTERNATIVES = 1 << 16
"""Choice sequences of one step in one state."""

MAX_SAMPLES = 24


@dataclass(frozen=True, slots=True)
class Domain:
    """The values tried for an arbitrary value between bounds, both included.

    `loss` says what is missed when they are not all.
    """

    values: Sequence[int]
    what: str
    bounds: tuple[int, int]
    loss: str | None = None

    def contains(self, value: int) -> bool:
        """Whether the arbitrary value can be this one."""
        return self.bounds[0] <= value <= self.bounds[1]


def integer_domain(
    bounds: tuple[int, int],
    limit: int,
    classes: Callable[[], Classes | None] | None,
    samples: Iterable[int],
    what: str,
    where: str,
) -> Domain:
    """All values between the bounds if at most `limit`; else a value of each class; else some."""
    low, high = bounds
    if high - low < limit:
        return Domain(range(low, high + 1), what, (low, high))
    told_apart = None if classes is None else classes()
    values = None if told_apart is None else told_apart.representatives(low, high, limit)
    if values is not None:
        return Domain(values, what, (low, high))
    tried = [v for v in (0, 1, -1, low, high, *samples) if low <= v <= high]
    samples = tuple(dict.fromkeys(tried))[:MAX_SAMPLES]
    return Domain(samples, what, (low, high), f"symbolic input: {what} at {where}")


def pointer_domain(what: str, where: str) -> Domain:
    """What is tried for a pointer in memory that was never written: nothing that it could point to.
    NOTE(never-written)"""
    return Domain((0, WILD), what, (0, WILD), f"arbitrary pointer: {what} at {where}")


class Given(int):
    """A choice that is the chosen value itself, which need not be in the domain that is tried."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Given({int(self)})"


class Chooser:
    """Answers the choice points of one run: first as `prefix` says, then always the first value."""

    __slots__ = ("_prefix", "_soundness", "taken", "widths")

    def __init__(self, prefix: Sequence[int], soundness: Soundness) -> None:
        self._prefix = prefix
        self._soundness = soundness
        self.widths: list[int] = []
        self.taken: list[int] = []

    def index(self, width: int) -> int:
        """A number below `width`; no choice point where there is only one."""
        if width == 1:
            return 0
        n = len(self.taken)
        if n >= MAX_CHOICES:
            raise ExecutionEnds(f"more than {MAX_CHOICES} choices in one step")
        k = self._prefix[n] if n < len(self._prefix) else 0
        if not 0 <= k < width:
            raise ExecutionEnds()
        self.taken.append(k)
        self.widths.append(width)
        return k

    def edge(self, open: Sequence[int]) -> int:
        """One of the edges whose guards hold."""
        return open[self.index(len(open))]

    def pick(self, domain: Domain) -> int:
        """A value of the domain, or the one that is given."""
        n = len(self.taken)
        if n < len(self._prefix) and isinstance(given := self._prefix[n], Given):
            self.taken.append(given)
            self.widths.append(1)
            return int(given)
        if domain.loss is not None:
            self._soundness.lose(domain.loss)
        if not domain.values:
            raise ExecutionEnds()
        return domain.values[self.index(len(domain.values))]

    def bit(self, mask: int) -> int:
        """One set bit of a non-negative mask, as a number; 0 if there is none."""
        bits = bits_of(mask)
        return bits[self.index(len(bits))]

    def next(self) -> list[int] | None:
        """The prefix of the next run; None after the last."""
        return next_prefix(self.taken, self.widths)


def next_prefix(taken: Sequence[int], widths: Sequence[int]) -> list[int] | None:
    """The choices with which the next run in lexicographic order begins; None after the last one.

    Those of this run were `taken`, each below its width.
    """
    for n in range(len(taken) - 1, -1, -1):
        if taken[n] + 1 < widths[n]:
            return [*taken[:n], taken[n] + 1]
    return None


def bits_of(mask: int) -> list[int]:
    """The set bits of a non-negative mask as numbers, ascending; 0 alone if there is none."""
    return [1 << k for k in range(mask.bit_length()) if mask >> k & 1] or [0]


def enumerate_steps(
    run: Callable[[Chooser], tuple[ConcreteStep, ...]],
    soundness: Soundness,
    on_end: Callable[[ExecutionEnds, Sequence[int]], None],
) -> tuple[ConcreteStep, ...]:
    """The steps of all choice sequences, of equal outcomes the first; or why there are none.

    `on_end` is told how an execution ends, and after which choices, where there is no step.
    """
    found: dict[object, ConcreteStep] = {}
    nothing = ASSUMING
    prefix: list[int] | None = []
    for _ in range(MAX_ALTERNATIVES):
        chooser = Chooser(prefix or (), soundness)
        try:
            steps = run(chooser)
        except ExecutionEnds as end:
            on_end(end, chooser.taken)
            steps = ASSUMING
        for step in steps:
            found.setdefault(step[2:], step)
        if steps is AWAITING:
            nothing = AWAITING
        prefix = chooser.next()
        if prefix is None:
            return tuple(found.values()) or nothing
    soundness.lose(f"more than {MAX_ALTERNATIVES} alternatives of one step")
    return tuple(found.values()) or ASSUMING


def note(end: ExecutionEnds, soundness: Soundness) -> None:
    """Records what the end of an execution means for a verdict "true"."""
    if end.reason is not None:
        soundness.lose(end.reason)
    if end.assumption is not None:
        soundness.assume(end.assumption)
