"""From a pycparser AST to an `abpress.ir` program: inlining, three-address code, library table."""
