"""Parallel stateless search: one tree of executions, explored by several workers."""
