"""`python -m experiments`."""

import sys

from experiments.harness import main

sys.exit(main())
