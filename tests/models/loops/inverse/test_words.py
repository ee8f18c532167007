"""The inverse geometric model of a robot with closed loops in words."""

from __future__ import annotations

from models.loops.inverse.solvers import solver_of

from robosym.expr import evaluate, parse
from robosym.models.loops.inverse import words


def test_sums_by_the_names_of_joints() -> None:
    solver = solver_of("sr400")
    (line,) = words.beside(solver.route, solver.plan)
    ((j, total),) = solver.plan.sums.items()
    name, _, said = line.partition(" = ")
    assert name == solver.robot.frame(j).joint.name == "crank"
    names = {solver.robot.frame(k).joint.name: solver.robot.frame(k).joint.variable for k in (2, 3)}
    numbers = {names["shoulder"]: 0.3, names["elbow"]: 0.5}
    value = float(evaluate([parse(said)], {"shoulder": 0.3, "elbow": 0.5})[0])
    assert abs(value - float(evaluate([total], numbers)[0])) < 1e-8


def test_what_is_said() -> None:
    solver = solver_of("five-bar with a lower limit")
    said = solver.explain()
    assert "closed loops, assembled in mode: cut+" in said
    assert "passive on this way: left_elbow" in said or "passive on this way: right_elbow" in said
    assert "motors: left, right" in said
    assert f"up to {solver.most}." in said
    assert "from the loop that is cut at cut, in closed form" in said
    data = words.as_dict(solver)
    assert data["mode"] == "cut+"
    assert data["branches"] == solver.most
    assert data["way"] == [joint.name for joint in solver.chain.joints]
    assert len(data["motors"]) == 1
    notes = words.notes(solver.route, solver.plan, ["first", "method", "rest"])
    assert notes[0] == "first"
    assert notes[1] == f"The way to the frame: {', '.join(data['way'])}. method"
    assert notes[2] == f"Then {data['motors'][0]}."
    assert notes[3] == "Limits of joints that are not driven: left_elbow from -0.25 to none."
    assert notes[-1] == "rest"
    assert len(words.notes(solver_of("five-bar").route, solver.plan, ["a", "b"])) == 3
