"""`python -m abpress`: the same as the command `abpress`."""

import sys

from abpress.cli.main import main

sys.exit(main())
