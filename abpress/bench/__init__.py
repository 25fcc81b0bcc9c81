"""Runs many verification tasks, each in a process of its own, and judges and tells the results.

Reading order: `record` (the data), `inputs` (where tasks come from), `process` (one contained
run), `judge` (what it is worth), `runner` (all runs), `compare` (configurations and baselines),
`outputs` (files to look at).
"""
