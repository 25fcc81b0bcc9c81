"""Partial-order reductions: they choose threads, never steps."""
