"""Robots, models and solutions in notebooks, and in one line at a prompt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from markup_reader import check_html, check_latex

import robosym
from robosym import analysis, control, load, models, trajectory
from robosym.expr import absolute, floor, parameter, select, sign, sqrt, variable
from robosym.runtime import CompiledFunction

EVIL = "<script>alert('x')</script> $\\href{javascript:x}{y}$ }_&%#"


def evil(robot):
    """The same robot with names that are dangerous to show."""
    frames = tuple(
        replace(one, name=f"{EVIL}{i}", joint=replace(one.joint, name=f"{EVIL} joint {i}"))
        for i, one in enumerate(robot.frames)
    )
    return replace(robot, name=EVIL, frames=frames, description=EVIL)


@pytest.mark.parametrize("name", [*robosym.robot_names(), "general-70r"])
def test_robots(name):
    robot = load(name)
    page = check_html(robot._repr_html_())
    texts = [text for _, _, text in page.texts]
    assert robot.frames[0].joint.name in texts
    check_latex(robot._repr_latex_())


def test_the_table_of_a_robot_is_that_of_its_description():
    page = check_html(load("rx90")._repr_html_())
    texts = [text for _, _, text in page.texts]
    at = texts.index("elbow")
    assert texts[at - 2 : at + 9] == ["3", "link3", "elbow", "2", "revolute", "0", "0", "0", "D3", "q3", "0"]
    assert "limits of the joints" in texts
    assert "MX" in texts
    assert r"\text{elbow} & 2 & 0 & 0 & 0 & 0 & D_{3} & q_{3} & 0" in load("rx90")._repr_latex_()


def test_names_from_files_stay_names():
    robot = evil(load("planar-2r"))
    made = [robot, models.transform(robot), models.gravity(robot), models.inverse_geometric(robot)]
    T = models.transform(robot).compile()(q=[0.3, 0.4])
    solver = made[-1]
    made += [solver(T), solver.batch(T[None])]
    for one in made:
        page = check_html(one._repr_html_())
        assert any("<script>" in text for _, _, text in page.texts) or "script" not in one._repr_html_()
        assert "<script" not in one._repr_html_()
        latex = getattr(one, "_repr_latex_", lambda: None)()
        if latex is not None:
            check_latex(latex)


@pytest.mark.parametrize(
    "name", ["transform", "jacobian", "inverse_dynamics", "energy", "forward_dynamics", "expanded"]
)
def test_models(name):
    model = getattr(models, name)(load("rx90") if name != "expanded" else load("planar-2r"))
    page = check_html(model._repr_html_())
    texts = [text for _, _, text in page.texts]
    assert texts[0] == f"{model.name} of {model.robot.name}"
    assert texts[1] == str(model.operations)
    for array in (*model.code.inputs, *model.code.outputs):
        assert texts[texts.index(array.name) + 1] == str(array.shape)
    assert len(page.formulas) == 1
    check_latex(model._repr_latex_())
    count = len(model.program.precompute) + len(model.program.steps)
    matrices = page.formulas[0].count("bmatrix") // 2
    count += sum(len(array.entries) for array in model.program.outputs if not matrices or len(array.shape) != 2)
    assert page.formulas[0].count("&=") == min(count + matrices, 400)


def test_many_formulas_are_folded_and_few_are_not():
    assert "<details open>" not in models.inverse_dynamics(load("rx90"))._repr_html_()
    assert "<details open>" in models.transform(load("planar-2r"))._repr_html_()


def test_maths_of_a_model_is_that_of_its_steps():
    page = check_html(models.transform(load("planar-2r"), frame=1)._repr_html_())
    assert r"T &= \begin{bmatrix}C_{1} & -S_{1} & 0 & 0 \\ S_{1} & C_{1} & 0 & 0 \\ 0 & 0 & 1 & 0" in page.formulas[0]
    gravity = check_html(models.gravity(load("planar-2r"))._repr_html_())
    assert r"{Q}_{2} &= " in gravity.formulas[0]


def test_routines_show_their_stages():
    solver = models.inverse_geometric(load("rx90"))
    page = check_html(solver._repr_html_())
    assert any("inverse" in text for _, _, text in page.texts)
    assert solver._repr_latex_() is None


def test_solutions():
    solver = models.inverse_geometric(load("rx90"))
    q = np.full(6, 0.3)
    T = models.transform(load("rx90")).compile()(q=q)
    found = solver(T, seed=q)
    texts = [text for _, _, text in check_html(found._repr_html_()).texts]
    assert texts[0] == "reachable, 8 solutions"
    assert texts.count("0.300000") >= 6
    assert found.residuals.shape == (8,)
    assert found.residuals.max() < 1e-14
    T[0, 3] += 1.0  # the caller's array is not the result's
    assert solver(T * 1.0).residuals is not None
    assert found.residuals.max() < 1e-14
    check_latex(found._repr_latex_())
    far = np.eye(4)
    far[0, 3] = 9.0
    assert "out of reach" in solver(far)._repr_html_()


def test_residuals_are_those_of_the_pose_as_it_was_asked():
    solver = models.inverse_geometric(load("rx90"))
    T = models.transform(load("rx90")).compile()(q=np.full(6, 0.3))
    found = solver(T)
    T[:3, 3] += 0.1
    assert found.residuals.max() < 1e-14
    other = solver.residuals(T, found.solutions, None, None)
    np.testing.assert_allclose(other, 0.1, atol=1e-12)


X = variable("x")


@pytest.mark.parametrize(
    "node",
    [
        sqrt(X) / 2,
        select(X < 1, X**2, absolute(X)),
        floor(X) * sign(X) * parameter("alpha_max3"),
        X.__class__ and 3 * X,
    ],
)
def test_expressions(node):
    check_latex(node._repr_latex_())


# --- one line at a prompt --------------------------------------------------------------------------------------------


def public_objects():
    robot = load("rx90")
    solver = models.inverse_geometric(robot)
    T = models.transform(robot).compile()(q=np.full(6, 0.3))
    law = control.computed_torque(load("puma560"))
    move = trajectory.point_to_point([0.0] * 6, [0.3] * 6, duration=0.05)
    motion = analysis.FrameMotion(robot)
    yield from (robot, robot.frames[2], robot.frames[2].joint, robot.frames[2].link, robot.base, robot.values["D3"])
    yield from (robot.frames[2].joint.limits, robot.frames[2].actuator, load("delta").platforms[0])
    yield from (solver, solver(T), solver.batch(T[None]), solver.routine, solver.compile())
    for name in ("gravity", "jacobian", "inverse_dynamics_derivatives", "base_parameters", "regressor"):
        made = getattr(models, name)(load("planar-2r"))
        yield made
        if hasattr(made, "program"):
            yield from (made.program, made.program.steps[0], made.program.outputs[0], made.operations, made.compile())
    yield from (move, move(0.02), law, law.tuning, control.check(law))
    yield from (
        robosym.simulate(load("puma560"), law, move),
        robosym.mobility(robot),
        robosym.mobility(load("five-bar")),
    )
    yield from (motion, motion.jacobian(np.zeros(6)))
    yield sum((parameter(f"a{i}") * variable(f"x{i}") for i in range(90)), start=parameter("b"))


@pytest.mark.slow
def test_every_public_object_has_one_line():
    for one in public_objects():
        for part in one if isinstance(one, (tuple, list)) else (one,):
            if isinstance(part, np.ndarray):
                continue
            shown = repr(part)
            assert "\n" not in shown, shown
            assert len(shown) <= 120, shown
            assert " object at 0x" not in shown, shown


def test_what_a_line_says():
    robot = load("rx90")
    assert repr(robot.frames[2].joint.limits).startswith("<Limits lower=-4.05789, upper=")
    assert repr(robot.values["D3"]).startswith("<Value number=0.45, unit='m'")
    assert repr(robot.frames[2]).startswith("<Frame name='link3', antecedent=2, joint=")
    assert isinstance(models.gravity(robot).compile(), CompiledFunction)
