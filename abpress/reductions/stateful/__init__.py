"""Dynamic reductions of the search that stores states: they choose the threads at each state."""
