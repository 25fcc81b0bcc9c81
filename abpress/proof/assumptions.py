"""What proofs assume of the program, in the words in which verdicts tell it."""

from __future__ import annotations

from abpress.semantics.outcome import OVERFLOW_ASSUMED

DEFINED = "no undefined behaviour: it was not looked for"
"""Of a proof by the text of a program that allocates memory."""

DEFINED_SO_FAR = "no undefined behaviour: executions are looked at up to it"
"""Of a proof by facts, as executions end there."""

NO_OVERFLOW_SO_FAR = f"{OVERFLOW_ASSUMED}: executions are looked at up to it"
"""Of a proof by facts that excludes all other undefined behaviour."""
