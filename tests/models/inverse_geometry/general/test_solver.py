"""The general method: published solutions, and random arms whose generating configuration must come back."""

from __future__ import annotations

import numpy as np
import pytest
from counted import calls
from models.inverse_geometry import sixteen
from sweeps import many, some

from robosym.errors import RobosymError
from robosym.library import load
from robosym.models import geometric, inverse_geometric
from robosym.models.inverse_geometry.general import GeneralSolver
from robosym.models.inverse_geometry.general.solver import FEW
from robosym.models.inverse_geometry.general.trial import distance
from robosym.robot import PRISMATIC, Robot, RobotError


def random_robot(rng: np.random.Generator, kinds: str, **settings: object) -> Robot:
    rows = []
    for kind in kinds:
        row = {"sigma": int(kind), "alpha": float(rng.uniform(-3, 3)), "d": float(rng.uniform(-0.5, 0.5))}
        row |= {"theta" if kind == "1" else "r": float(rng.uniform(-0.5, 0.5))}
        rows.append(row)
    return Robot.from_table(f"random-{kinds}", rows, **settings)


def random_q(rng: np.random.Generator, robot: Robot, count: int) -> np.ndarray:
    q = rng.uniform(-np.pi, np.pi, (count, 6))
    q[:, [robot.frame(j).sigma == PRISMATIC for j in robot.moving]] /= np.pi
    return q


def direct(robot: Robot, q: np.ndarray) -> np.ndarray:
    """The direct geometric model of the library: independent of the solver's own."""
    return np.asarray(geometric(robot).compile()(q=q))


def solutions(robot: Robot, T: object, **options: object) -> tuple[np.ndarray, np.ndarray]:
    """Q (N, 16, 6) by the general method, and which rows are there."""
    found = inverse_geometric(robot, method="general").batch(T, **options)
    return found.solutions, np.arange(found.solutions.shape[1]) < found.counts[:, None]


def verified(robot: Robot, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve the poses of q; every solution reaches its pose, none repeats. Which of q came back, and how many each."""
    T = direct(robot, q)
    Q, valid = solutions(robot, T)
    kinds = tuple(robot.frame(j).sigma for j in robot.moving)
    assert Q.shape == (len(q), 16, 6)
    assert not Q[~valid].any()
    n, i = np.nonzero(valid)
    assert np.linalg.norm((direct(robot, Q[n, i]) - T[n]).reshape(len(n), -1), axis=1).max() < 1e-9
    assert np.abs(Q[:, :, [kind != PRISMATIC for kind in kinds]]).max() <= np.pi
    for j in range(1, 16):
        near = distance(kinds, Q[:, :j], Q[:, j : j + 1]) < 1e-6
        assert not (near & valid[:, :j] & valid[:, j : j + 1]).any()
    back = (distance(kinds, Q, q[:, None]) < 1e-6) & valid
    return back.any(axis=1), valid.sum(axis=1)


@pytest.mark.slow
def test_sixteen_real_solutions() -> None:
    robot = sixteen.arm(flange=True)
    Q, valid = solutions(robot, [sixteen.POSE])
    assert valid.all()
    sixteen.check_all_sixteen(Q[0], 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(4), 2))
def test_generic_six_revolute(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, "000000")
    back, counts = verified(robot, random_q(rng, robot, many(150)))
    assert back.all()
    assert not (counts % 2).any()  # complex solutions come in pairs


# Every place of two prismatic joints relative to each other and to the pose, and some of one and of three.
MIXES = ["100000", "010000", "000100", "000001", "110000", "011000", "001100", "000110", "000011", "100001"]
MIXES += ["101000", "010100", "001010", "000101", "100010", "010001", "100100", "010010", "001001"]
MIXES += ["111000", "010101", "110001", "000111"]


@pytest.mark.slow
@pytest.mark.parametrize("kinds", some(MIXES, 4))
def test_generic_with_prismatic_joints(kinds: str) -> None:
    rng = np.random.default_rng(int(kinds, 2))
    robot = random_robot(rng, kinds)
    back, counts = verified(robot, random_q(rng, robot, many(100 if kinds in MIXES[::5] else 30)))
    assert back.all()
    assert not (counts % 2).any()
    assert counts.max() <= {1: 16, 2: 8, 3: 2}[kinds.count("1")]


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(["puma560", "rx90", "ur5", "stanford"], 2))
def test_special_arms(name: str) -> None:
    """Meeting and parallel axes make every elimination degenerate: a neighbouring arm is solved instead."""
    robot = load(name)
    back, counts = verified(robot, random_q(np.random.default_rng(1), robot, many(100)))
    assert back.mean() > 0.99
    assert counts.max() == 8


@pytest.mark.slow
def test_fixed_frames_offsets_and_the_world() -> None:
    rng = np.random.default_rng(3)
    rows = [{"sigma": 2, "gamma": 0.3, "alpha": 0.7, "r": 0.4}]
    for i, kind in enumerate("001000"):
        row = {"sigma": int(kind), "gamma": 0.2 * i, "b": 0.1, "alpha": float(rng.uniform(-3, 3)), "d": 0.3}
        row |= {"variable": f"q{i + 1}", ("r" if kind == "1" else "theta"): f"q{i + 1} + 0.{i + 1}"}
        rows.append(row)
        rows.append({"sigma": 2, "alpha": 0.1 * i, "theta": 0.5, "r": 0.2})
    robot = Robot.from_table("offsets", rows)
    back, _ = verified(robot, random_q(rng, robot, 100))
    assert back.all()


@pytest.mark.slow
def test_millimetres_and_a_far_base() -> None:
    """The same arm a thousand times larger, its base far away: the residual stays absolute."""
    rng = np.random.default_rng(8)
    rows = [{"alpha": float(rng.uniform(-3, 3)), "d": float(rng.uniform(-500, 500)), "r": 300.0} for _ in range(6)]
    robot = Robot.from_table("large", [{"sigma": 2, "b": 5000.0}, *rows])
    back, _ = verified(robot, random_q(rng, robot, many(50)))
    assert back.all()


@pytest.mark.slow
def test_parameters_at_call_time() -> None:
    rows = [{"alpha": 0.4 * i + 0.3, "d": "L" if i else 0.1, "r": 0.1 * i + 0.1} for i in range(6)]
    robot = Robot.from_table("symbolic", rows)
    solver = inverse_geometric(robot, method="general")
    q = np.random.default_rng(0).uniform(-3, 3, (20, 6))
    for length in (0.3, 0.5):
        T = geometric(robot).compile()(q=q, parameters={"L": length})
        found = solver.batch(T, parameters={"L": length})
        valid = np.arange(16) < found.counts[:, None]
        assert ((distance((0,) * 6, found.solutions, q[:, None]) < 1e-6) & valid).any(axis=1).all()
    with pytest.raises(RobosymError, match="L"):
        solver(np.eye(4))
    with pytest.raises(RobosymError, match="'M9'"):
        GeneralSolver(robot).stages({"L": 1, "M9": 2})


def test_few_sets_of_parameters_are_remembered() -> None:
    rows = [{"alpha": 0.4 * i + 0.3, "d": "L" if i else 0.1, "sigma": i % 2} for i in range(6)]
    solver = GeneralSolver(Robot.from_table("symbolic", rows))
    first = solver.plan({"L": 0.3})
    assert solver.plan({"L": 0.3}) is first
    for k in range(FEW):
        solver.plan({"L": 0.4 + k / 10})
    assert solver.plan({"L": 0.3}) is not first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "degree"), some([("000000", 16), ("000100", 16), ("100100", 8), ("001100", 8), ("010101", 2)], 2)
)
def test_characteristic_polynomial(kinds: str, degree: int) -> None:
    """Its real roots are the tangents of half the joint's angle over the solutions, no more and no fewer."""
    rng = np.random.default_rng(11)
    robot = random_robot(rng, kinds)
    T = direct(robot, random_q(rng, robot, 1))[0]
    solver = GeneralSolver(robot)
    joint, coefficients = solver.characteristic_polynomial(T)
    assert coefficients.shape == (degree + 1,)
    assert np.abs(coefficients).max() == 1
    roots = np.roots(coefficients)
    real = np.sort(roots[np.abs(roots.imag) < 1e-6].real)
    Q, valid = solutions(robot, [T])
    assert np.allclose(real, np.sort(np.tan(Q[0, valid[0], joint - 1] / 2)), rtol=1e-5, atol=1e-7)


def test_no_polynomial_of_a_degenerate_elimination() -> None:
    with pytest.raises(RobosymError, match=r"puma560.*degenerates"):
        GeneralSolver(load("puma560")).characteristic_polynomial(np.eye(4))


@pytest.mark.slow
def test_out_of_reach_and_empty() -> None:
    far = np.eye(4)
    far[0, 3] = 100.0
    Q, valid = solutions(sixteen.arm(flange=True), [far, sixteen.POSE])
    assert valid.sum(axis=1).tolist() == [0, 16]
    assert not Q[0].any()
    assert solutions(sixteen.arm(flange=True), np.zeros((0, 4, 4)))[0].shape == (0, 16, 6)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(["puma560", "rx90", "ur5", "stanford", "sixteen"], 2))
def test_singular_poses_are_finite(name: str) -> None:
    """All joints at zero or at right angles: aligned axes, whole curves of solutions. Never NaN, never a wrong one."""
    robot = sixteen.arm(flange=True) if name == "sixteen" else load(name)
    q = np.array([np.zeros(6), np.full(6, np.pi / 2), [0.5, -1, 0.3, 0.2, 0, 0.1]])
    T = direct(robot, q)
    Q, valid = solutions(robot, T)
    assert np.isfinite(Q).all()
    n, i = np.nonzero(valid)
    assert np.linalg.norm((direct(robot, Q[n, i]) - T[n]).reshape(len(n), -1), axis=1).max(initial=0) < 1e-9


def test_an_arm_that_cannot_reach_everything() -> None:
    """Six parallel axes: no finite set of solutions, and it is said."""
    robot = Robot.from_table("parallel", [{"d": 0.3} for _ in range(6)])
    with pytest.raises(RobosymError, match="3 independent directions"):
        GeneralSolver(robot).plan()


def test_what_is_refused() -> None:
    with pytest.raises(RobotError, match=r"exactly 6 moving joints.*found 2"):
        GeneralSolver(load("planar-2r"))
    with pytest.raises(RobotError, match="4 are prismatic"):
        GeneralSolver(random_robot(np.random.default_rng(0), "111100"))
    solver = GeneralSolver(sixteen.arm(flange=True))
    with pytest.raises(RobosymError, match=r"shape \(3, 3\)"):
        solver.characteristic_polynomial(np.eye(3))
    with pytest.raises(RobosymError, match="an entry that is not finite"):
        solver.characteristic_polynomial(np.full((4, 4), np.nan))
    with pytest.raises(RobosymError, match="not a homogeneous matrix"):
        solver.characteristic_polynomial(np.diag([1.0, 1, -1, 1]))
    with pytest.raises(RobosymError, match=r"of one pose: got shape \(2, 4, 4\)"):
        solver.characteristic_polynomial([np.eye(4), np.eye(4)])


def test_set_up_is_small() -> None:
    """A tenth of a second today; this guards against a change of order."""
    assert calls(GeneralSolver(random_robot(np.random.default_rng(0), "000000")).plan) < 150_000
