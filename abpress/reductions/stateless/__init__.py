"""Algorithms that search without storing states: they choose the threads at each prefix."""

from abpress.reductions.stateless.table import ALGORITHMS, AlgorithmInfo, Preserved

__all__ = ["ALGORITHMS", "AlgorithmInfo", "Preserved"]
