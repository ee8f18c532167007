"""One step of each integrator, against the same formulas in NumPy with accelerations evaluated one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import robosym
from robosym.generated import Model
from robosym.models import forward_dynamics
from robosym.models.integration.integrators import OUT_OF_BOUNDS, step_of
from robosym.models.integration.mechanism import Mechanism, pairs_of
from robosym.program.of_arrays import program_of
from robosym.program.routine import Routine, Run, Slot, Stage, verified_routine
from robosym.robot import Robot

LINK = {"M": 1.0, "MX": 0.3, "ZZ": 0.2}
SOFT: list[dict[str, Any]] = [
    {"Ia": 0.3, "flexibility": {"stiffness": 40.0, "damping": 2.0}, **LINK},
    {"d": 0.5, "Ia": 0.2, **LINK},
]
ROBOTS: dict[str, Callable[[], Robot]] = {
    "fixed": lambda: robosym.load("double-pendulum"),
    "free": lambda: robosym.load("eel-2"),
    "flexible": lambda: Robot.from_table("soft", SOFT, gravity=[0, -9.81, 0]),
}
DT = 0.02


@cache
def model_of(name: str) -> Model:
    return forward_dynamics(ROBOTS[name](), wrench="none")


def state_of(name: str, seed: int = 0) -> dict[str, np.ndarray]:
    """Random numbers for the arrays of the state, and torques."""
    robot, rng = ROBOTS[name](), np.random.default_rng(seed)
    found = {}
    for pair in pairs_of(robot):
        found[pair.position], found[pair.speed] = rng.uniform(-1, 1, pair.nq), rng.uniform(-1, 1, pair.nv)
        if pair.free:
            found[pair.position][3:7] /= np.linalg.norm(found[pair.position][3:7])
    return found | {"tau": rng.uniform(-1, 1, robot.nv)}


@cache
def routine_of(name: str, integrator: str, driven: bool = False) -> Routine:
    """A step as a routine; ``driven``: with torques that grow during it, and the work of the actuators."""
    robot, model = ROBOTS[name](), model_of(name)
    pairs = pairs_of(robot)
    extra: dict[str, Any] = {}
    if driven:

        def written(part: float) -> tuple[Stage, ...]:
            both = ("tau", "kept")
            program = program_of("torques", {"tau0": (robot.nv,)}, lambda tau0: dict.fromkeys(both, tau0 * (1 + part)))
            return (Run(program, {"kept": f"tau_at_{part}"}),)

        extra = {"driven": written, "actuators": lambda part: f"tau_at_{part}"}
    plant = Mechanism(robot, model, pairs, **extra)
    state = [slot for pair in pairs for slot in pair.slots]
    count = len(robot.moving)
    work = [Slot("work", (count,)), Slot("absolute_work", (count,))] if driven else []
    tau = Slot("tau0" if driven else "tau", (robot.nv,))
    outputs = [Slot(f"{slot.name}_new", slot.shape) for slot in (*state, *work)]
    stages = step_of(plant, integrator, lambda word: f"{word}_new")
    return verified_routine(Routine("step", (*state, tau, Slot("dt", ()), *work), tuple(outputs), stages))


def stepped(name: str, integrator: str, state: dict[str, np.ndarray], dt: float = DT) -> dict[str, np.ndarray]:
    made = routine_of(name, integrator).call(**state, dt=np.array(dt), parameters=model_of(name).numbers())
    return {key.removesuffix("_new"): np.asarray(value) for key, value in made.items()}


# --- the same in NumPy -------------------------------------------------------------------------------------------------


class Numbers:
    """The state of a robot in numbers: [q, q_motor] and [qd, qd_motor], and how they change."""

    def __init__(self, name: str, tau: np.ndarray) -> None:
        self.model, self.tau, self.pairs = model_of(name), tau, pairs_of(ROBOTS[name]())

    def arrays(self, state: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        return tuple(
            np.concatenate([state[getattr(pair, kind)] for pair in self.pairs]) for kind in ("position", "speed")
        )  # type: ignore[return-value]

    def rate(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dq/dt: of a free base R v, and half the product of the quaternion and the angular velocity."""
        if not self.pairs[0].free:
            return v
        a, w = x[3:6], x[6]
        spin = np.concatenate([w * v[3:6] + np.cross(a, v[3:6]), [-a @ v[3:6]]]) / 2
        return np.concatenate([Rotation.from_quat(x[3:7]).apply(v[:3]), spin, v[6:]])

    def unit(self, x: np.ndarray) -> np.ndarray:
        if self.pairs[0].free:
            x = x.copy()
            x[3:7] /= np.linalg.norm(x[3:7])
        return x

    def accelerations(self, x: np.ndarray, v: np.ndarray, tau: np.ndarray | None = None) -> np.ndarray:
        given: dict[str, np.ndarray] = {"tau": self.tau if tau is None else tau}
        i = j = 0
        for pair in self.pairs:
            given[pair.position], given[pair.speed] = x[i : i + pair.nq], v[j : j + pair.nv]
            i, j = i + pair.nq, j + pair.nv
        found = self.model.evaluate(**given)
        names = [pair.acceleration for pair in self.pairs]
        return np.concatenate([found[name] for name in names]) if isinstance(found, dict) else np.asarray(found)


@pytest.mark.parametrize("name", ROBOTS)
def test_rk4(name: str) -> None:
    state = state_of(name)
    own = Numbers(name, state["tau"])
    x, v = own.arrays(state)
    k = [(own.rate(x, v), own.accelerations(x, v))]
    for part in (0.5, 0.5, 1.0):
        at = (x + part * DT * k[-1][0], v + part * DT * k[-1][1])
        k.append((own.rate(*at), own.accelerations(*at)))
    expected_x, expected_v = (
        y + DT / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) for i, y in enumerate((x, v))
    )
    got_x, got_v = own.arrays(stepped(name, "rk4", state))
    np.testing.assert_allclose(got_x, own.unit(expected_x), atol=1e-12)
    np.testing.assert_allclose(got_v, expected_v, atol=1e-11)


@pytest.mark.parametrize("name", ROBOTS)
def test_semi_implicit(name: str) -> None:
    """First the speeds, then the positions with the new ones."""
    state = state_of(name, 1)
    own = Numbers(name, state["tau"])
    x, v = own.arrays(state)
    after = v + DT * own.accelerations(x, v)
    got_x, got_v = own.arrays(stepped(name, "semi-implicit", state))
    np.testing.assert_allclose(got_v, after, atol=1e-12)
    np.testing.assert_allclose(got_x, own.unit(x + DT * own.rate(x, after)), atol=1e-12)


@pytest.mark.parametrize("name", ROBOTS)
def test_midpoint_solves_its_equation(name: str) -> None:
    """The speeds in the middle z are the mean of old and new ones, and the accelerations there lead to both."""
    state = state_of(name, 2)
    own = Numbers(name, state["tau"])
    x, v = own.arrays(state)
    got_x, got_v = own.arrays(stepped(name, "midpoint", state))
    z = (v + got_v) / 2
    if own.pairs[0].free:  # half a step by the rate in the middle of it
        quarter = own.unit(x + DT / 4 * own.rate(x, z))
        middle = own.unit(x + DT / 2 * own.rate(quarter, z))
    else:
        middle = x + DT / 2 * z
    np.testing.assert_allclose(z, v + DT / 2 * own.accelerations(middle, z), atol=1e-11)
    np.testing.assert_allclose(got_x, own.unit(x + DT * own.rate(middle, z)), atol=1e-12)


def test_a_midpoint_that_is_not_found_is_lost() -> None:
    """A step far too long for Newton's iteration: speeds beyond all bounds say so."""
    state = {"q": np.array([1.0, 2.0]), "qd": np.array([3e4, -8e4]), "tau": np.array([1e6, -1e6])}
    lost = stepped("fixed", "midpoint", state, dt=10.0)
    assert np.abs(lost["qd"]).max() >= OUT_OF_BOUNDS / 10 or not np.isfinite(lost["qd"]).all()


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit", "midpoint"])
def test_torques_that_change_during_a_step_and_their_work(integrator: str) -> None:
    """tau (1 + part): at the beginning, in the middle or at the end of the step, as the formulas have it."""
    state = state_of("fixed", 3)
    own = Numbers("fixed", state["tau"])
    x, v = own.arrays(state)
    tau = state.pop("tau")
    before = {"work": np.array([1.0, 2.0]), "absolute_work": np.array([3.0, 4.0])}
    routine = routine_of("fixed", integrator, driven=True)
    made = routine.call(**state, **before, tau0=tau, dt=np.array(DT), parameters=model_of("fixed").numbers())
    if integrator == "rk4":
        k = [(v, own.accelerations(x, v, tau))]
        for part in (0.5, 0.5, 1.0):
            at = (x + part * DT * k[-1][0], v + part * DT * k[-1][1])
            k.append((at[1], own.accelerations(*at, tau * (1 + part))))
        expected = v + DT / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1])
        powers = [(1 / 6, 1.0, k[0][0]), (1 / 3, 1.5, k[1][0]), (1 / 3, 1.5, k[2][0]), (1 / 6, 2.0, k[3][0])]
    elif integrator == "semi-implicit":
        expected = v + DT * own.accelerations(x, v, tau)
        powers = [(1.0, 1.0, expected)]
    else:
        z = (v + made["qd_new"]) / 2
        expected = v + DT * own.accelerations(x + DT / 2 * z, z, 1.5 * tau)
        powers = [(1.0, 1.5, z)]
    np.testing.assert_allclose(made["qd_new"], expected, atol=1e-11)
    done = np.array([weight * DT * grown * tau * speed for weight, grown, speed in powers])
    np.testing.assert_allclose(made["work_new"], before["work"] + done.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(
        made["absolute_work_new"], before["absolute_work"] + np.abs(done).sum(axis=0), atol=1e-12
    )
