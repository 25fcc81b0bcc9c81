"""The driver: one exploration loop for all strategies."""
