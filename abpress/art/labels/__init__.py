"""What nodes of the abstract reachability tree know: the policies for labels."""
