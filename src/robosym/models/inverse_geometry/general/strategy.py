"""Which eliminations to use for an arm, decided by trial on poses of known configurations.

A labelling that is degenerate for this geometry (a singular pencil, roots lost) shows at once. When all are, as for arms
with intersecting or parallel axes, the pencil of a slightly different arm is solved instead: its roots are near the true
ones, and Newton, on the true arm, does the rest. Several such neighbours are joined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ....errors import RobosymError
from ....robot import PRISMATIC
from ....spatial.floats import screws
from .arm import JOINTS, MOST_PRISMATIC, Arm
from .invariants import Floats
from .labelling import labellings
from .roots import Elimination
from .three_prismatic import ThreePrismatic
from .trial import Trial, closure, most_solutions, trial_poses, tried

ACCURATE = 1e-6  # of a start, before Newton: worse than this is a degenerate elimination
SPURIOUS = 0.05
NEIGHBOURS, NEIGHBOUR_REAL = (1e-4, 1e-3), 0.1


Method = Elimination | ThreePrismatic


@dataclass(frozen=True, eq=False)
class Strategy:
    """``always`` are run for every pose; ``spare`` one after the other where the result looks incomplete."""

    always: tuple[Method, ...]
    spare: tuple[Method, ...]
    regular: bool  # the pencil's real roots are solutions, all of them: one that is not casts doubt on the pose
    usual: int = 0  # fewer solutions than these cast doubt on a pose, where the elimination itself is no evidence


def strategy_for(arm: Arm) -> Strategy:
    """The eliminations for an arm in units of its length."""
    q, T = trial_poses(arm)
    sizes = np.linalg.svd(closure(arm, T, q)[1], compute_uv=False)
    rank = int((sizes > 1e-9 * sizes[:, :1]).sum(axis=1).max())
    if rank < JOINTS:
        problem = f"the six joints move the frame in {rank} independent directions only"
        raise RobosymError(f"{problem}: a pose has no solution or infinitely many")
    if sum(kind == PRISMATIC for kind in arm.kinds) == MOST_PRISMATIC:
        return Strategy((ThreePrismatic(arm),), (), True)
    trials = [tried(Elimination(arm, label), arm, q, T) for label in labellings(arm.kinds)]
    trials.sort(key=lambda trial: trial.worth, reverse=True)
    best = trials[0]
    if best.found.all() and best.error < ACCURATE:
        regular = best.spurious < SPURIOUS
        others = [t.method for t in trials[1:] if t.found.all() and t.error < ACCURATE]
        first = [m for m in others if m.labelling.hidden != best.method.labelling.hidden][:1]
        methods = (best.method, *first, replace(best.method, phi=best.method.phi + 1.9))
        return Strategy(methods[:1], methods[1:], regular, 0 if regular else most_solutions(arm, methods, T))
    return _neighbours(arm, q, T)


def _neighbours(arm: Arm, q: Floats, T: Floats) -> Strategy:
    """The best elimination of a neighbour and of the one on the opposite side: where two solutions of one have just
    met and vanished, those of the other have just parted. The next best are spares."""
    labels = [label for label in labellings(arm.kinds) if label.lifted != 1 or arm.kinds[label.order[3]]]

    def ranked(size: float) -> list[Trial]:
        near = _neighbour(arm, size)
        trials = [tried(Elimination(near, label, real=NEIGHBOUR_REAL), arm, q, T) for label in labels]
        return sorted((t for t in trials if t.found.any()), key=lambda trial: trial.worth, reverse=True)

    sides: dict[float, list[Trial]] = {}
    for size in NEIGHBOURS:  # nearer is better unless the pencil is then too close to singular
        sides[size] = ranked(size)
        if sides[size] and sides[size][0].found.all():
            break
    best = max(sides, key=lambda size: sides[size][0].worth if sides[size] else (0.0, 0.0))
    pair = (sides[best], ranked(-best))
    if not any(pair):
        raise RobosymError("no elimination of the general method finds the solutions of this arm")
    always, spare = (tuple(t.method for side in pair for t in side[i : i + 1]) for i in (0, 1))
    return Strategy(always, spare, False, most_solutions(arm, (*always, *spare), T))


def _neighbour(arm: Arm, size: float) -> Arm:
    """The arm with every link a little longer, twisted and shifted."""
    rng = np.random.default_rng(0)
    constants = arm.constants.copy()
    for i in range(1, JOINTS):
        angle, shift, offset = size * rng.choice([-1.0, 1.0], 3) * rng.uniform(0.5, 1.5, 3)
        constants[i] = constants[i] @ screws(angle, shift, 0) @ screws(0.0, offset, 2)
    return replace(arm, constants=constants)
