"""The interleaving semantics: its definition (`reference`), and the compiled interpreter."""
