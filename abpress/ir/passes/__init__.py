"""Passes from programs to programs that keep their meaning: violations, faults, visible steps."""
