"""What users of the package see: questions in, results out. `abpress` has the names."""
