"""Inline assembler of x86 as C, NOTE(assembler)."""
