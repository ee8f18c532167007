"""A platform and its legs in words."""

from __future__ import annotations

import robosym
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.words import explained


def test_a_platform_that_translates() -> None:
    robot = robosym.load("delta")
    said = explained(modes_of(robot)).splitlines()
    module = modes_of(robot).module
    assert said[0] == "delta: a platform on 3 legs, 3 degrees of freedom"
    assert said[1].startswith("components of its twist that are free: ")
    assert said[2] == f"motors: {', '.join(robot.joint_names)}"
    legs = ", ".join(leg.leg.name for leg in module.legs)
    assert f"{legs}: joints {module.legs[0].joint_names()}, joined to the platform rigidly" in said
    form = modes_of(robot).forms[0]
    modes = [line.split(":")[0].strip() for line in said if line.startswith("   mode ")]
    assert modes == [f"mode {form.name(module.legs[0], b)}" for b in range(form.count)]
    assert "   then the joints that turn the end about the point it is brought to:" in said or form.wrist is None
    equations = [line for line in said if line.startswith("   1. ")]
    assert len(equations) == (1 if form.wrist is None else 2)
    assert equations[0].startswith(f"   1. {module.legs[0].short_name(int(form.form.plan.moves[0].joint) - 1)}: ")


def test_legs_joined_in_a_point() -> None:
    said = explained(modes_of(robosym.load("gough-stewart")))
    assert "6 degrees of freedom" in said
    assert "joined to the platform in a point" in said
