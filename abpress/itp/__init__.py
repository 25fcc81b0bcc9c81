"""Sequence interpolants of infeasible paths."""
