"""Special robots times every model: each agrees with floats to 1e-9 of what was added up, or is refused with a reason.

``make test`` takes the first four robots; ``ROBOSYM_SWEEP=500`` takes 500 times as many, and ``python tests/models/test_sweep.py
2000`` also prints what was refused and why (docs/verification.md).
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import pytest
from models.float_models import Floating, Floats
from models.reference import newton_euler, numbers
from models.special_robots import Special, special_robot
from robots_with import OF_SOME
from sweeps import many

from robosym.errors import RobosymError
from robosym.models import MODELS
from robosym.models.kinematic.task import ROWS
from robosym.robot import RobotWarning

SEED, FEW = 11_000, 4  # the robots of seeds SEED, SEED + 1, ...
TOLERANCE = 1e-9  # of the sizes of what was added up
NEGLECTED = 1e-10  # of the whole robot: structure is taken as exact where only noise speaks against it
ROUNDING = 1e-16  # of the whole robot: in floats the cosine of a right angle is not zero
MOST_EXPANDED = 3  # joints; expressions written out in full grow too fast for more
WELL_POSED = 300.0  # the condition number up to which an inverse is compared
BASE = {"parameters": "base"}

Compared = tuple[str, Any, Any, Any]  # what, got, expected, size


@dataclass(frozen=True)
class Case:
    """A robot at a state, and a way to ask its models."""

    special: Special
    at: Floating
    frame: int
    compiled: bool

    def model(self, name: str, **options: Any) -> Any:
        return MODELS[name](self.special.robot, **options)

    def ask(self, model: Any, **state: Any) -> Any:
        """What a model gives, with the late values among its parameters."""
        usable = {s.name for s in model.program.parameter_symbols} | model.derived.sources
        late = {name: value for name, value in self.special.late.items() if name in usable}
        call = model.compile() if self.compiled else model.evaluate
        return call(**state, **({"parameters": late} if late else {}))

    @property
    def reach(self) -> float:
        robot = self.at.robot
        return 1 + sum(abs(x) for j in robot.order for x in numbers(robot, robot.geometry(j), self.at.q)[1::2])


def case(seed: int) -> Case:
    special = special_robot(seed)
    rng = np.random.default_rng(seed)
    robot = special.plain
    q, qd, qdd = rng.uniform(-2, 2, (3, robot.nv))
    moved = [j for j in robot.order if any(robot.frame(k).sigma != 2 for k in robot.path(j))]
    return Case(special, Floating(robot, q, qd, qdd), int(rng.choice(moved)), seed % 8 == 0)


# --- what every model is compared with -------------------------------------------------------------------------------


def poses(c: Case) -> Iterator[Compared]:
    T = c.ask(c.model("transform", frame=c.frame), q=c.at.q)
    yield "transform", T, c.at.poses[c.frame], c.reach
    every = c.ask(c.model("geometric", frames="all"), q=c.at.q)
    every = every if isinstance(every, dict) else {"T1": every}
    for j in c.at.robot.order:
        yield "geometric", every[f"T{j}"], c.at.poses[j], c.reach


def motion(c: Case) -> Iterator[Compared]:
    at, j = c.at, c.frame
    J, R = at.jacobian(j), at.poses[j][:3, :3]
    turned = np.kron(np.eye(2), R.T)
    speed = 1 + float(np.abs(at.qd).sum())
    size = c.reach * speed**2 * (1 + float(np.abs(at.qdd).sum()))
    yield "jacobian", c.ask(c.model("jacobian", frame=j), q=at.q), J, c.reach
    yield "velocities", c.ask(c.model("velocities", frame=j, axes="local"), q=at.q, qd=at.qd), turned @ J @ at.qd, size
    found = c.ask(c.model("accelerations", frame=j, axes="local"), q=at.q, qd=at.qd, qdd=at.qdd)
    yield "accelerations", found, turned @ at.acceleration(j, at.qdd), size
    drift = at.acceleration(j, 0 * at.qdd)
    yield "jdot-qdot", c.ask(c.model("jdot-qdot", frame=j), q=at.q, qd=at.qd), drift, size
    rate = c.ask(c.model("jacobian-rate", frame=j), q=at.q, qd=at.qd)
    yield "jacobian-rate", rate @ at.qd, drift, size
    wrench = np.linspace(-1, 1, 6)
    yield "static-torques", c.ask(c.model("static-torques", frame=j), q=at.q, wrench=wrench), J.T @ wrench, 6 * c.reach


def determinant(c: Case) -> Iterator[Compared]:
    model = c.model("jacobian-determinant", frame=c.frame)
    rows = [ROWS.index(row) for row in model.options["rows"]]
    columns = _columns(c)
    J = c.at.jacobian(c.frame)[np.ix_(rows, columns)]
    got = float(np.squeeze(c.ask(model, q=c.at.q)))
    size = float(np.prod([max(1.0, np.linalg.norm(row)) for row in J])) if len(rows) else 1.0
    if len(rows) == len(columns):
        yield "jacobian-determinant", got, np.linalg.det(J), size
    else:
        yield "jacobian-determinant", got**2, np.linalg.det(J @ J.T), size**2


def _columns(c: Case) -> list[int]:
    """The velocities that move the frame."""
    on_way = [k for k in c.at.robot.path(c.frame) if k in c.at.masters]
    return sorted({c.at.masters[k][0] for k in on_way})


def inverses(c: Case) -> Iterator[Compared]:
    J = c.at.jacobian(c.frame)
    s = np.linalg.svd(J[:, _columns(c)], compute_uv=False)
    rank = int((s > 1e-12 * s[0]).sum()) if s[0] else 0
    inverse = c.model("jacobian-inverse", frame=c.frame)
    found = c.ask(inverse, q=c.at.q)
    other = c.model("inverse-kinematics-velocity", frame=c.frame)
    qd = c.ask(other, q=c.at.q, twist=J @ c.at.qd)
    if rank == len(s) == len(_columns(c)) and s[0] < WELL_POSED * s[-1]:
        moving = _columns(c)
        yield "jacobian-inverse", (found @ J)[np.ix_(moving, moving)], np.eye(len(moving)), 1.0
        yield "inverse-kinematics-velocity", J @ qd, J @ c.at.qd, c.reach * (1 + np.abs(c.at.qd).sum())


def masses(c: Case) -> Iterator[Compared]:
    at, n = c.at, c.at.robot.nv
    names = ("centre-of-mass", "centre-of-mass-jacobian", "centroidal-momentum", "centroidal-momentum-rate")
    made = {name: c.model(name) for name in names}
    centre = c.ask(made["centre-of-mass"], q=at.q)
    if at.mass:
        far = float(np.abs(at.centre).max()) * (1 + float(np.abs(at.qd).sum()))  # tiny masses with moments that are not
        size = at.bulk * c.reach / at.mass
        spread = at.bulk * c.reach + at.mass * far**2
        yield "centre-of-mass", centre, at.centre, size
        AG = np.array([at.momentum(one) for one in np.eye(n)]).T
        yield "centre-of-mass-jacobian", c.ask(made["centre-of-mass-jacobian"], q=at.q), AG[:3] / at.mass, size
        yield "centroidal-momentum", c.ask(made["centroidal-momentum"], q=at.q), AG, spread
        rate = c.ask(made["centroidal-momentum-rate"], q=at.q, qd=at.qd)
        yield "centroidal-momentum-rate", rate, at.momentum_rate(0 * at.qdd), spread


def dynamics(c: Case, **options: str) -> Iterator[Compared]:
    """In standard parameters each torque is measured by its own terms; base parameters mix those of all links."""
    at = c.at
    still = np.zeros_like(at.qd)

    def sized(pair: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        return pair if not options else (pair[0], np.full_like(pair[1], at.bulk))

    state = {"q": at.q, "qd": at.qd}
    tau, size = sized(at.torques(at.qd, at.qdd))
    yield "inverse-dynamics", c.ask(c.model("inverse-dynamics", **options), **state, qdd=at.qdd), tau, size
    a, v = at.qdd, np.linspace(-1.5, 1, len(at.qd))
    # h(qd, v) = 1/2 [h(qd, qd) + h(v, v) - h(qd - v, qd - v)], with the torques A a + h + Q
    parts = [at.torques(*one) for one in ((at.qd, a), (v, a), (at.qd - v, still), (still, still))]
    tau, size = sized((np.array([1, 1, -1, 1]) / 2 @ [one for one, _ in parts], sum(one for _, one in parts)))
    yield "passive-dynamics", c.ask(c.model("passive-dynamics", **options), **state, v=v, a=a), tau, size
    A, each = sized(at.inertia)
    yield "inertia-matrix", c.ask(c.model("inertia-matrix", **options), q=at.q), A, each
    if options:  # the others are made of the same robot in the same way
        return
    H, size = at.torques(at.qd, still)
    yield "bias", c.ask(c.model("bias"), **state), H, size
    Q, own = at.torques(still, still)
    yield "gravity", c.ask(c.model("gravity"), q=at.q), Q, own
    yield "coriolis", c.ask(c.model("coriolis"), **state) @ at.qd, H - Q, size + own
    yield from coefficients(c, c.model("lagrange"), A, each, H, Q, size + own)


def coefficients(
    c: Case, model: Any, A: Floats, each: Floats, H: Floats, Q: Floats, size: Floats
) -> Iterator[Compared]:
    found, n, qd = c.ask(model, q=c.at.q), len(c.at.qd), c.at.qd
    pairs = np.array([qd[i] * qd[j] for i in range(n) for j in range(i + 1, n)])
    coriolis = np.asarray(found.get("coriolis_coefficients", np.zeros((n, 0)))).reshape(n, -1) @ pairs
    yield f"{model.name} A", found["A"], A, each
    yield f"{model.name} Q", found["Q"], Q, size
    yield f"{model.name} C", coriolis + found["centrifugal_coefficients"] @ qd**2, H - Q, size


def written_out(c: Case) -> Iterator[Compared]:
    if c.at.robot.nv <= MOST_EXPANDED:
        at, still = c.at, np.zeros_like(c.at.qd)
        A, each = at.inertia
        (H, size), (Q, _) = at.torques(at.qd, still), at.torques(still, still)
        bulk = np.full_like(size, at.bulk)  # multiplied out, terms of all links cancel
        yield from coefficients(c, c.model("expanded"), A, np.full_like(each, at.bulk), H, Q, bulk)


def accelerations_found(c: Case, **options: str) -> Iterator[Compared]:
    """The accelerations are right if they need the torques they were made from."""
    at = c.at
    tau = np.linspace(1, 2, len(at.qd))
    qdd = np.asarray(c.ask(c.model("forward-dynamics", **options), q=at.q, qd=at.qd, tau=tau))
    if not np.isfinite(qdd).all() and c.special.late:
        yield "forward-dynamics of a joint without inertia", _has_still_motion(at), True, 0.0
        return
    got, size = at.torques(at.qd, qdd)
    yield "forward-dynamics", got, tau, np.abs(tau) + (size if not options else at.bulk * (1 + np.abs(qdd).max()))


def _has_still_motion(at: Floating) -> bool:
    """Whether the inertia matrix is singular: late values may take away the inertia of a joint."""
    A, _ = at.inertia
    if np.any(np.diag(A) <= ROUNDING * at.bulk):
        return True
    sizes = np.sqrt(np.diag(A))
    return bool(np.linalg.eigvalsh(A / np.outer(sizes, sizes))[0] < 1e-9)


def energies(c: Case) -> Iterator[Compared]:
    A, each = c.at.inertia
    found = c.ask(c.model("energy"), q=c.at.q, qd=c.at.qd)
    speeds = np.abs(c.at.qd)
    yield "kinetic", found["kinetic"], c.at.qd @ A @ c.at.qd / 2, speeds @ each @ speeds
    yield "potential", found["potential"], c.at.potential[0], c.at.potential[1]


def regrouped(c: Case) -> Iterator[Compared]:
    """The base parameters themselves: the robot in them needs the same torques."""
    model = c.model("base-parameters")
    found = np.atleast_1d(c.ask(model))
    yield "base-parameters", np.isfinite(found).all(), True, 0.0


CHECKS: dict[str, Callable[[Case], Iterator[Compared]]] = {
    "transform geometric": poses,
    "jacobian velocities accelerations jdot-qdot jacobian-rate static-torques": motion,
    "jacobian-determinant": determinant,
    "jacobian-inverse inverse-kinematics-velocity": inverses,
    "centre-of-mass centre-of-mass-jacobian centroidal-momentum centroidal-momentum-rate": masses,
    "inverse-dynamics passive-dynamics inertia-matrix bias gravity coriolis lagrange": dynamics,
    "inverse-dynamics with base parameters": lambda c: dynamics(c, **BASE),
    "expanded": written_out,
    "forward-dynamics": accelerations_found,
    "forward-dynamics with base parameters": lambda c: accelerations_found(c, **BASE),
    "energy": energies,
    "base-parameters": regrouped,
}


# --- the sweep -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    wrong: list[str]
    refused: list[str]
    compared: int


def examined(seed: int) -> Outcome:
    wrong, refused, compared = [], [], 0
    c = case(seed)
    tau, size = c.at.torques(c.at.qd, c.at.qdd)
    other = newton_euler(c.special.plain, c.at.q, c.at.qd, c.at.qdd).tau
    assert np.all(np.abs(tau - other) <= 1e-11 * (size + c.at.bulk)), "the two references differ"
    for name, check in CHECKS.items():
        try:
            for what, got, expected, size in check(c):
                compared += 1
                error = np.abs(np.asarray(got, dtype=float) - expected)
                floor = (NEGLECTED if _is_noisy(c) else ROUNDING) * c.at.bulk
                allowed = TOLERANCE * np.asarray(size, dtype=float) + floor
                if not np.all(error <= allowed):
                    wrong.append(f"{seed} {name}: {what} is wrong by {np.max(error):.2g} of {np.max(size):.2g}")
        except RobosymError as error:
            refused.append(f"{name}: {error}")
    return Outcome(wrong, refused, compared)


def _is_noisy(c: Case) -> bool:
    """Whether an entry of the geometry is noise, or differs from a right angle by noise."""
    robot = c.special.plain
    entries = np.array([numbers(robot, robot.geometry(j)) for j in robot.order])
    angles, lengths = np.sin(2 * entries[:, 0::2]), entries[:, 1::2]
    return any(bool(((np.abs(x) > 0) & (np.abs(x) < 1e-8)).any()) for x in (angles, lengths))


def test_every_model_is_examined() -> None:
    """Inverse geometry has a sweep of its own, inverse_geometry/test_sweep.py; closed loops have random mechanisms."""
    examined = {name for names in CHECKS for name in names.split() if name in MODELS}
    others = {
        "inverse-geometric",
        "motor-torques",
        "transmission",
        "regressor",  # regressors/test_regressor.py
        "passive-regressor",  # regressors/test_passive.py
        "inverse-dynamics-derivatives",  # derivatives/, with Pinocchio's
        "forward-dynamics-derivatives",
        "linearised",  # derivatives/
        "discrete",
        "step",
        *OF_SOME,
    }  # dynamic/inverse/test_motor_torques.py ...
    assert examined | others == set(MODELS)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("part", range(4))
def test_special_robots_times_every_model(part: int) -> None:
    wrong = [line for seed in range(SEED + part, SEED + many(FEW), 4) for line in examined(seed).wrong]
    assert not wrong, "\n".join(wrong)


def main(count: int, start: int = 0) -> None:
    warnings.simplefilter("ignore", RobotWarning)
    refused: Counter[str] = Counter()
    compared = bad = 0
    for seed in range(SEED + start, SEED + count):
        try:
            found = examined(seed)
        except Exception as error:  # a crash is a finding too
            found = Outcome([f"{seed} {type(error).__name__}: {error}"], [], 0)
        compared += found.compared
        bad += len(found.wrong)
        refused.update(_without_numbers(line) for line in found.refused)
        for line in found.wrong:
            print(line, flush=True)
        if seed % 50 == 0:
            print(f"# {seed - SEED} robots, {compared} comparisons, {bad} wrong, {refused.total()} refused", flush=True)
    print(f"# {count - start} robots from seed {SEED + start}: {compared} comparisons, {bad} wrong")
    for reason, times in refused.most_common():
        print(f"# refused {times} times: {reason}")


def _without_numbers(line: str) -> str:
    return "".join("#" if ch.isdigit() else ch for ch in line)[:160]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
