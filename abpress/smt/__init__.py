"""Satisfiability of formulas: the only door to z3."""
