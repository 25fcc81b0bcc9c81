"""From the steps of a program to Python functions."""
