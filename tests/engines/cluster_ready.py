"""What each machine of a cluster does first, done before it is forked."""

from __future__ import annotations

import gc

import tests.engines.cluster_tasks  # noqa: F401
from abpress.parallel.node import source_digest

source_digest()
gc.collect()
gc.freeze()
