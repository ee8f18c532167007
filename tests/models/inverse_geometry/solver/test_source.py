"""The printed inverse geometric model: compiled, run, and compared with the compiled program and the direct model."""

from __future__ import annotations

import ctypes
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from c_calls import pointer

import robosym
from robosym import models
from robosym.codegen import CodegenError
from robosym.errors import RobosymError
from robosym.models.inverse_geometry.chain.random_positions import forward, samples
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.derivation import derive
from robosym.models.inverse_geometry.solver.source import generate, routine_of, source
from robosym.robot import Robot

NAMES = ["rx90", "puma560", "ur5", "scara", "pieper"]


def pieper_arm() -> Robot:
    """A wrist on three joints in general position: the first equation is a quartic."""
    rng = np.random.default_rng(3)

    def some(low: float = 0.3, high: float = 1.2) -> float:
        return float(rng.uniform(low, high) * rng.choice([-1, 1]))

    rows = [{"r": some()}, *({"alpha": some(), "d": some(), "r": some()} for _ in range(3))]
    rows += [{"alpha": some()}, {"alpha": some(), "r": some()}]
    return Robot.from_table("pieper", rows)


@cache
def case(name):
    robot = pieper_arm() if name == "pieper" else robosym.load(name)
    solver = models.inverse_geometric(robot)
    form = solver.closed_form
    values = {s.name: robot.values[s.name].number for s in form.program.parameter_symbols}
    return form, values, solver


def poses(form):
    """Reachable poses, poses out of reach and singular ones."""
    found = samples(form.chain, 40, seed=11)
    T = [sample.T for sample in found]
    far = found[0].T.copy()
    far[:3, 3] += 100.0
    n = len(form.chain.joints)
    zero = forward(form.chain, found[0].numbers, [0.0] * n)
    straight = forward(form.chain, found[0].numbers, [0.3, -0.4, 0.5, 0.6, 0.0, 0.7][:n])
    return [*T, far, zero, straight]


def same_solutions(form, found, expected, k):
    """As many, each near one, angles modulo a turn; at a singular pose (the last ones) to the root of the rounding."""
    turns = np.array([not joint.prismatic for joint in form.chain.joints])
    assert found.shape == expected.shape
    for row in found:
        apart = expected - row
        apart = np.where(turns, (apart + np.pi) % (2 * np.pi) - np.pi, apart)
        assert np.abs(apart).max(axis=1).min() < (1e-9 if k < 40 else 1e-6)


def solve_c(library, name, values, rows, width):
    """The printed function as its documentation says."""
    parameters, constants = np.array([*values.values()], dtype=float), np.empty(1000)
    shared = []
    if hasattr(library, f"{name}_precompute"):
        library[f"{name}_precompute"](pointer(parameters), pointer(constants))
        shared = [constants]
    function = library[f"{name}_solve"]
    function.restype = ctypes.c_int

    def solve(T, reads_parameters):
        found = np.full((rows, width), np.nan)
        taken = [np.ascontiguousarray(T), *([parameters] if reads_parameters else []), *shared]
        return found[: function(*map(pointer, [*taken, found]))]

    return solve


@pytest.mark.parametrize("name", NAMES)
def test_c_gives_the_solutions_of_the_compiled_program(compiled, name):
    form, values, solver = case(name)
    text = source(form, "c")
    rows, width = form.most, len(form.chain.joints)
    solve = solve_c(compiled(text), name, values, rows, width)
    reads = "const double parameters" in text.split(f"int {name}_solve")[1].split(";")[0]
    counts = []
    for k, T in enumerate(poses(form)):
        found, expected = solve(T, reads), solver(T).solutions
        assert np.isfinite(found).all()
        same_solutions(form, found, expected, k)
        counts.append(len(found))
    assert min(counts[:40]) >= 1
    assert counts[40] == 0


@pytest.mark.parametrize("name", NAMES)
def test_every_printed_solution_makes_the_pose(compiled, name):
    form, values, _ = case(name)
    rows, width = form.most, len(form.chain.joints)
    baked = source(form, "c", values=values)
    assert "parameters" not in baked.split(f"int {name}_solve")[1].split(";")[0]
    solve = solve_c(compiled(baked), name, {}, rows, width)
    for sample in samples(form.chain, 40, seed=12):
        found = solve(sample.T, False)
        assert len(found) >= 1
        for q in found:
            miss = forward(form.chain, sample.numbers, q) - sample.T
            miss = miss if form.task == "pose" else miss[:, 3]
            assert np.abs(miss).max() < 1e-9
        turns = np.array([not joint.prismatic for joint in form.chain.joints])
        apart = found - np.array(sample.q)
        apart = np.where(turns, (apart + np.pi) % (2 * np.pi) - np.pi, apart)
        assert np.abs(apart).max(axis=1).min() < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_python_gives_the_solutions_of_the_compiled_program(name):
    form, values, solver = case(name)
    scope: dict = {}
    exec(compile(source(form, "python", values=values), "generated", "exec"), scope)
    for k, T in enumerate(poses(form)):
        found = np.array(scope[f"{name}_solve"](T.tolist())).reshape(-1, len(form.chain.joints))
        same_solutions(form, found, solver(T).solutions, k)


@pytest.mark.parametrize("name", ["rx90", "scara"])
def test_the_routine_is_the_reference(name):
    """The interpreter takes its time at special poses: those are looked at for an arm of few joints."""
    form, values, solver = case(name)
    routine = routine_of(form)
    for T in poses(form)[38:] if name == "scara" else poses(form)[36:41]:
        solutions, count = routine.call(T=T, parameters=values)
        np.testing.assert_allclose(solutions[:count], solver(T).solutions, atol=1e-6)


def test_the_text_says_what_a_person_needs():
    form, _, _ = case("rx90")
    text = source(form, "c")
    for words in (
        "model of rx90",
        "Method: closed form",
        "waist (one angle)",
        "[5] flange",
        "D3 = 0.45",
        "[16x6], out",
    ):
        assert words in text
    assert "int rx90_solve(const double T[16], const double parameters[2]" in text
    assert "int arm_solve(const double T[16], double solutions[96])" in source(
        form, "c", name="arm", values={"D3": 0.45, "RL4": 0.45}
    )
    assert "0.45" not in source(form, "c", values={"D3": 0.5, "RL4": 0.5})


def test_a_given_joint_is_an_argument():
    form = derive(chain_for(robosym.load("panda"), given=["panda_joint7"]))
    text = source(form, "c")
    assert "int panda_solve(const double T[16], const double given[1]" in text


def test_a_solver_is_taken_by_its_closed_form():
    form, _, _ = case("scara")
    assert source(SimpleNamespace(closed_form=form), "python") == source(form, "python")
    assert list(generate(form, "c")) == ["scara.h", "scara.c"]


def test_what_cannot_be_printed_is_named():
    form, _, _ = case("scara")
    with pytest.raises(CodegenError, match=r"'latex' \(known: c, cpp, fortran, "):
        source(form, "latex")
    with pytest.raises(RobosymError, match="expected a solver of the inverse geometric model, got SimpleNamespace"):
        source(SimpleNamespace(closed_form=None), "c")
    with pytest.raises(RobosymError, match="no parameter 'D9'"):
        source(form, "c", values={"D9": 1.0})


@pytest.mark.parametrize("name", ["ur5", "rx90", "scara"])
def test_a_pose_with_nan_has_no_solutions(name):
    robot = robosym.load(name)
    routine = routine_of(models.inverse_geometric(robot))
    values = {symbol.name: robot.values[symbol.name].number for symbol in routine.parameter_symbols}
    pose = models.transform(robot).compile()(q=np.full(robot.nq, 0.3))
    assert routine.call(T=pose, parameters=values)[1] > 0
    for i, j in [(0, 0), (2, 1), (0, 3)]:
        broken = pose.copy()
        broken[i, j] = np.nan
        found, count = routine.call(T=broken, parameters=values)
        assert np.isfinite(found[:count]).all()
