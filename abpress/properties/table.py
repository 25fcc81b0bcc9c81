"""The properties that can be asked for."""

from __future__ import annotations

from collections.abc import Mapping

from abpress.properties.data_race import NoDataRace
from abpress.properties.deadlock import NoDeadlock
from abpress.properties.memory import ValidMemcleanup, ValidMemtrack
from abpress.properties.property import Property
from abpress.properties.steps import NoMisuse, NoOverflow, UnreachCall, ValidDeref, ValidFree

PROPERTIES: Mapping[str, Property] = {
    property.name: property
    for property in (
        UnreachCall(),
        NoDeadlock(),
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
