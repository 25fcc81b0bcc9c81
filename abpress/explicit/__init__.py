"""Explicit-state engine: the interpreter as a transition system."""
