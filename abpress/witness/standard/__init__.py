"""Witnesses in the formats that verifiers exchange: SV-COMP's YAML and GraphML."""
