"""ZZ of a thin link is a difference of numbers as large as XX: not one of its digits may be lost."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.models import energy, forward_dynamics, inertia_matrix, inverse_dynamics, lagrange
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

MOMENTS = [(50, 50, 1e-5), (50, 0, 1e-5), (1e8, 1e8, 1e-8), (1e8, 0, 1e-8), (1e8, 99999999.9, 0.1)]
NAMES = ("XX", "YY", "ZZ")


def link(moments: tuple[float, float, float], kind: str) -> tuple[dict[str, object], dict[str, float]]:
    """As numbers, as symbols in an order in which XX and YY do not meet first, or both mixed; and the values."""
    entries: dict[str, object] = dict(zip(NAMES, moments, strict=True))
    values: dict[str, float] = {}
    for name, symbol in {"numbers": {}, "symbols": {"XX": "P1", "ZZ": "P2", "YY": "P3"}, "mixed": {"ZZ": "P2"}}[
        kind
    ].items():
        values[symbol] = float(dict(zip(NAMES, moments, strict=True))[name])
        entries[name] = symbol
    return entries, values


@pytest.mark.parametrize("kind", ["numbers", "symbols", "mixed"])
@pytest.mark.parametrize("moments", MOMENTS, ids=str)
def test_one_joint_feels_zz_to_the_last_digit(moments: tuple[float, float, float], kind: str) -> None:
    entries, values = link(moments, kind)
    robot = Robot.from_table("thin", [entries], gravity=[0, 0, 0], values=values)
    exact = pytest.approx(moments[2], rel=1e-15)
    state = {"q": [0.1], "qd": [0.3], "qdd": [1.0]}
    for method in ("auto", "newton-euler", "acceleration-matrix", "augmented-body"):
        assert float(inverse_dynamics(robot, method=method).evaluate(**state)[0]) == exact
    assert float(inverse_dynamics(robot).compile()(**state)[0]) == exact
    assert float(inertia_matrix(robot).evaluate(q=[0.1])[0, 0]) == exact
    assert float(lagrange(robot).evaluate(q=[0.1])["A"][0, 0]) == exact
    kinetic = energy(robot).evaluate(q=[0.1], qd=[1.0])["kinetic"]
    assert float(np.squeeze(kinetic)) == pytest.approx(moments[2] / 2, rel=1e-15)
    for method in ("factorised", "articulated-bodies"):
        forward = forward_dynamics(robot, method=method)
        assert float(forward.evaluate(q=[0.1], qd=[0.0], tau=[1.0])[0]) == pytest.approx(1 / moments[2], rel=1e-15)


@pytest.mark.parametrize("axis", range(3))
def test_a_thin_link_on_an_arm(axis: int) -> None:
    """Physically possible, thin along any axis, also through a fixed frame: numbers give what exact moments give."""
    sizes = [5e-6, 5e-6, 5e-6]
    sizes[axis] = 50.0  # the second moments; J is their sums
    moments = {name: sum(sizes) - sizes[k] for k, name in enumerate(NAMES)}
    robot = Robot.from_table(
        "thin-tip",
        [{}, {"alpha": "pi/2"}, {"sigma": 2, "theta": "pi/2", **moments}],
        gravity=[0, 0, 0],
    )
    q, qdd = [0.3, 0.7], [0.0, 1.0]
    found = inverse_dynamics(robot).compile()(q=q, qd=[0.0, 0.0], qdd=qdd)
    turned = [sizes[1], sizes[0], sizes[2]]  # by the fixed frame
    assert float(found[1]) == pytest.approx(turned[0] + turned[1], rel=1e-14)
    c, s = np.cos(0.7), np.sin(0.7)
    expected = turned[2] + c * c * turned[0] + s * s * turned[1]
    A = inertia_matrix(robot).compile()(q=q)
    assert float(A[0, 0]) == pytest.approx(expected, rel=1e-14)


def test_programs_hold_doubles() -> None:
    """Exact numbers serve the sums only: what is printed has no fraction of thirty digits."""
    entries, _ = link((50.1, 49.9, 1e-5), "numbers")
    model = inverse_dynamics(Robot.from_table("plain", [{}, {"alpha": "pi/2", **entries}]))
    assert "/" not in model.explain().split("result:")[1]
