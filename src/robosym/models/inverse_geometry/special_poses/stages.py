"""Special poses: what an equation loses there is found from poses near by, and proved at the pose itself.

At a special pose an equation may leave its joint free, or two of its values meet. At a pose a little away it is
ordinary again, and its solutions are near to those looked for. So the closed form runs at the pose and at some
neighbours, and from each of its rows an iteration (``iteration.py``) goes to the pose itself. What makes the pose is a
solution.

Where the Jacobian matrix has a null space, the joints may move with the frame at rest: that is tried joint by joint, with a
small step of one that the others are to follow. Of such a self-motion the position is given that is nearest to zero, or
to a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....expr import Expr, logical_and
from ....program import Program
from ....program.routine import Each, Emit, Run, Stage, When
from ..chain.chain import Chain
from ..chain.task import Task
from .expression_arrays import Entries, program_of
from .iteration import Iteration, copied, measures

# The neighbours: how far away, over the size of the arm, and how many at each distance. An arm that cannot follow the
# pose in every direction gets arbitrary values from an equation that vanishes: more neighbours are tried.
FAR = (1e-6, 1e-4, 1e-2)
NEIGHBOURS, MORE_NEIGHBOURS = 2, 5
SAME, SAME_MOTION = 1e-5, 1e-3  # solutions nearer to each other are one; so are positions given for self-motions

Candidates = Callable[[tuple[Stage, ...]], Sequence[Stage]]


def special_stages(chain: Chain, task: Task, candidates: Candidates, seeded: bool = False) -> tuple[Stage, ...]:
    """The stages for a special pose T. ``candidates`` gives those that make the candidates for the pose Y one after the
    other, as the array ``row``, and run some stages on each. With a ``seed``, it is a candidate too."""
    refine = refinement(chain, task, seeded)
    own = _seed_stages(chain, task, refine) if seeded else ()
    near = Each("neighbours", "twist", (Run(_moved()), *candidates(refine)))
    return (Run(measures(chain, task)), *own, Run(_neighbours(chain)), near)


def refined_rows(chain: Chain, task: Task, seeded: bool = False) -> tuple[Stage, ...]:
    """The stages that refine the candidates ``rows``, which are given."""
    refine = refinement(chain, task, seeded)
    own = _seed_stages(chain, task, refine) if seeded else ()
    return (Run(measures(chain, task)), *own, Each("rows", "row", refine))


def _seed_stages(chain: Chain, task: Task, refine: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """The seed as a candidate; one that makes the pose very well is a solution as it is, also in a valley of others."""
    made = Iteration(chain, task)
    names = {"tolerance": "seed_tolerance", "ok": "ok_seed"}
    own = (Run(made.scaled()), Run(made.checked(), names), Emit("q", "ok_seed"))
    return (Run(copied(chain), {"from": "seed", "to": "row"}), *own, *refine)


def refinement(chain: Chain, task: Task, seeded: bool = False) -> tuple[Stage, ...]:
    """The stages that take the candidate ``row`` to the pose T, and append it to the solutions if it makes it."""
    made = Iteration(chain, task)
    n = len(chain.joints)
    joints = program_of("joints", {}, lambda: {"joints": np.eye(n, dtype=int)})
    walk = (made.iteration("y", held=True), Run(made.walked(), {"moves_now": "moves", "z_now": "z"}))
    sure = When("moves", (Run(made.part_way(), {"y_now": "y"}), *walk))
    tried = (Run(joints), Each("joints", "held", (Run(made.stepped()), When("loose", (*walk, sure)))))
    moving = (*made.settled(seeded), Emit("q", "ok", SAME_MOTION))
    still = program_of(
        "still", {"moves": (), "arrived": ()}, lambda moves, arrived: {"still": logical_and(arrived, 1 - moves)}
    )
    found = (Run(made.slack()), When("slack", tried), When("moves", moving), Run(still), Emit("q", "still"))
    return (Run(made.scaled()), made.iteration("x"), Run(made.checked()), When("ok", found))


# --- programs --------------------------------------------------------------------------------------------------------


def _neighbours(chain: Chain) -> Program:
    return program_of("neighbours", {}, lambda: {"neighbours": twists(len(chain.joints))})


def twists(joints: int) -> NDArray[np.float64]:
    """Small turns and shifts, a row each; the first is none."""
    each = NEIGHBOURS if joints == 6 else MORE_NEIGHBOURS
    draw = np.random.default_rng(5).uniform(-1, 1, (each * len(FAR), 6))
    return np.round(np.vstack([np.zeros(6), draw * np.repeat(FAR, each)[:, None]]), 12)


def _moved() -> Program:
    """The pose Y, a small turn and shift from T."""

    def body(T: Entries, size: Expr, twist: Entries) -> dict[str, Any]:
        return {"Y": moved_pose(T, size, twist)}

    return program_of("moved", {"T": (4, 4), "size": (), "twist": (6,)}, body)


def moved_pose(T: Entries, size: Any, twist: Entries) -> Entries:
    x, y, z = twist[:3]
    turn = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R = T[:3, :3] + turn @ T[:3, :3]
    return np.vstack([np.column_stack([R, T[:3, 3] + size * twist[3:]]), T[3:]])
