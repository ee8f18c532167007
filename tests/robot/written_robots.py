"""Parallel robots as tables: of legs, and with every frame written out; what they become, and what is wrong with them."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from robosym.robot import Robot, RobotError

BARS: list[dict[str, Any]] = [
    {"name": "crank", "joint": "motor", "active": True, "inertia": ["ZZ", "M"]},
    {"name": "rod", "d": "L1", "M": "MR"},
    {"name": "end", "d": "L2"},
]


def planar(**leg: Any) -> dict[str, Any]:
    """The tables of a planar robot of three legs."""
    table = {"repeat": 3, "angle": "2*pi/3", "base": ["RB", 0, 0], "seat": ["RP", 0, 0], "joint": "rigid"}
    return {"name": "planar", "platform": {"M": "MP"}, "leg": [{**table, "frame": copy.deepcopy(BARS), **leg}]}


def made(data: dict[str, Any]) -> Robot:
    return Robot.from_table(
        data["name"], data.get("frame", []), **{k: v for k, v in data.items() if k not in ("name", "frame")}
    )


def said(data: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(RobotError) as caught:
        made(data)
    return {problem.where: problem.message for problem in caught.value.problems}


def written_out() -> dict[str, Any]:
    """Two legs of two joints, every frame written out."""
    leg = [{"antecedent": 0}, {"d": 1, "active": False}]
    rows = [*leg, *copy.deepcopy(leg), {"name": "hand", "antecedent": 0, "sigma": "free"}]
    rows += [{"name": s, "antecedent": "hand", "sigma": "fixed", "d": d} for s, d in (("left", -1), ("right", 1))]
    legs = [{"name": "a", "end": 2, "seat": "left"}, {"name": "b", "end": "frame4", "seat": 7, "joint": "rigid"}]
    return {"name": "x", "frame": rows, "module": [{"platform": "hand", "legs": legs}]}
