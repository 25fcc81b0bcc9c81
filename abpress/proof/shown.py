"""What trees and certificates show of states, besides the steps of threads."""

from __future__ import annotations

from collections.abc import Mapping

from abpress.properties import Aspect
from abpress.symbolic.discrete import Shown

SHOWN: Mapping[Aspect, Shown] = {
    Aspect.DEADLOCK: Shown.DEADLOCK,
    Aspect.CIRCLE: Shown.CIRCLE,
    Aspect.RACE: Shown.RACE,
}
"""What a property looks at -> what has to be impossible at each node that is expanded."""
