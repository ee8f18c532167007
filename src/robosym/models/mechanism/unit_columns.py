"""The torques for one inertial parameter 1 and all others 0, in numbers at random states.

They are on a basis of the motions: by virtual power, the wrench that moves a link on the twists that it has. With another basis they
are multiplied by a regular matrix at each state, so that the same columns depend on each other, with the same factors (Gautier 1990).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...program import Scope
from ...reals import Floats
from ...robot import INERTIA
from ...spatial.inertia import from_matrix
from ...spatial.vectors import ZERO
from ..tree.bodies import Body
from ..tree.joints import FREE
from ..tree.motion import BeforeTurn, Motion, Recursion, acceleration_matrix
from ..tree.wrenches import link_wrench
from .frames import MovingFrame
from .states import States

ROTOR = "Ia"
Key = tuple[int, str]  # a frame, and one of INERTIA or Ia

_XX, _XY, _XZ, _YY, _YZ, _ZZ, _MX, _MY, _MZ, _M = np.eye(len(INERTIA))
# Along the columns, a body with one parameter 1.
_UNITS = Body(0, 0, FREE, (), ZERO, 0, 0, 0, from_matrix((_XX, _XY, _XZ, _YY, _YZ, _ZZ), (_MX, _MY, _MZ), _M))


def unit_columns(states: States, places: Mapping[Key, int]) -> Floats:
    """W: rows state by state, one for every motion of the basis. ``places`` are the columns of the parameters, of which several may
    have the same: then they are one parameter of several links."""
    W = np.zeros((len(states), states.motions.shape[2], max(places.values(), default=-1) + 1))
    for j in dict.fromkeys(j for j, stem in places if stem != ROTOR):
        own = [k for k, stem in enumerate(INERTIA) if (j, stem) in places]
        W[:, :, [places[j, INERTIA[k]] for k in own]] += _link(states.moving[j], states.gravity)[:, :, own]
    for k, j in enumerate(states.joints, 6):
        if (j, ROTOR) in places:
            W[:, :, places[j, ROTOR]] += states.motions[:, k] * states.ud[:, k, None]
    return W.reshape(W.shape[0] * W.shape[1], W.shape[2])


def _link(frame: MovingFrame, gravity: Floats) -> Floats:
    """Of the ten parameters of a link (N, motions, 10)."""
    R = frame.T[:, :3, :3]
    w, wd, vd = (tuple(np.einsum("bji,bj->ib", R, x)[:, :, None]) for x in (frame.w, frame.wd, frame.a - gravity))
    U = acceleration_matrix(w, wd)
    force, moment = link_wrench(_UNITS, Motion(w, wd, U, vd, BeforeTurn(w, U[2], 0)), Scope(), Recursion())
    wrenches = np.stack([np.broadcast_to(x, (len(R), len(INERTIA))) for x in (*force, *moment)], axis=1)
    return np.asarray(np.swapaxes(frame.twists_at(frame.T), 1, 2) @ wrenches)
