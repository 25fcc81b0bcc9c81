"""Reductions of the abstract reachability tree: the threads in which a node is expanded."""
