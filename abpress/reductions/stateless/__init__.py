"""Algorithms that search without storing states: they choose the threads at each prefix."""

from abpress.reductions.stateless.table import ALGORITHMS, Preserved, StatelessInfo

__all__ = ["ALGORITHMS", "Preserved", "StatelessInfo"]
