"""The dynamic model written out, element by element, for people to read: small robots only."""

from __future__ import annotations

from ...expr import Expr, free_symbols, postorder, substitute, symbol
from ...expr.node import LIN, SYM, VARIABLE
from ...generated import Model
from ...program import Array, Program
from ...program.lower import angle_suffix
from ...program.program import Step
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import model
from .bodies import state_inputs, tree
from .fourier import expanded as written_out
from .inverse import Parameters
from .lagrange import Layout, Unmarked, at_rest, differentiated, lagrange_outputs
from .sets import robot_in

# With more joints the elements fill pages, and nobody reads them.
MOST_JOINTS = 4


def expanded(
    robot: Robot,
    parameters: Parameters = "standard",
    form: Layout = "symoro",
    simplify: bool = True,
    rotor_inertia: bool = True,
) -> Model:
    """A, coriolis_coefficients, centrifugal_coefficients and Q (or ROBMAT's M, B, C, G), every element in full.

    ``simplify`` multiplies out, cancels what cancels and joins terms into sines and cosines of sums of angles; without it
    the elements stand as the recursion leaves them.
    """
    used = robot_in(robot, parameters)
    if used.nv > MOST_JOINTS:
        problem = f"has {used.nv} joints: only models of up to {MOST_JOINTS} are written out (use lagrange)"
        raise RobotError([Problem("", problem)], robot.name)
    bodies = at_rest(used, tree(used))
    outputs = lagrange_outputs(used, bodies, differentiated, form, rotor_inertia, False, Unmarked())
    if simplify:
        outputs = tuple(Array(a.name, a.shape, tuple(written_out(a.entries))) for a in outputs)
    options = {"form": form, "simplify": simplify, "rotor_inertia": rotor_inertia}
    return model(used, "expanded", _program(used, outputs), options, parameters)


def _program(robot: Robot, outputs: tuple[Array, ...]) -> Program:
    """Steps for the sines and cosines of joint angles and their sums alone: S2, C23."""
    inputs = state_inputs(robot, ("q",))
    roots = [entry for array in outputs for entry in array.entries]
    parameters = tuple(s for s in free_symbols(*roots) if s.kind == "parameter")
    taken = {s.name for s in parameters} | {s.name for a in inputs for s in a.entries} | {a.name for a in outputs}
    steps: dict[Expr, Step] = {}
    for node in sorted(filter(_is_plain, postorder(roots)), key=lambda node: (node.args[0].key, node.op == "sin")):
        name = ("S" if node.op == "sin" else "C") + angle_suffix(node.args[0])
        if name not in taken:
            taken.add(name)
            steps[node] = Step(symbol(name, "local"), node)
    short = {node: one.symbol for node, one in steps.items()}
    written = tuple(Array(a.name, a.shape, tuple(substitute(a.entries, short))) for a in outputs)
    return Program(f"{robot.name}_expanded", inputs, parameters, (), tuple(steps.values()), written)


def _is_plain(node: Expr) -> bool:
    """Whether a node is the sine or cosine of a joint angle or a sum of such."""
    if node.op not in ("sin", "cos") or node.level != VARIABLE:
        return False
    angle = node.args[0]
    return angle.op == SYM or (angle.op == LIN and angle.value[0] == 0 and set(angle.value[1]) == {1})
