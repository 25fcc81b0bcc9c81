"""Certificates of what holds wherever threads of templates stand, however many there are."""
