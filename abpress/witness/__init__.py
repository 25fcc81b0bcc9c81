"""Traces: replay, minimisation, views, report formats."""
