"""Any platform on legs: Newton's iteration on the closures of all legs from random starts, in rounds, until nothing new comes.

Unknown are the pose and all passive joints. This finds every kind of mode, also those of a platform that usually translates or
stays in a plane; but that it has found all is a matter of statistics.
"""

from __future__ import annotations

import numpy as np

from ....reals import Floats
from ...mechanism.closure import orthonormal_poses, random_states
from ...mechanism.newton import POSE, largest_residuals, newton
from .mechanism import Mechanism
from .result import Poses, different, remarks, unseen
from .singular import flags, moves_on, smallest

ROUND, MOST = 256, 8192  # starts
QUIET = 200  # starts that led to closed legs, one after another, without a new pose
OFTEN = 4  # times that every pose was reached
CROWD = 150  # different poses: more are taken for a motion
SUSPECTS = 8


def general_poses(mechanism: Mechanism, seed: int = 0, most: int = MOST) -> Poses:
    """The poses in world.

    ``complete`` if at least 200 starts in a row, and ten for each pose, led to none that was not known, each was
    reached four times or more, and none is on a motion of the platform with its motors at rest.
    """
    draw = np.random.default_rng(seed)
    x = np.zeros((0, POSE + len(mechanism.passive)))
    tried, quiet, infinite = 0, 0, False
    chosen: list[int] = []
    times: list[int] = []
    while tried < most:
        new = newton(mechanism.equations, random_states(draw, ROUND, 1.0, mechanism.units)).closed()
        tried += ROUND
        before = len(chosen)
        x = np.concatenate([x, new])
        singular = flags(smallest(mechanism.equations, x))
        chosen, times = different(orthonormal_poses(x), singular, 1.0)
        suspects = [k for k in chosen if singular[k]][:SUSPECTS]
        infinite = len(chosen) > CROWD or any(moves_on(mechanism.equations, x[k]) for k in suspects)
        quiet = quiet + len(new) if len(chosen) == before else 0
        enough = bool(chosen) and quiet >= max(QUIET, 10 * len(chosen)) and min(times) >= OFTEN
        if infinite or enough or (not len(x) and tried >= 4 * ROUND):
            break
    passed = not infinite and quiet >= max(QUIET, 10 * len(chosen)) and min(times, default=0) >= OFTEN
    found = x[[k for k in chosen if not (infinite and singular[k])]]
    return _result(mechanism, found, passed, infinite, tried, len(x), quiet, times)


def _result(
    mechanism: Mechanism,
    x: Floats,
    passed: bool,
    infinite: bool,
    tried: int,
    reached: int,
    quiet: int,
    times: list[int],
) -> Poses:
    singular = flags(smallest(mechanism.equations, x))
    n = len(x)
    message = f"{n} pose{'s' if n != 1 else ''} from {tried} random starts, of which {reached} closed all legs"
    if times and not infinite:
        message += f", the last {quiet} without a new pose; each pose was reached at least {min(times)} times"
    if not reached:
        message += ": with the motors here the legs may not close"
    message += remarks(singular, infinite, "with its motors at rest")
    return Poses(
        mechanism.placed(orthonormal_poses(x)),
        largest_residuals(mechanism.equations, x),
        passed,
        message,
        "general",
        tried,
        singular,
        mechanism.size,
        infinite,
        unseen(times),
        mechanism.joints(x[:, POSE:]),
        mechanism.passive_names,
    ).arranged()
