"""Workers: processes that share one tree of executions, or that work side by side."""
