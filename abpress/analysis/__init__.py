"""Facts about a program that hold in all its executions, worked out once before the search."""
