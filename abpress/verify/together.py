"""What an engine is asked together: properties that one search can look for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from abpress.config import Config
from abpress.engines.table import Engine
from abpress.properties import PROPERTIES, Variant
from abpress.verify.load import Loaded


class Variants(Protocol):
    """The program in the variants that properties are asked of, as `abpress.verify.load`."""

    def of(self, names: Sequence[str], /, *, lean: bool = False) -> Loaded: ...
    def variant(self, names: Sequence[str], /) -> Variant: ...
    def together(self, a: str, b: str, /) -> bool: ...


class Level(Enum):
    """What an engine is asked together."""

    TOGETHER = "all that one search can look for"
    APART = "what is as dear to look for"
    ALONE = "each property by itself"


@dataclass(frozen=True, slots=True)
class Asking:
    """How an engine is asked about a program, in its variants, for a configuration."""

    programs: Variants
    engine: Engine
    config: Config

    def parts(self, names: Sequence[str], level: Level) -> list[tuple[str, ...]]:
        """The properties, in parts that one search may be asked."""
        parts: list[list[str]] = []
        for name in names:
            for part in parts:
                if self._fits((*part, name), level):
                    part.append(name)
                    break
            else:
                parts.append([name])
        return [tuple(part) for part in parts]

    def apart(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """The properties in parts that are smaller; none if there are no such parts."""
        parts = self.parts(names, self.smallest)
        return parts if len(parts) > 1 else []

    @property
    def smallest(self) -> Level:
        """The level of the smallest parts: a tree is asked for each property alone."""
        return Level.ALONE if self.engine.prove is not None else Level.APART

    def leads(self, names: Sequence[str]) -> tuple[str, ...]:
        """Of the properties, those without which the others are searched with less."""
        whole = self._cost(names)
        return tuple(
            name
            for name in names
            if PROPERTIES[name].ends_executions
            or (len(names) > 1 and self._cost([n for n in names if n != name]) != whole)
        )

    def _fits(self, names: Sequence[str], level: Level) -> bool:
        """Whether one search may be asked: of one program, with the reduction that each has."""
        first = names[0]
        if level is Level.ALONE or not all(self.programs.together(first, n) for n in names):
            return False
        costs = {self._cost((name,)) for name in names}
        if level is Level.APART:
            return len(costs) == 1
        return len({reduction for *_, reduction in costs}) == 1

    def _cost(self, names: Sequence[str]) -> tuple[object, ...]:
        """Equal for properties that are as dear to look for; the reduction stands last."""
        variant = self.programs.variant(names)
        configured = self.engine.configured(self.config.but(properties=tuple(names)))
        return (
            variant.every_access,
            variant.lifetimes,
            variant.signed_overflow,
            configured.search.por,
        )
