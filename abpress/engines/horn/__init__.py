"""Engine `horn`: Horn clauses for the places of a program under a preference order.

See NOTE(preference-order).
"""
