"""The properties that hold by the text of the program: no engine is asked."""

from __future__ import annotations

from abpress.config import Config
from abpress.proof.allocation import NOTHING, NoTree, proved_by_text
from abpress.proof.assumptions import DEFINED
from abpress.result import Soundness, proved
from abpress.semantics.outcome import ABOUT_ALLOCATION
from abpress.verify.certify import certified
from abpress.verify.load import Programs
from abpress.verify.turn import Decision


def decided_by_text(programs: Programs, config: Config) -> dict[str, Decision]:
    """Those of the properties that are asked, with the certificate of each."""
    found = {}
    for name in config.question.properties:
        if name in ABOUT_ALLOCATION:
            loaded = programs.of((name,))
            why = proved_by_text(loaded.program, name)
            if why is not None:
                soundness = Soundness(assumptions=dict.fromkeys(loaded.assumptions))
                if why != NOTHING:
                    soundness.assume(DEFINED)
                statistics = {"decided by": why}
                text = certified(loaded.program, config.but(property=name), NoTree())
                found[name] = Decision(proved(name, soundness, True, statistics), None, text)
    return found
