"""Partial-order reductions: they choose threads, never steps."""

from abpress.reductions.static.table import REDUCTIONS, ReductionInfo

__all__ = ["REDUCTIONS", "ReductionInfo"]
