"""The properties that can be asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from abpress.properties.conjunction import Conjunction
from abpress.properties.data_race import NoDataRace
from abpress.properties.deadlock import NoDeadlock
from abpress.properties.memory import ValidMemcleanup, ValidMemtrack
from abpress.properties.partial_deadlock import NoPartialDeadlock
from abpress.properties.property import Property
from abpress.properties.steps import NoMisuse, NoOverflow, UnreachCall, ValidDeref, ValidFree

PROPERTIES: Mapping[str, Property] = {
    property.name: property
    for property in (
        UnreachCall(),
        NoDeadlock(),
        NoPartialDeadlock(),
        NoDataRace(),
        ValidDeref(),
        ValidFree(),
        NoOverflow(),
        NoMisuse(),
        ValidMemtrack(),
        ValidMemcleanup(),
    )
}
"""Name (the value of `--property`) -> property."""

_GROUPS: Mapping[str, tuple[str, ...]] = {
    "valid-memsafety": ("valid-free", "valid-deref", "valid-memtrack"),
}

GROUPS: Mapping[str, tuple[str, ...]] = {
    **{name: its for name, its in _GROUPS.items() if set(its) <= set(PROPERTIES)},
    "all": tuple(PROPERTIES),
}
"""Name (also a value of `--property`) -> the properties that it asks for together."""


def asked(names: Sequence[str]) -> Property:
    """The property of this name; of several, their conjunction."""
    parts = tuple(PROPERTIES[name] for name in names)
    return parts[0] if len(parts) == 1 else Conjunction(parts)
