"""Recordings and recipes of a robot with two joints, for the tests of identification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

FILES = {"data.csv": ["t", "q1", "q2", "tau1", "tau2"]}
TABLE: dict[str, Any] = {
    "robot": "planar-2r",
    "data": {"files": ["data.csv"], "time": "t"},
    "position": {"columns": ["q1", "q2"], "offset": [0, "-pi/2"]},
    "torque": {"columns": ["tau1", "tau2"], "unit": "N m"},
}


def written(folder: Path, header: str, rows: int = 300, scale: float = 1.0, name: str = "data.csv") -> Path:
    """A CSV file: time first if the header says so, then sines of different phases."""
    t = np.arange(rows) / 100
    names = header.split(",")
    columns = [t if column.startswith("t") and k == 0 else scale * np.sin(t + k) for k, column in enumerate(names)]
    np.savetxt(folder / name, np.column_stack(columns), delimiter=",", header=header, comments="")
    return folder / name
