"""Inverse geometric models through loops, each made once."""

from __future__ import annotations

from functools import cache

from models.inverse_geometry.closed_loops import five_bar, slider_crank

import robosym
from robosym import models
from robosym.models.loops.inverse.solver import ThroughLoops

MADE = {
    "sr400": lambda: models.inverse_geometric(robosym.load("sr400")),
    "five-bar": lambda: models.inverse_geometric(five_bar(), mode="cut+"),
    "five-bar with limits": lambda: models.inverse_geometric(
        five_bar(limits={"lower": 0.0, "upper": 2.0}), mode="cut+"
    ),
    "five-bar with a lower limit": lambda: models.inverse_geometric(five_bar(limits={"lower": -0.25}), mode="cut+"),
    "slider-crank": lambda: models.inverse_geometric(slider_crank(), frame="slide_frame", mode="cut+"),
}


@cache
def solver_of(name: str) -> ThroughLoops:
    made = MADE[name]()
    assert isinstance(made, ThroughLoops)
    return made
