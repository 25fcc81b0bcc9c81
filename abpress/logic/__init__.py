"""Formulas over registers: what labels, guards and interpolants are made of."""
