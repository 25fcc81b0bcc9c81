"""The abstract reachability tree: nodes, their labels, and the operations on them."""
