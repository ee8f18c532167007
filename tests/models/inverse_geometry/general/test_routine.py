"""The general method in C and Python: the solutions of the NumPy solver, with an eigenvalue solver of its own."""

from __future__ import annotations

import ctypes
import json
from types import SimpleNamespace

import numpy as np
import pytest
from c_calls import pointer

import robosym
from robosym.errors import RobosymError
from robosym.models.inverse_geometry.general import GeneralSolver
from robosym.models.inverse_geometry.general.routine import general_routine
from robosym.models.inverse_geometry.solver.source import source
from robosym.program.routine import verified_routine
from robosym.robot import Robot


def generic(seed: int, prismatic: tuple[int, ...] = ()) -> Robot:
    rng = np.random.default_rng(seed)

    def some(low: float, high: float) -> float:
        return float(rng.uniform(low, high) * rng.choice([-1, 1]))

    rows: list[dict] = [{"alpha": some(0.3, 1.4), "d": some(0.2, 0.8), "r": some(0.2, 0.8)} for _ in range(6)]
    for k in prismatic:
        rows[k] = {"alpha": rows[k]["alpha"], "d": rows[k]["d"], "theta": some(0.2, 0.8), "sigma": "prismatic"}
    return Robot.from_table("arm", rows)


def poses_of(solver: GeneralSolver, count: int):
    arm = solver.plan().whole
    q = np.random.default_rng(4).uniform(-np.pi, np.pi, (count, 6))
    return arm, q, np.ascontiguousarray(arm.poses(q))


def nearest(kinds, found, q):
    turning = np.array([kind == 0 for kind in kinds])
    apart = found - q
    return np.abs(np.where(turning, (apart + np.pi) % (2 * np.pi) - np.pi, apart)).max(axis=1).min(initial=np.inf)


def printed(library, name: str):
    function = library[f"{name}_solve"]
    function.restype = ctypes.c_int

    def solve(T):
        found = np.full((16, 6), np.nan)
        return found[: function(pointer(np.ascontiguousarray(T)), pointer(found))]

    return solve


ARMS = {
    "6R": lambda: generic(1),
    "5R1P": lambda: generic(3, (2,)),
    "4R2P": lambda: generic(4, (1, 4)),
    "puma560": lambda: robosym.load("puma560"),  # every elimination degenerates: a neighbour's is used
}


@pytest.mark.parametrize("robot", ARMS.values(), ids=ARMS)
def test_c_gives_the_solutions_of_the_solver(compiled, robot):
    solver = GeneralSolver(robot())
    solve = printed(compiled(source(solver, "c", name="arm")), "arm")
    arm, q, T = poses_of(solver, 150)
    Q, valid, _ = solver.candidates(T)
    for i in range(len(T)):
        found = solve(T[i])
        assert len(found) == valid[i].sum()
        assert nearest(arm.kinds, found, q[i]) < 1e-6
        assert np.abs(arm.poses(found) - T[i]).max() < 1e-9
        for row in Q[i, valid[i]]:
            assert nearest(arm.kinds, found, row) < 1e-6


def test_all_sixteen_solutions(compiled, shared):
    anchor = json.loads((shared / "anchors" / "six_revolute_16_solutions.json").read_text(encoding="utf-8"))
    lengths, twists, shifts = anchor["dh_a"], np.radians(anchor["dh_alpha_deg"]), anchor["dh_d"]
    rows = [{"r": shifts[0]}]  # of the standard notation: a and alpha stand after the joint
    rows += [{"alpha": float(twists[j - 1]), "d": lengths[j - 1], "r": shifts[j]} for j in range(1, 6)]
    solve = printed(compiled(source(GeneralSolver(Robot.from_table("arm", rows)), "c")), "arm")
    found = solve(np.array(anchor["T"]))
    assert len(found) == 16
    for published in anchor["solutions_rad"]:
        assert nearest((0,) * 6, found, np.array(published)) < 1e-8


def test_out_of_reach_is_no_solution(compiled):
    solve = printed(compiled(source(GeneralSolver(generic(4, (1, 4))), "c")), "arm")
    solver = GeneralSolver(generic(1))
    far = poses_of(solver, 1)[2][0]
    far[:3, 3] += 50.0
    assert len(printed(compiled(source(solver, "c")), "arm")(far)) == 0
    assert np.isfinite(solve(np.eye(4))).all()


def test_python_and_the_interpreter_agree():
    solver = GeneralSolver(generic(4, (1, 4)))
    routine = verified_routine(general_routine(solver))
    scope: dict = {}
    exec(compile(source(solver, "python"), "generated", "exec"), scope)
    arm, _, T = poses_of(solver, 8)
    Q, valid, _ = solver.candidates(T)
    for i in range(len(T)):
        solutions, count = routine.call(T=T[i])
        found = np.array(scope["arm_solve"](T[i].tolist())).reshape(-1, 6)
        assert len(found) == count == valid[i].sum()
        for row in found:
            assert nearest(arm.kinds, solutions[:count], row) < 1e-8
            assert nearest(arm.kinds, Q[i, valid[i]], row) < 1e-6


def test_a_solver_is_taken_by_its_general_method():
    solver = GeneralSolver(generic(4, (1, 4)))
    text = source(SimpleNamespace(closed_form=None, general=solver), "c")
    assert "int arm_solve(const double T[16], double solutions[96]);" in text
    assert "Raghavan and Roth" in text
    assert max(map(len, text.splitlines())) <= 120


def test_what_has_no_elimination_is_named():
    with pytest.raises(RobosymError, match="three prismatic joints"):
        source(GeneralSolver(generic(5, (0, 1, 3))), "c")
