"""What depends on a length by max, floor, abs, sign, acos or sqrt is neither taken as zero nor a crash."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sweeps import crossed

from robosym.expr import acos, evaluate, parameter, sqrt
from robosym.models import inverse_dynamics, inverse_geometric, jacobian, jacobian_determinant, jacobian_inverse
from robosym.models.places import place
from robosym.program import ProgramError
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

LINK = {"XX": 1, "YY": 1.2, "ZZ": 1.3, "XY": 0.1, "XZ": 0.2, "YZ": 0.3, "MX": 0.1, "MY": 0.2, "MZ": 0.3, "M": 2}
STATE = {"q": [0.3, 0.2, 0.5], "qd": [1, 2, 3], "qdd": [0.4, 0.5, 0.6]}
ROWS = ("vx", "vy", "vz")
STRANGE = ("max(L-5, 0)", "floor(L/2)", "L-abs(L)-1", "sign(L)", "acos(L/W)", "sqrt(L-5)")


def robot(field: str, entry: str, values: dict[str, float]) -> Robot:
    rows: list[dict[str, Any]] = [
        LINK,
        {field: entry, **LINK},  # a parallel axis, or the same, if it were zero
        {"d": 0.7, "alpha": 0.4, **LINK},
        {"sigma": 2, "d": 0.3, "r": 0.2},
    ]
    return Robot.from_table("strange", rows, gravity=[0, 0, -9.81], values=values)


@pytest.mark.parametrize(("field", "entry"), crossed(["d", "alpha"], STRANGE, every=2))
def test_structure_does_not_hang_on_the_numbers_drawn(entry: str, field: str) -> None:
    known = field == "d"
    values = {"L": 8.0, "W": 9.0} if "W" in entry else {"L": 8.0}
    arm = robot(field, entry, values if known else {})
    late = {} if known else {"parameters": values}
    expected, got = (inverse_dynamics(arm, parameters=p).evaluate(**STATE, **late) for p in ("standard", "base"))
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    J = np.asarray(jacobian(arm).evaluate(q=STATE["q"], **late))[:3]
    det = jacobian_determinant(arm, rows=ROWS).evaluate(q=STATE["q"], **late)
    np.testing.assert_allclose(float(np.squeeze(det)), np.linalg.det(J), rtol=1e-12)
    inverse = jacobian_inverse(arm, rows=ROWS).evaluate(q=STATE["q"], **late)
    np.testing.assert_allclose(inverse, np.linalg.inv(J), rtol=1e-10, atol=1e-12)


def test_a_length_that_vanishes_with_the_robots_own_value_may_be_given_late() -> None:
    arm = robot("d", "max(L-5, 0)", {"L": 3.0})
    assert abs(_torque_error(arm, {"L": 8.0})) < 1e-12


def test_a_late_value_outside_the_domain_is_refused() -> None:
    """The square of sqrt(L - 5) is L - 5, and torques would be finite, with a length that does not exist."""
    for parameters in ("standard", "base"):
        model = inverse_dynamics(robot("d", "sqrt(L-5)", {"L": 8.0}), parameters=parameters)  # type: ignore[arg-type]
        with pytest.raises(ProgramError, match=r"sqrt\(L - 5\) has no value with L = 3\.0"):
            model.evaluate(**STATE, parameters={"L": 3.0})
        with pytest.raises(ProgramError, match="has no value with L = 3"):
            model.compile()(**STATE, parameters={"L": 3.0})


def _torque_error(arm: Robot, late: dict[str, float]) -> float:
    expected, got = (
        inverse_dynamics(arm, parameters=p).evaluate(**STATE, parameters=late) for p in ("standard", "base")
    )
    return float(np.abs(np.asarray(got) - expected).max() / np.abs(expected).max())


def test_what_cannot_be_decided_is_told() -> None:
    never = sqrt(-1 - parameter("L") * parameter("L"))
    with pytest.raises(RobotError, match=r"structure cannot be decided: .* \(give L values\)"):
        place(robot("d", "L", {}), [never])
    with pytest.raises(RobotError, match=r"with its own values \(L = 2\) a part of it has no value"):
        place(robot("d", "L", {"L": 2.0}), [acos(parameter("L"))])
    with pytest.raises(RobotError, match=r"cannot be decided: max\(L - 5, 0\) depends on L, without a value"):
        inverse_geometric(robot("d", "max(L-5, 0)", {}))


def test_numbers_are_drawn_where_everything_has_a_value() -> None:
    entries = [sqrt(parameter("L") - 5), acos(parameter("D") / parameter("L"))]
    found = evaluate(entries, place(robot("d", "L", {}), entries))
    assert np.isfinite(found).all()
    assert place(robot("d", "L", {"L": 7.0}), entries)[parameter("L")] == 7.0


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("scale", [1e-6, 1e3, 1e11])
def test_the_unit_of_length_does_not_matter(scale: float) -> None:
    """Angles are not compared with lengths: in nanometres they would all be zero."""
    rows = [
        {"alpha": 0.5},
        {"alpha": 0.3, "d": 0.5 * scale},
        {"alpha": -0.2, "d": 0.4 * scale},
        {"sigma": 2, "d": 0.3 * scale},
    ]
    arm = Robot.from_table("any-unit", rows)
    q = [0.3, 0.4, 0.5]
    for names in (ROWS, ("wx", "wy", "vz")):
        places = [("vx", "vy", "vz", "wx", "wy", "wz").index(name) for name in names]
        J = np.asarray(jacobian(arm).evaluate(q=q))[places]
        det = float(np.squeeze(jacobian_determinant(arm, rows=names).evaluate(q=q)))
        assert det == pytest.approx(np.linalg.det(J), rel=1e-10)
        assert np.abs(np.asarray(jacobian_inverse(arm, rows=names).evaluate(q=q)) @ J - np.eye(3)).max() < 1e-10
