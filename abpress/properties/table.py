"""The properties that can be asked for."""

from __future__ import annotations

from collections.abc import Mapping

from abpress.properties.data_race import NoDataRace
from abpress.properties.deadlock import NoDeadlock
from abpress.properties.memory import ValidMemcleanup, ValidMemtrack
from abpress.properties.property import Property
from abpress.properties.reach import UnreachCall

PROPERTIES: Mapping[str, Property] = {
    p.name: p
    for p in (UnreachCall(), NoDeadlock(), NoDataRace(), ValidMemtrack(), ValidMemcleanup())
}
"""Name (the value of `--property`) -> property."""
