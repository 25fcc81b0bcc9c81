"""Bounded clients of concurrent libraries: which results they see, and which they may see."""
