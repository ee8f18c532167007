"""Points of a six-joint arm, and the polynomials of a motion, for the tests of motions."""

from __future__ import annotations

import numpy as np

A, B, C = [0.1, -0.2, 0.3, 0.2, 0.4, 0.1], [0.5, -0.4, 0.6, 0.3, 0.2, 0.4], [1.2, -0.8, 1.5, 1.0, -0.4, 0.5]


def at(view, t):
    """q of the polynomials that a page is given."""
    k = min(np.searchsorted(view["times"], t, side="right") - 1, len(view["coefficients"]) - 1)
    rows = np.array(view["coefficients"][k])
    return ((t - view["times"][k]) ** np.arange(len(rows))) @ rows


def limits(robot, **given):
    return {what: dict.fromkeys(robot.joint_names, value) for what, value in given.items()}
