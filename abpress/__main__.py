"""`python -m abpress`: the same as the command `abpress`."""

from abpress.cli.main import main

main()
