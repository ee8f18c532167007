"""Standard parameters known beforehand: those of the description, and of another description in our frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from identification.estimation.clouds import cloud_parameters
from scipy.spatial.transform import Rotation

import robosym
from robosym import models
from robosym.identification.prior import PriorError, positive, prior_values, standards
from robosym.models.regressors.regressor import Regressor
from robosym.robot import INERTIA, Robot

FRICTION = ("viscous", "coulomb", "offset")


def cloud(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and masses of a body."""
    rng = np.random.default_rng(seed)
    return 0.2 * rng.normal(size=(6, 3)), rng.random(6)


def body(points: np.ndarray, masses: np.ndarray) -> dict[str, float]:
    return dict(zip(INERTIA, map(float, cloud_parameters(points, masses)), strict=True))


def arm(name: str, rows: list[dict[str, Any]], **settings: Any) -> Robot:
    return Robot.from_table(name, rows, **{"gravity": [0, 0, -9.81], **settings})


SYMBOLIC = {"inertia": "symbolic", "actuator": "symbolic"}
OURS = [{"joint": "a", **SYMBOLIC}, {"joint": "b", "alpha": "pi/2", "d": 0.4, "r": 0.1, **SYMBOLIC}]


def model(robot: Robot | None = None, **options: Any) -> Regressor:
    return models.regressor(robot or arm("ours", OURS), parameters="base", friction=FRICTION, **options)


def by_name(identified: Regressor, values: np.ndarray) -> dict[str, float]:
    return dict(zip(identified.standard_map()[0], values, strict=True))


# --- numbers of the description ----------------------------------------------------------------------------------------


def test_numbers_of_the_description() -> None:
    """All standard parameters of an arm that has numbers for them; the offsets of friction it does not have are zero."""
    robot = robosym.load("planar-2r")
    identified = model(robot)
    found = by_name(identified, prior_values(identified))
    for name, value in robot.values.items():
        stem = name.rstrip("12")
        if stem in INERTIA or stem == "IA":
            assert found[name] == pytest.approx(value.number, abs=1e-15), name
    assert (found["Fv1"], found["Fs2"]) == (0.5, 0.4)
    assert found["offset1"] == 0.0


def test_numbers_that_the_description_lacks_are_unknown() -> None:
    """A link of which one number is missing has no mass, and what stands alone in the base parameters is known."""
    robot = robosym.load("planar-2r")
    values = {name: value for name, value in robot.values.items() if name not in ("XY1", "FV2", "IA1")}
    found = by_name(model(robot), prior_values(model(robot.replace(values=values))))
    assert all(np.isnan(found[name]) for name in ("XY1", "XX1", "ZZ1", "M1", "IA1"))
    assert found["MY1"] == 0.05
    assert np.isnan(found["Fv2"])
    assert found["M2"] == 3.0
    assert found["IA2"] == 0.15


def test_a_link_without_a_mass_is_unknown() -> None:
    robot = robosym.load("planar-2r")
    zero = {f"{stem}2": 0.0 for stem in INERTIA}
    found = by_name(model(robot), prior_values(model(robot.replace(values={**robot.values, **zero}))))
    assert all(np.isnan(found[name]) for name in ("XX2", "M2"))
    assert found["M1"] == 5.0


# --- another description of the same robot -----------------------------------------------------------------------------


def test_links_of_another_description_are_moved_to_our_frames() -> None:
    """The origin of each frame elsewhere along its joint: the points of the same bodies by other coordinates."""
    bodies = [cloud(1), cloud(2)]
    up = np.array([[0, 0, 0.25], [0, 0, -0.3]])  # of their origins, in our frames
    rows = [
        {"joint": "x", "r": 0.25, **body(bodies[0][0] - up[0], bodies[0][1])},
        # Along x of the first frame to our second axis, and down along it.
        {
            "joint": "y",
            "alpha": "pi/2",
            "d": 0.4,
            "r": 0.1 - 0.3,
            "b": -0.25,
            **body(bodies[1][0] - up[1], bodies[1][1]),
        },
    ]
    identified = model()
    found = by_name(identified, prior_values(identified, arm("other", rows)))
    for j, (points, masses) in enumerate(bodies, 1):
        expected = cloud_parameters(points, masses)
        np.testing.assert_allclose([found[f"{stem}{j}"] for stem in INERTIA], expected, atol=1e-12)
    assert np.isnan(found["IA1"])  # drives are those of the description, which has no numbers
    assert np.isnan(found["Fv1"])


def test_a_link_that_is_turned_about_its_joint() -> None:
    """The other frame stands 0.7 rad further: a fixed frame behind the joint carries its link."""
    points, masses = cloud(3)
    turn = Rotation.from_euler("Z", 0.7).as_matrix()
    rows = [{"joint": "a"}, {"joint": "b", "alpha": "pi/2", "d": 0.4, "r": 0.1, "theta": "q + 0.7", "variable": "q"}]
    rows[1] |= body(points @ turn, masses)  # of the frame whose zero is 0.7 rad further: R^T p
    identified = model()
    found = by_name(identified, prior_values(identified, arm("turned", rows)))
    np.testing.assert_allclose([found[f"{stem}2"] for stem in INERTIA], cloud_parameters(points, masses), atol=1e-12)


def test_a_base_that_stands_elsewhere() -> None:
    """Moved and not turned: links are about frames that move with them."""
    points, masses = cloud(4)
    place = np.eye(4)
    place[:3, 3] = 3.0, -2.0, 5.0
    rows = [{"joint": "a"}, {"joint": "b", "alpha": "pi/2", "d": 0.4, "r": 0.1, **body(points, masses)}]
    other = arm("far", rows, base={"location": place.ravel().tolist()})
    identified = model()
    found = by_name(identified, prior_values(identified, other))
    np.testing.assert_allclose([found[f"{stem}2"] for stem in INERTIA], cloud_parameters(points, masses), atol=1e-11)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"joint": "a", "M": 1}], r"prior other: has 1 joints \(a\), expected the 2 of ours"),
        (
            [{"joint": "a", "M": 1}, {"joint": "b", "alpha": "pi/2", "d": 0.41, "r": 0.1, "M": 1}],
            r"prior other: its link frame\d does not move as frame\d of ours does for the same q",
        ),
        (
            [{"joint": "a", "M": 1}, {"joint": "b", "alpha": "-pi/2", "d": 0.4, "r": 0.1, "M": 1}],
            r"does not move as frame\d of ours does",
        ),
        (
            [{"joint": "a", "alpha": "pi", "M": 1}, {"joint": "b", "alpha": "pi/2", "d": 0.4, "r": 0.1, "M": 1}],
            r"does not move as frame\d of ours does",
        ),
        (
            [{"joint": "a", "M": 1}, {"joint": "b", "sigma": "prismatic", "alpha": "pi/2", "d": 0.4, "M": 1}],
            r"does not move as frame\d of ours does",
        ),
    ],
)
def test_robots_that_move_in_another_way(rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(PriorError, match=message):
        prior_values(model(), arm("other", rows))


# --- what standard parameters are --------------------------------------------------------------------------------------


def test_standards_map_to_the_base_parameters() -> None:
    """K = B x with the description's numbers, and ten parameters of each link in their order."""
    robot = robosym.load("scara")
    identified = model(robot)
    found = standards(identified)
    values = prior_values(identified)
    truth = np.array(list(identified.described_values().values()))
    np.testing.assert_allclose(found.base @ np.nan_to_num(values), truth, atol=1e-12)
    assert found.link_names == tuple(robot.frame(j).name for j in range(1, len(found.links) + 1))
    for j, link in enumerate(found.links, 1):
        assert [found.names[k] for k in link] == [f"{stem}{j}" for stem in INERTIA]
    assert len(found.names) == found.base.shape[1]


def test_parameters_that_cannot_be_negative() -> None:
    """Rotors and friction, not inertias, products or offsets."""
    identified = model()
    names = identified.standard_map()[0]
    assert positive(identified, names) == ["IA1", "IA2", "Fv1", "Fs1", "Fv2", "Fs2"]
    assert [standards(identified).names[k] for k in standards(identified).nonnegative] == positive(identified, names)
    assert positive(identified, ("Fv12", "Fs_negative3", "stiffness1", "damping1", "ZZ1", "offset1", "Fv1_2")) == [
        "Fv12",
        "Fs_negative3",
        "stiffness1",
        "damping1",
    ]
