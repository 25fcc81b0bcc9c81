"""AbPress: a verifier of multi-threaded C programs."""

__version__ = "0.1.0"
