"""Reports of runs on small programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from abpress.config import Config
from abpress.verify.measure import Cost
from abpress.verify.page.data import report_data
from abpress.verify.run import verify

CAUSES = Path(__file__).resolve().parents[2] / "programs" / "causes"
COST = Cost(1.5, 2.0, 30.0)


def data_of_run(file: Path, *properties: str, **options: Any) -> dict[str, Any]:
    """The data of the page of a run."""
    config = Config.of(file=file, properties=properties, **options)
    return report_data(verify(config), COST, str(file), config=config)


def execution_of(name: str, property: str) -> dict[str, Any]:
    """The execution of a program of `tests/programs/causes`."""
    (answer,) = data_of_run(CAUSES / f"{name}.c", property)["answers"]
    execution: dict[str, Any] = answer["execution"]
    return execution
