"""Partial-order reductions: they choose threads, never steps."""

from abpress.por.table import REDUCTIONS, Preserves, ReductionInfo

__all__ = ["REDUCTIONS", "Preserves", "ReductionInfo"]
