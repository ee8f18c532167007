"""The general method as stages: compiled C, which has an eigenvalue solver of its own, machine code and the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from models.inverse_geometry import sixteen
from sweeps import many
from sweeps import some as kept

import robosym
from robosym.models import inverse_geometric
from robosym.models.inverse_geometry.general import GeneralSolver
from robosym.models.inverse_geometry.general.stages import MOST
from robosym.program.routine import Routine, Slot, verified_routine
from robosym.robot import Robot


def generic(seed: int, prismatic: tuple[int, ...] = ()) -> Robot:
    rng = np.random.default_rng(seed)

    def some(low: float, high: float) -> float:
        return float(rng.uniform(low, high) * rng.choice([-1, 1]))

    rows: list[dict] = [{"alpha": some(0.3, 1.4), "d": some(0.2, 0.8), "r": some(0.2, 0.8)} for _ in range(6)]
    for k in prismatic:
        rows[k] = {"alpha": rows[k]["alpha"], "d": rows[k]["d"], "theta": some(0.2, 0.8), "sigma": "prismatic"}
    return Robot.from_table("arm", rows)


def poses_of(solver: GeneralSolver, count: int) -> tuple[Any, np.ndarray, np.ndarray]:
    arm = solver.plan().whole
    q = np.random.default_rng(4).uniform(-np.pi, np.pi, (count, 6))
    return arm, q, np.ascontiguousarray(arm.poses(q))


def nearest(kinds: Any, found: np.ndarray, q: np.ndarray) -> float:
    turning = np.array([kind == 0 for kind in kinds])
    apart = found - q
    return float(
        np.abs(np.where(turning, (apart + np.pi) % (2 * np.pi) - np.pi, apart)).max(axis=1).min(initial=np.inf)
    )


ARMS = {
    "6R": lambda: generic(1),
    "5R1P": lambda: generic(3, (2,)),
    "4R2P": lambda: generic(4, (1, 4)),
    "3R3P": lambda: generic(5, (0, 1, 3)),
    "puma560": lambda: robosym.load("puma560"),  # every elimination degenerates: a neighbour's is used
}


@pytest.mark.slow
@pytest.mark.parametrize("name", kept(ARMS, 2))
def test_c_and_machine_code_find_the_configuration(compiled: Any, name: str) -> None:
    robot = ARMS[name]
    model = inverse_geometric(robot(), method="general")
    library, function = compiled(model.source("c")), model.compile()
    arm, q, T = poses_of(model.general, many(12))
    for i in range(len(T)):
        in_c = call_c(library, model.routine, {**model.defaults, "T": T[i]}, [])
        here = function(T=T[i])
        assert (in_c["count"], in_c["status"]) == (here["count"], here["status"])
        count = int(here["count"])
        found = here["solutions"][:count]
        assert nearest(arm.kinds, found, q[i]) < 1e-6
        assert np.abs(arm.poses(found) - T[i]).max() < 1e-9
        for row in in_c["solutions"][:count]:
            assert nearest(arm.kinds, found, row) < 1e-6


def test_all_sixteen_solutions(compiled: Any) -> None:
    model = inverse_geometric(sixteen.arm(), method="general")
    made = call_c(compiled(model.source("c")), model.routine, {**model.defaults, "T": sixteen.POSE}, [])
    assert made["count"] == 16
    sixteen.check_all_sixteen(made["solutions"], 1e-9)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("prismatic", [(1, 4), (0, 1, 3)])
def test_the_stages_stand_alone(prismatic: tuple[int, ...]) -> None:
    """What they take and make, by interpretation; what is no pose, and what is out of reach, has no solution."""
    solver = GeneralSolver(generic(4, prismatic))
    inputs = (Slot("T", (4, 4)), Slot("seed", (6,)), Slot("seeded", ()), Slot("limits", (2, 6)))
    outputs = (Slot("solutions", (MOST, 6)), Slot("count", ()), Slot("moving", ()))
    routine = verified_routine(Routine("arm", inputs, outputs, solver.stages()))
    arm, q, T = poses_of(solver, 3)
    others = {"seed": np.zeros(6), "seeded": np.array(0.0), "limits": np.full((2, 6), [[-np.inf], [np.inf]])}
    for i in range(len(T)):
        made = routine.call(T=T[i], **others)
        found = made["solutions"][: int(made["count"])]
        assert nearest(arm.kinds, found, q[i]) < 1e-6
        assert np.abs(arm.poses(found) - T[i]).max() < 1e-9
        assert made["moving"] == 0
    if len(prismatic) == 3:  # reaches any place
        return
    far = T[0] + np.array([[0, 0, 0, 50.0], [0, 0, 0, 50], [0, 0, 0, 50], [0, 0, 0, 0]])
    assert routine.call(T=np.full((4, 4), np.nan), **others)["count"] == 0
    assert np.isfinite(routine.call(T=far, **others)["solutions"]).all()


def test_a_program_used_twice_is_one_program() -> None:
    solver = GeneralSolver(robosym.load("puma560"))
    outputs = (Slot("solutions", (MOST, 6)), Slot("count", ()))
    inputs = (Slot("T", (4, 4)), Slot("seed", (6,)), Slot("seeded", ()), Slot("limits", (2, 6)))
    names = [program.name for program in Routine("arm", inputs, outputs, solver.stages()).programs]
    assert len(set(names)) == len(names)
    assert {"closure", "damped", "limited", "judged"} <= set(names)
