"""The definition of the interleaving semantics: analyses, compiled interpreter."""
