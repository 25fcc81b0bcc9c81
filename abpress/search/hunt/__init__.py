"""The hunt: many random executions, forward only, for a violation that an engine looks for in
order."""
