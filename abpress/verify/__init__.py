"""Composition root: the only place that knows every engine."""
