"""Orders of small packages and their parts, for tests that look at texts and not at programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import robosym
from robosym import packaging
from robosym.packaging import Order, Part, Refused
from robosym.packaging.calls import Call, calls_of
from robosym.packaging.joints import Joints, joints_of


def ordered(
    models: Sequence[str], robot: robosym.Robot | str = "planar-2r", language: str = "c", **options: Any
) -> tuple[Order, list[Part]]:
    """An order of these models, and their parts."""
    named = robosym.load(robot) if isinstance(robot, str) else robot
    order = packaging.order(named, language, models=models, **options)
    return order, [part for part in packaging.parts(order) if not isinstance(part, Refused)]


def called(
    models: Sequence[str], robot: robosym.Robot | str = "planar-2r", **options: Any
) -> tuple[Order, list[Call], Joints]:
    """The same as their users call them."""
    order, parts = ordered(models, robot, **options)
    joints = joints_of(order.robot)
    return order, calls_of(order, parts, joints), joints
