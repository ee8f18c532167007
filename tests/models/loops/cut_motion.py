"""How the two sides of a cut joint move against each other, by Pinocchio."""

from __future__ import annotations

import numpy as np
from models.pinocchio_states import Twin, pin
from models.reference import dh_matrix, numbers

from robosym.robot import FIXED, Robot


def relative_motion(robot: Robot, x: np.ndarray, xd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pinocchio's: V_k without the cut joint less V_twin, in the axes of the twin, and the rate of this without accelerations.

    ``x``: of the joints of the tree, with closed loops.
    """
    tree = robot.equivalent_tree
    twin = Twin.of_robot(tree)
    model, q, v = twin.model, twin.configuration(x), twin.spread @ xd
    frames = {}
    for j in range(robot.n_links + 1, len(robot.frames) + 1):
        one = robot.frame(j)
        carrier = tree.carrier(one.antecedent)
        place = pin.SE3.Identity()
        for i in [i for i in robot.path(j) if i not in robot.path(carrier)]:
            place = place * pin.SE3(dh_matrix(*numbers(robot, robot.frame(i).geometry)))
        at = twin.joints[carrier] if carrier else 0
        frames[j] = model.addFrame(pin.Frame(f"cut {j}", at, place, pin.FrameType.OP_FRAME))
        assert one.sigma in (0, FIXED), "of revolute cut joints"
    data = model.createData()
    pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
    pin.computeJointJacobians(model, data, q)
    pin.updateFramePlacements(model, data)
    J, g = [], []
    for k in range(robot.n_links + 1, robot.n_links + robot.loops + 1):
        a, b = frames[k], frames[k + robot.loops]
        both = pin.LOCAL_WORLD_ALIGNED
        R = data.oMf[b].rotation.T
        jacobian = pin.getFrameJacobian(model, data, a, both) - pin.getFrameJacobian(model, data, b, both)
        J += [R @ jacobian[:3], R @ jacobian[3:]]
        va, vb = (pin.getFrameVelocity(model, data, one, both) for one in (a, b))
        aa, ab = (pin.getFrameClassicalAcceleration(model, data, one, both) for one in (a, b))
        g += [R @ (aa.linear - ab.linear)]
        g += [R @ (aa.angular - ab.angular - np.cross(vb.angular, va.angular - vb.angular))]
    return np.vstack(J) @ twin.spread, np.concatenate(g)
