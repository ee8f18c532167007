"""The inverse geometric model as one routine: the pose is checked, solved, and the solutions wanted are chosen.

    in    T (4, 4), given (k,) if there are joints given, seed (n,), seeded (), limits (2, n)
    out   solutions (most, n), count (), status ()

A method (``closed_form.stages``, ``general.stages``) fills ``solutions`` and ``count`` and says whether one within
limits is ``moving``; what stands around it is here. Of the periodic copies of an angle within its limits the nearest to the seed is taken, or to the angle itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ....expr import (
    Expr,
    absolute,
    expr,
    floor,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    number,
    select,
)
from ....program import Program
from ....program.of_arrays import program_of
from ....program.routine import Collect, Copy, Each, Fill, Kernel, Routine, Run, Slot, Stage, When
from ..chain.chain import Columns
from ..special_poses.limits import SLACK, TURN, UNLIMITED, between, whole_turns
from ..special_poses.scalars import Entries, cross, dot

FINITE = 1e300  # a square beyond this is taken for infinite
ORTHONORMAL = 1e-6  # what the columns of a rotation may miss being orthonormal by

# What ``status`` says.
NO_POSE, OUT_OF_REACH, REACHABLE, SINGULAR, OUTSIDE_LIMITS = -1, 0, 1, 2, 3


def inverse_routine(
    chain: Columns,
    method: Sequence[Stage],
    most: int,
    given: Sequence[str],
    notes: Sequence[str],
    *,
    in_order: bool,
    more: Sequence[Slot] = (),
    counted: str = "count",
) -> Routine:
    """The routine around a method. ``in_order``: its solutions come in an order of their own, that of the branches.

    ``more`` are inputs of the method beside these; ``counted`` is the number of solutions without any limits.
    """
    n = len(chain.joints)
    names = ", ".join(joint.name for joint in chain.joints)
    inputs = [Slot("T", (4, 4), "the pose, homogeneous")]
    inputs += [Slot("given", (len(given),), f"the positions of {', '.join(given)}")] if given else []
    inputs += [
        Slot("seed", (n,), f"a position of {names}; of a self-motion the position nearest to it is given"),
        Slot("seeded", (), "1: the solutions nearest to the seed come first; 0: the seed is no more than a reference"),
        Slot("limits", (2, n), f"the least and the greatest positions allowed; beyond {UNLIMITED:.0e}: none"),
        *more,
    ]
    outputs = (
        Slot("solutions", (most, n), f"a row for each solution: {names}; zero after the last"),
        Slot("count", (), "the number of solutions"),
        Slot(
            "status", (), "1 reachable, 2 singular: a joint may move, 3 outside limits, 0 out of reach, -1 T is no pose"
        ),
    )
    first = next(k for k, stage in enumerate(method) if not isinstance(stage, Run | Fill))
    stages = (
        Run(asked(n, in_order)),
        *method[:first],
        When("pose", tuple(method[first:])),
        Copy(counted, "found"),
        *_chosen(chain, most, in_order),
        Run(verdict()),
    )
    return Routine(f"{chain.robot.name} inverse-geometric", tuple(inputs), outputs, stages, tuple(notes))


def asked(n: int, in_order: bool) -> Program:
    """Whether T is a ``pose``, and whether the solutions are to be chosen from and put in order: ``choosing``.

    T is no pose if the squares of s.s - 1, n.n - 1, s.n, a - s x n and of what the last row misses add up to too much, or
    if a number is not finite.
    """

    def body(T: Entries, seeded: Expr, limits: Entries) -> dict[str, Any]:
        s, n, a, P = (T[:3, k] for k in range(4))
        terms = [dot(s, s) - 1, dot(n, n) - 1, dot(s, n), *(cross(s, n) - a), *T[3, :3], T[3, 3] - 1]
        right = dot(np.array(terms, dtype=object), np.array(terms, dtype=object)) <= ORTHONORMAL**2
        # A limit that is no number is one that nothing is within.
        limited = reduce(logical_or, [logical_not(absolute(x) >= UNLIMITED) for x in limits.ravel()])
        chosen = logical_or(limited, seeded)
        return {
            "pose": logical_and(right, dot(P, P) < FINITE),
            "limited": limited,
            "choosing": chosen if in_order else number(1),
        }

    return program_of("asked", {"T": (4, 4), "seeded": (), "limits": (2, n)}, body)


def verdict() -> Program:
    """The ``status``; what is no pose has no solution."""

    def body(pose: Expr, found: Expr, count: Expr, moving: Expr) -> dict[str, Any]:
        reached = select(
            count > 0, select(moving, SINGULAR, REACHABLE), select(found > 0, OUTSIDE_LIMITS, OUT_OF_REACH)
        )
        return {"status": select(pose, reached, NO_POSE)}

    return program_of("verdict", {"pose": (), "found": (), "count": (), "moving": ()}, body)


# --- which solutions, and in which order -----------------------------------------------------------------------------


def _chosen(chain: Columns, most: int, in_order: bool) -> tuple[Stage, ...]:
    """Those within limits, in the order of their keys."""
    n = len(chain.joints)
    each = (
        Run(nearest_copy(chain, in_order)),
        Collect("copy", "within", "kept", "kept_count"),
        Collect("key", "within", "keys", "key_count"),
    )
    choice = (
        Fill("kept", (most, n)),
        Fill("keys", (most,)),
        Fill("kept_count"),
        Fill("key_count"),
        Each("solutions", "solution", each, "count"),
        Kernel("sort", ("kept", "keys", "kept_count"), ("solutions",)),
        Copy("kept_count", "count"),
    )
    return (When("choosing", choice),)


def nearest_copy(chain: Columns, in_order: bool) -> Program:
    """The periodic ``copy`` of a solution ``within`` limits that is nearest to the seed, and the ``key`` of its place.

    Without limits a solution is given as it is. The key is the square of its distance from the seed, of angles the shorter
    way round; without a seed that of an order which does not hang on how the solutions were found, nor on whether half a
    turn is pi or -pi.
    """
    n = len(chain.joints)
    turning = [not joint.prismatic for joint in chain.joints]

    def body(solution: Entries, seed: Entries, seeded: Expr, limits: Entries, limited: Expr) -> dict[str, Any]:
        copy: list[Any] = []
        ways: Any = []
        within = number(1)
        for k, unit in enumerate(chain.units):
            x, low, high = solution[k], limits[0, k], limits[1, k]
            if turning[k]:
                least, most = whole_turns(x, low, high)
                way = seed[k] - x
                wished = floor(select(absolute(way) < UNLIMITED, way, 0) * (1 / TURN) + 0.5)
                there = x + TURN * maximum(minimum(select(seeded, wished, 0), most), least)
                within = logical_and(within, least <= most)
                copy.append(select(limited, there, x))
                ways.append(select(limited, there - seed[k], x + TURN * wished - seed[k]))
            else:
                within = logical_and(within, between(x, low, high, unit))
                copy.append(x)
                ways.append(x - seed[k])
        angles = [select(x < SLACK - math.pi, x + TURN, x) if turning[k] else x for k, x in enumerate(solution)]
        order = number(0) if in_order else expr(sum(number(math.sqrt(k + 2)) * x for k, x in enumerate(angles)))
        ways = np.array(ways, dtype=object)
        return {"copy": copy, "within": logical_or(within, 1 - limited), "key": select(seeded, dot(ways, ways), order)}

    inputs = {"solution": (n,), "seed": (n,), "seeded": (), "limits": (2, n), "limited": ()}
    return program_of("nearest_copy", inputs, body)
