"""Partial-order reductions: they choose threads, never steps. `reductions.table` lists them."""
