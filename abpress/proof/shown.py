"""What trees and certificates show of states, besides the steps of threads."""

from __future__ import annotations

from collections.abc import Mapping

from abpress.properties import Aspect
from abpress.symbolic.discrete import EndShown

SHOWN: Mapping[Aspect, EndShown] = {
    Aspect.DEADLOCK: EndShown.DEADLOCK,
    Aspect.CIRCLE: EndShown.CIRCLE,
    Aspect.RACE: EndShown.RACE,
}
"""What a property looks at -> what has to be impossible at each node that is expanded."""
