"""Numeric facts that hold whatever the other threads do: intervals, linear forms, growth."""
