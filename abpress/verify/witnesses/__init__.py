"""Standard witnesses of runs: written from results, and validated by runs."""
