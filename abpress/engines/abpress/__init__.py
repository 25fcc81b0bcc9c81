"""The engine after which the tool is named: lazy abstraction with interpolants, fused with DPOR."""

from __future__ import annotations

from abpress.properties import Aspect

LOOKS_AT = frozenset({Aspect.STEP, Aspect.LOSS, Aspect.DEADLOCK, Aspect.CIRCLE, Aspect.RACE})
"""What the engine shows to a property."""
