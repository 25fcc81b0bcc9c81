"""Arbitrary values of random executions: each execution has a profile by which it chooses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from abpress.ir.expr import Const, walk
from abpress.ir.program import Program, edges, effect_operands
from abpress.semantics.choices import Domain, Given, bits_of
from abpress.semantics.outcome import ExecutionEnds

FEW = 4
"""Values of a domain up to which all are as likely."""

_MOST_CONSTANTS = 200

Draw = Callable[[Random, Domain, Sequence[int]], int]
"""A value by chance for a domain; it may lie outside. The numbers are those of the program."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A way to choose: its share of the executions, and how it draws a value."""

    name: str
    share: float
    draw: Draw


def _small(chance: Random, domain: Domain, numbers: Sequence[int]) -> int:
    return chance.randrange(4)


def _counting(chance: Random, domain: Domain, numbers: Sequence[int]) -> int:
    return chance.randrange(13)


def _constant(chance: Random, domain: Domain, numbers: Sequence[int]) -> int:
    return chance.choice(numbers) + chance.randrange(-1, 2) if numbers else chance.randrange(4)


def _extreme(chance: Random, domain: Domain, numbers: Sequence[int]) -> int:
    low, high = domain.bounds
    return chance.choice((low, low + 1, high - 1, high))


def _power(chance: Random, domain: Domain, numbers: Sequence[int]) -> int:
    magnitude = 1 << chance.randrange(max(1, domain.bounds[1].bit_length()))
    return magnitude if chance.random() < 0.5 else -magnitude


def _mixed(chance: Random, domain: Domain, numbers: Sequence[int]) -> int:
    kind = chance.random()
    if kind < 0.35:
        return chance.choice(domain.values)
    if kind < 0.6:
        return _constant(chance, domain, numbers)
    if kind < 0.8:
        return chance.randrange(-10, 31)
    if kind < 0.9:
        return _extreme(chance, domain, numbers)
    return _power(chance, domain, numbers)


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("small", 30, _small),
        Profile("counting", 15, _counting),
        Profile("mixed", 35, _mixed),
        Profile("constants", 10, _constant),
        Profile("extremes", 5, _extreme),
        Profile("powers", 5, _power),
    )
}
"""The profiles by their names."""


def numbers_of(program: Program) -> tuple[int, ...]:
    """Numbers that stand in the program, in their order; at most `_MOST_CONSTANTS`."""
    found: dict[int, None] = {}
    for template in program.templates.values():
        for _, edge in edges(template):
            for operand in (edge.guard, *(e for f in edge.effects for e in effect_operands(f))):
                for part in walk(operand):
                    if isinstance(part, Const):
                        found.setdefault(part.value)
    return tuple(found)[:_MOST_CONSTANTS]


class RandomInputs:
    """Chooses by chance. `taken` are the choices of the current step; who reads them clears them.

    What is in `forced` is chosen before chance is asked. Mutable.
    """

    __slots__ = ("_chance", "_draw", "_numbers", "forced", "taken")

    def __init__(self, chance: Random, numbers: Sequence[int]) -> None:
        self._chance = chance
        self._numbers = numbers
        self._draw: Draw = _small
        self.taken: list[int] = []
        self.forced: list[int] = []

    def use(self, profile: Profile) -> None:
        """Chooses by a profile from now on."""
        self._draw = profile.draw

    def edge(self, open: Sequence[int]) -> int:
        """One of the edges whose guards hold."""
        return open[self._index(len(open))]

    def pick(self, domain: Domain) -> int:
        """A value between the bounds of the domain."""
        if self.forced:
            value = int(self.forced.pop())
        else:
            if not domain.values:
                raise ExecutionEnds
            value = self._value(domain)
        self.taken.append(Given(value))
        return value

    def bit(self, mask: int) -> int:
        """One set bit of a non-negative mask, as a number; 0 if there is none."""
        bits = bits_of(mask)
        return bits[self._index(len(bits))]

    def _value(self, domain: Domain) -> int:
        if domain.loss is None and len(domain.values) <= FEW:
            return self._chance.choice(domain.values)
        low, high = domain.bounds
        value = self._draw(self._chance, domain, self._numbers)
        return value if low <= value <= high else self._chance.choice(domain.values)

    def _index(self, width: int) -> int:
        if width == 1:
            return 0
        k = self.forced.pop() if self.forced else self._chance.randrange(width)
        self.taken.append(k)
        return k
