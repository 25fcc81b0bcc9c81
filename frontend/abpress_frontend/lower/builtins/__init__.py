"""Library functions lowered in Python: they need types, sizes or text of their arguments."""
