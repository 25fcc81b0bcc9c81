"""Reductions of the search that stores states: they choose the threads by the state alone."""
