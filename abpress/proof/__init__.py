"""Certificates of verdicts "true": written from a complete tree, checked from the program alone.

What a certificate says is in `certificate`, when it is accepted in `check`.
"""
