"""``constraint_wrenches``: wrenches between the links of closed loops, across the cut joints.

The tree moves as the closed loops permit. Across each cut joint k the link before it exerts the wrench w on the link with the twin
frame. The torques of the tree are Gamma = Gamma_tr + W^T w, with the rows of W in the axes of frame k. A passive joint has no
motor: Gamma_p = 0, which gives as many equations as W has independent rows. Along the axis of the cut joint itself w balances its
friction and its rotor, as it has no motor either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ....expr import Expr, absolute, expr, logical_and, number
from ....generated import Model
from ....generated.declaration import declare
from ....generated.documentation.case import Case
from ....generated.documentation.units import wrench
from ....program import Scope, optimised
from ....program.documentation import Described, Entry
from ....robot import Robot
from ....spatial.blocks import blocks
from ....spatial.minors import Minors
from ....spatial.scalar import Scalar
from ...common import graph_of, has_loops, matrix, model, require_standard
from ...linear_systems.by_blocks import dot, solved
from ...loops.equations import Equations, equations
from ...loops.residual import lengths_of
from ...resolve import Near, resolve, with_loops
from ...tree.bodies import Tree, tree
from ...tree.friction import FrictionKind, friction_asked
from ...tree.joint_torques import CLASSICAL, MODERN, Algorithm, actuator_torque
from ...tree.rotors import RotorsOfJoints
from ...tree.state import Wrenches, state_inputs, wrench_option, zero_unless_given

HOLDS = 1e-9  # the least determinant of the rows that hold a loop, lengths over its size
COMPONENTS = ("FX", "FY", "FZ", "CX", "CY", "CZ")


@dataclass(frozen=True, repr=False, kw_only=True)
class ConstraintWrenches(Model):
    """``f(q=..., qd=..., qdd=...)`` gives ``w``, a row for each of ``joint_names``.

    ``undetermined``: components that rigid bodies do not determine, because constraints are redundant. Of these, ``released``
    are zero, as if the joint gave way there; the others are what then holds the loop.
    """

    joint_names: tuple[str, ...]
    undetermined: tuple[str, ...]
    released: tuple[str, ...]

    @property
    def mode(self) -> str:
        return str(self.options["mode"])


def _cut_wrenches(case: Case) -> Described:
    robot = case.robot
    cuts = tuple(Entry(robot.frame(j).joint.name) for j in range(robot.n_links + 1, robot.n_links + robot.loops + 1))
    about = (
        "force and moment through each cut joint: of the link that carries its frame k on the link that carries the twin k + B, in the "
        "axes of frame k at its origin"
    )
    return Described(about, cuts if len(cuts) == case.shape[0] else (), wrench())


@declare(
    title="Forces in the closed loops",
    family="dynamic",
    rank=110,
    inputs="q, qd, qdd, wrench?",
    outputs="w",
    about="Forces and moments through the cut joints of closed loops",
    arrays={"w": _cut_wrenches},
    available=has_loops,
    gravity=True,
)
def constraint_wrenches(
    robot: Robot,
    *,
    friction: FrictionKind = False,
    rotor_inertia: RotorsOfJoints = True,
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
) -> ConstraintWrenches:
    """Wrenches that links of closed loops exert on each other at cut joints.

    The parent link of frame k of a cut joint exerts the wrench on the link of its twin frame. Robots written in base
    parameters raise ``RobotError``.

    Parameters
    ----------
    robot
        Robot with closed loops.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    rotor_inertia
        Rotor inertias of the motors: True (included) or False (excluded).
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).

    Returns
    -------
    ConstraintWrenches
        Inputs ``q``, ``qd``, ``qdd`` and ``wrench``. Output ``w`` (cut joints, 6): force [N], then moment [N m], in the
        axes of frame k about its origin. ``assembled`` is 0 where the loops do not close, or where the remaining
        components cannot hold the loop.

    Notes
    -----
    Planar loops are overconstrained: forces normal to the plane and moments in it are undetermined, and set to zero.
    ``undetermined`` lists such components, ``released`` the zero ones. In a spatial loop the other undetermined
    components then hold the loop.
    """
    resolved = resolve(with_loops(robot), mode, near)
    require_standard(robot, "the wrenches inside the joints")
    friction_asked(robot, friction)
    return resolved.finished(_wrenches(resolved.tree, friction, rotor_inertia, wrench))


def _wrenches(robot: Robot, friction: FrictionKind, rotor_inertia: bool, wrench: Wrenches) -> ConstraintWrenches:
    """Of the assembled tree."""
    wrench = wrench_option(robot, wrench)
    way = Scope()
    own = equations(robot, way)
    bodies = tree(robot, wrench) if rotor_inertia else tree(robot, wrench).without_rotors()
    found = [wrench_rows(own, bodies, one, friction) for one in (MODERN, CLASSICAL)]
    inputs = state_inputs(robot, ("q", "qd", "qdd"), wrench)
    held = _held(robot, own, way)
    graphs = [
        graph_of(held, "constraint-wrenches", inputs, (matrix("w", rows, 6),), way.names | names)
        for rows, names in found
    ]
    options = {"friction": friction, "rotor_inertia": rotor_inertia, "wrench": wrench}
    names = tuple(robot.frame(j).joint.name for j in own.cuts)
    released = own.names(robot, own.released, COMPONENTS)
    notes = [f"w: a row ({', '.join(COMPONENTS)}) for each cut joint: {', '.join(names)}"]
    notes += [f"Not determined by rigid bodies, and zero: {', '.join(released)}"] if released else []
    program = optimised(*graphs).replace(notes=tuple(notes))
    made = model(robot, "constraint-wrenches", program, options, optional=zero_unless_given(robot, wrench))
    return ConstraintWrenches(
        **{name: getattr(made, name) for name in made.__dataclass_fields__},
        joint_names=names,
        undetermined=own.names(robot, own.undetermined, COMPONENTS),
        released=released,
    )


def _held(robot: Robot, own: Equations, scope: Scope) -> Robot:
    """The robot, said to be assembled only where what is not released can hold it: the rows that were kept are independent at a
    generic position, and need not be at all. In a planar loop, where nothing else is undetermined, they are."""
    closure = robot.closure
    if closure is None or set(own.undetermined) == set(own.released):
        return robot
    W_p = own.matrix(own.kept, own.passive)
    square: Scalar = 1
    for block in blocks(W_p):
        part = block.of(W_p)
        determinant = scope.scalar("DW", block.rows[0] + 1, Minors(part, scope, "DW").determinant)
        square = square * determinant * determinant
    size: Scalar = 1
    for row in own.kept:
        lengths = [absolute(x) for x in lengths_of(robot, own.loops[row // 6]) if not x.is_zero]
        if row % 6 < 3 and lengths:
            size = size * sum(lengths, number(0)) ** 2
    holds = expr(expr(square) > HOLDS**2 * expr(size))
    return robot.replace(closure=replace(closure, exists=expr(logical_and(closure.exists, holds))))


def wrench_rows(
    own: Equations, bodies: Tree, algorithm: Algorithm, friction: FrictionKind
) -> tuple[list[list[Scalar]], dict[Expr, str]]:
    """The wrench over each cut joint, and the names of the steps."""
    scope = Scope()
    _, gammas = algorithm(bodies, scope)
    torques = {b.j: expr(gammas[b.j]) + actuator_torque(bodies, b, friction) for b in bodies.bodies}
    found = across(own, torques, scope)
    return [[found.get(6 * i + c, 0) for c in range(6)] for i in range(len(own.loops))], scope.names


def across(own: Equations, torques: Mapping[int, Expr], scope: Scope) -> dict[int, Scalar]:
    """The components of the wrenches, by row of W, from the torques that the joints of the open tree would need."""
    found: dict[int, Scalar] = {row: -torques[cut] for row, cut in zip(own.cut_rows, own.cuts, strict=True)}
    if not own.passive:
        return found
    W_p = own.matrix(own.kept, own.passive)
    W_pc = own.matrix(own.cut_rows, own.passive)
    transposed = [list(column) for column in zip(*W_p, strict=True)]
    right = []
    for j, column in zip(own.passive, zip(*W_pc, strict=True), strict=True):
        right.append([-(torques[j] + dot(column, list(found.values())))])
    solution = solved(transposed, blocks(transposed), right, scope)
    return found | {row: x for row, (x,) in zip(own.kept, solution, strict=True)}
