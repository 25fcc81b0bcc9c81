"""Dynamic reductions of the search that stores states: they choose the threads at each state."""

from abpress.reductions.stateful.table import ALGORITHMS, AlgorithmInfo

__all__ = ["ALGORITHMS", "AlgorithmInfo"]
