"""Executions of the model, enforced on the compiled program."""
