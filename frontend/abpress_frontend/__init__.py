"""From a C file with POSIX threads to an `abpress.ir` program."""
