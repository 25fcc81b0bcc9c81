"""Partial-order reductions: they choose threads, never steps."""

from abpress.reductions.static.table import REDUCTIONS, Preserves, ReductionInfo

__all__ = ["REDUCTIONS", "Preserves", "ReductionInfo"]
