"""The ways to say a formula to z3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from abpress.later import later

if TYPE_CHECKING:
    from abpress.smt.translation import Translation

ENCODINGS: Mapping[str, Callable[[], Translation]] = {
    "int": later("abpress.smt.integers", "IntegerEncoding"),
    "bv": later("abpress.smt.vectors", "VectorEncoding"),
}
"""Name -> a new translation."""
