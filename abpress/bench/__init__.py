"""Runs many verification tasks, each in a process of its own, and judges and tells the results.

Reading order: `record` (the data), `inputs` (where tasks come from), `contained` (one command
within limits), `execute` (one task), `judge` (what a run is worth), `runner` and `session` (all
runs), `store` (their lines), `compare` (configurations, baselines), `outputs` (files to look at).
"""
