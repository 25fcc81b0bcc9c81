"""The native core: searches of concrete states outside of Python, with the Python search as the
reference."""
