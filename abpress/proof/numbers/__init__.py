"""Certificates of numeric facts, and their checker, with arithmetic of its own."""
