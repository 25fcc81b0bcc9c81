"""`python -m experiments`."""

import sys

from abpress.interpreter import with_room_for_calls
from experiments.harness import main

sys.exit(with_room_for_calls(main))
