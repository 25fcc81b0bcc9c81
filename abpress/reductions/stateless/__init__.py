"""Algorithms that search without storing states: they choose the threads at each prefix."""
