"""Relations between steps: conflict, dependence and happens-before."""
