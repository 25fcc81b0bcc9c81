"""The symbolic semantics: the steps of a program for all values at once."""
