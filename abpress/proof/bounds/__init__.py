"""Proofs that accesses are valid, by differences of numbers and where pointers point."""
