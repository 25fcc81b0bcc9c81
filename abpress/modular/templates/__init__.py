"""Any number of threads of one template: their steps, and what has to be shown of invariants."""
