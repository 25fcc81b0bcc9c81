"""The frontend: a C file with POSIX threads becomes an `abpress.ir` program."""
