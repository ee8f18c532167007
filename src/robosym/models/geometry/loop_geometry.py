"""``loop_geometry``: positions of all joints of a robot with closed loops, from the actuated joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...expr import number
from ...generated import Model
from ...generated.declaration import declare
from ...generated.documentation.case import Case
from ...generated.documentation.units import POSITION, of_joints
from ...program import Array, optimised
from ...program.documentation import Described
from ...robot import FIXED, Robot
from ..common import ASSEMBLED, graph_of, has_loops, model
from ..loops.angles import loop_angles
from ..loops.assembled import solutions
from ..loops.explanation import by_iteration, explanation
from ..loops.found import reference
from ..resolve import Near, resolve, with_loops
from ..tree.state import state_inputs


@dataclass(frozen=True, repr=False, kw_only=True)
class LoopGeometry(Model):
    """``f(q=...)`` gives the positions of all joints, in the order of ``joint_names``; its status ``assembled`` is 1 where the loops
    close.

    ``reasons`` say of each loop that has no closed form, by the name of its cut joint, why. Such loops are solved by an iteration
    from ``start``; the status ``passive``, the positions it found, is the start of the next state. Their modes were found in numbers with
    the driven joints at ``reference``.
    """

    modes: tuple[str, ...]
    mode: str
    joint_names: tuple[str, ...]
    reasons: Mapping[str, str] = field(default_factory=dict)
    reference: Mapping[str, float] = field(default_factory=dict)

    def by_name(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """What a call gave, of one state or of many, as positions by the names of the joints."""
        positions = np.asarray(found["positions"])
        return {name: positions[..., k] for k, name in enumerate(self.joint_names)}

    def explain(self, latex: bool = False) -> str:
        """The loops and their equations, then the steps."""
        steps = super().explain(latex)
        if latex:
            return steps
        plan = solutions(self.robot)[0]
        how = explanation(self.robot, plan.solved, self.modes, self.mode)
        return "\n".join([how, *by_iteration(self.robot, plan, self.reference), steps])


def _positions_in_words(case: Case) -> Described:
    robot = case.robot
    frames = [j for j in robot.order if robot.frame(j).sigma != FIXED]
    about = "positions of all joints, those of the tree, then the cut ones"
    return Described(about, of_joints(robot, POSITION, frames))


@declare(
    title="Geometry of the closed loops",
    family="geometric",
    rank=50,
    inputs="q",
    outputs="positions, assembled",
    about="Positions of all joints of closed loops from those that are driven",
    arrays={"positions": _positions_in_words},
    available=has_loops,
    section="SYMORO+ 1997, section 3.4",
)
def loop_geometry(robot: Robot, *, mode: str | None = None, near: Near = None) -> LoopGeometry:
    """Positions of all joints of a closed-loop robot from its actuated joints.

    Parameters
    ----------
    robot
        Robot with closed loops.
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
    LoopGeometry
        Input ``q``. Output ``positions``: all joints [rad, m] in the order of ``joint_names``, the spanning tree first,
        then the cut joints. Status ``assembled`` is 1 where the loops close, else 0 and the positions are NaN.

        ``reasons`` states why a loop has no closed form. Such loops are solved by iteration from the input ``start``;
        the status ``passive`` is the start of the next state.
    """
    resolved = resolve(with_loops(robot), mode, near)
    robot = resolved.robot
    made = resolved.finished(_positions(resolved.tree))
    plan, modes = solutions(robot)
    return LoopGeometry(
        **{name: getattr(made, name) for name in made.__dataclass_fields__},
        modes=tuple(one.name for one in modes),
        mode=made.options["mode"],
        joint_names=tuple(robot.frame(j).joint.name for j in order(robot)),
        reasons={robot.frame(cut).joint.name: why for cut, why in plan.reasons.items()},
        reference=reference(robot, plan),
    )


def order(robot: Robot) -> tuple[int, ...]:
    """The frames of all joints: antecedents before successors, so that the cut joints come last."""
    return tuple(j for j in robot.order if robot.frame(j).sigma != FIXED)


def _positions(robot: Robot) -> Model:
    """Of the assembled tree: it has closed loops no more, and knows where their joints are."""
    assert robot.closure is not None
    own = robot.closure.positions
    following = {**own, **loop_angles(robot, robot.closure, own)}
    entries = tuple(following[j] if j in following else robot.position(j) for j in order(robot))
    output = Array("positions", (len(entries),), entries)
    graph = graph_of(robot, "loop-geometry", state_inputs(robot, ("q",)), (output,))
    if len(graph.outputs) == 1 and not robot.closure.found:  # they always close: said all the same
        graph = replace(graph, outputs=(output, Array(ASSEMBLED, (), (number(1),))))
    names = ", ".join(robot.frame(j).joint.name for j in order(robot))
    return model(robot, "loop-geometry", optimised(graph).replace(notes=(f"positions: {names}",)), {})
