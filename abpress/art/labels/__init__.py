"""Labels of nodes of the abstract reachability tree, and the policies that find them."""
