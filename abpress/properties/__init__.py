"""What is checked: one entry of a table per property."""
