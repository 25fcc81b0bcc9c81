"""The code generator: the steps of a program become Python functions."""
