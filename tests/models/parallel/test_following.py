"""The joints of a leg as coordinates that follow."""

from __future__ import annotations

from robosym.expr import variable
from robosym.models.parallel.following import Following
from robosym.models.tree.coordinates import coordinates
from robosym.robot import Robot


def test_axes_move_as_they_are_told() -> None:
    own = coordinates(Robot.from_table("x", [{"joint": "a"}, {"joint": "b"}]))
    fields = {name: getattr(own, name) for name in own.__dataclass_fields__ if own.__dataclass_fields__[name].init}
    x = variable("x")
    found = Following(**fields, speeds={1: 0.5}, accelerations={2: 0.25}, places_of={2: x})
    assert (found.speed(1), found.speed(2), found.speed("vx")) == (0.5, 0, 0)
    assert (found.acceleration(1), found.acceleration(2), found.acceleration("vx")) == (0, 0.25, 0)
    assert found.position(2) is x
