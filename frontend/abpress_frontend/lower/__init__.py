"""Lowering of a pycparser AST to a program: inlining, three-address code, library table."""
