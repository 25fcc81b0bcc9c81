"""The symbolic engine: an abstract reachability tree, refined by interpolants."""
