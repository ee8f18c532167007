"""Special poses: what an equation loses there is found from poses near by, and proved at the pose itself.

At a special pose an equation may leave its joint free, or two of its values meet. At a pose a little away it is
ordinary again, and its solutions are near to those looked for. So the solver runs at the pose and at some neighbours, and
from each of its rows an iteration (``iteration.py``) goes to the pose itself. What makes the pose is a solution.

Where the Jacobian matrix has a null space, the joints may move with the frame at rest: that is tried joint by joint, with a
small step of one that the others are to follow (``self_motion.py``). Of such a self-motion the position is given that is
nearest to the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....expr import Expr
from ....program import Program
from ....program.of_arrays import program_of, run_over
from ....program.routine import Collect, Copy, Each, Fill, Run, Stage, When
from ..chain.chain import Chain
from .iteration import Iteration
from .limits import moving_within
from .scalars import Entries
from .self_motion import SelfMotion, faint_damping

# The neighbours: how far away, over the size of the arm, and how many at each distance. An arm that cannot follow the
# pose in every direction gets arbitrary values from an equation that vanishes: more neighbours are tried.
FAR = (1e-6, 1e-4, 1e-2)
NEIGHBOURS, MORE_NEIGHBOURS = 2, 5
SAME, SAME_MOTION = 1e-5, 1e-3  # solutions nearer to each other are one; so are positions given for self-motions


def begun(most: int, joints: int) -> tuple[Stage, ...]:
    """No solution yet, and none within limits that moves."""
    return (Fill("solutions", (most, joints)), Fill("count"), Fill("moving"))


def solution(chain: Chain, values: str, where: str, same: float = SAME) -> Collect:
    """A row or rows to be appended to the solutions, where they are not among them."""
    turns = tuple(not joint.prismatic for joint in chain.joints)
    return Collect(values, where, "solutions", "count", tuple(same * unit for unit in chain.units), turns)


def candidate(values: str, where: str) -> Collect:
    return Collect(values, where, "candidates", "candidate_count")


def special_stages(iteration: Iteration, candidates: Sequence[Stage], each: int) -> tuple[Stage, ...]:
    """The stages for a special pose T, of the size that ``measures`` tells. ``candidates`` are those that append the
    candidates for a pose Y, at most ``each``; where it is ``seeded``, the seed is one too."""
    n = iteration.n
    twists = neighbours(n)
    own = (
        Copy("seed", "row"),
        Run(iteration.scaled),
        # A seed that makes the pose very well is a solution as it is, also in a valley of others.
        *iteration.checked("x", "seed_tolerance"),
        solution(iteration.chain, "q", "ok"),
        candidate("seed", "seeded"),
    )
    return (
        Fill("candidates", (1 + each * len(twists), n)),
        Fill("candidate_count"),
        When("seeded", own),
        Run(program_of("neighbours", {}, lambda: {"neighbours": twists})),
        Each("neighbours", "twist", (Run(_moved()), *candidates)),
        faint_damping(),
        Each("candidates", "row", refinement(iteration), "candidate_count"),
    )


def refinement(iteration: Iteration) -> tuple[Stage, ...]:
    """The stages that take the candidate ``row`` to the pose T, and append it to the solutions if it makes it."""
    motion = SelfMotion(iteration)
    kept = (run_over(moving_within(iteration.chain)), solution(iteration.chain, "q", "ok", SAME_MOTION))
    moving = (*motion.settled(), *kept)
    still = (solution(iteration.chain, "q", "arrived"),)
    start = (Fill("moves"), Copy("x", "z"))
    found = (*start, *motion.slack(), When("slack", motion.tried()), When("moves", moving, still))
    return (Run(iteration.scaled), iteration.iteration("x"), *iteration.checked("x"), When("ok", found))


# --- neighbours ------------------------------------------------------------------------------------------------------


def neighbours(joints: int) -> NDArray[np.float64]:
    """Small turns and shifts, a row each; the first is none."""
    each = NEIGHBOURS if joints == 6 else MORE_NEIGHBOURS
    draw = np.random.default_rng(5).uniform(-1, 1, (each * len(FAR), 6))
    return np.round(np.vstack([np.zeros(6), draw * np.repeat(FAR, each)[:, None]]), 12)


def _moved() -> Program:
    """The pose Y, a small turn and shift from T."""

    def body(T: Entries, size: Expr, twist: Entries) -> dict[str, Any]:
        x, y, z = twist[:3]
        turn = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        R = T[:3, :3] + turn @ T[:3, :3]
        return {"Y": np.vstack([np.column_stack([R, T[:3, 3] + size * twist[3:]]), T[3:]])}

    return program_of("moved", {"T": (4, 4), "size": (), "twist": (6,)}, body)
