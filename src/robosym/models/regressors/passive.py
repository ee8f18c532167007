"""``passive_regressor``: tau = Y(q, qd, v, a) chi, what adaptive passivity-based control (Slotine and Li 1987) multiplies the
dynamic parameters by.

Column by column Y is ``passive_dynamics`` with one parameter 1 and all others 0, as D is the inverse dynamic model
(``dynamic.py``): the wrench of a link is linear in its ten parameters, and the products of speeds in it are those of
``tree/reference.py``. The columns are those of ``regressor``.
"""

from __future__ import annotations

from ...generated.checks import Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import REFERENCE_MOTION
from ...robot import Robot
from ..common import open_tree
from ..inertial_parameters.sets import Parameters
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import Tree
from ..tree.reference import PairScope, reference_inputs, referred
from .regressor import (
    Asked,
    Form,
    Regressor,
    Way,
    entries_in_words,
    model_in_words,
    torques_of_parameters,
    ways_of_dynamic,
    written,
)
from .terms import Extra, FrictionTerms


@declare(
    title="Regressor of adaptive control",
    family="identification",
    rank=30,
    inputs="q, qd, v, a",
    outputs="Y",
    about=model_in_words,
    arrays={"Y": entries_in_words, **REFERENCE_MOTION},
    gravity=True,
    checks=[
        Check(
            lambda task: task.torques,
            ("q", "qd", "v", "a"),
            of_model=torques_of_parameters,
            note="Y times the parameters, v = qd, a = qdd",
        )
    ],
)
def passive_regressor(
    robot: Robot,
    *,
    parameters: Parameters = "base",
    friction: FrictionTerms = False,
    rotor_inertia: bool = True,
    extra: Extra | None = None,
    customised: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Regressor:
    """Y of tau = A(q) a + C(q, qd) v + Q(q) = Y chi for given q, qd, the reference speeds v and their rates a: the entries that are
    not zero. With v = qd and a = qdd it is D of ``regressor``, whose columns and options these are.

    Friction is that at the speeds v: Fv v + Fs sign(v). ``extra`` may use q, qd, v and a.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    return resolved.finished(
        written(open_tree(robot), PASSIVE, Asked(parameters, friction, rotor_inertia, extra or {}, customised))
    )


def _ways(bodies: Tree) -> list[Way]:
    return ways_of_dynamic(bodies, "Y", PairScope)


def _motion(bodies: Tree) -> tuple[Tree, Tree]:
    motion = referred(bodies)
    return motion.reference, motion.paired


PASSIVE = Form(reference_inputs, _ways, name="passive-regressor", torques=_ways, motion=_motion)
