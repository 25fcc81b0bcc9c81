"""Any number of threads of one template: invariants that are guessed, and found by Horn clauses."""
