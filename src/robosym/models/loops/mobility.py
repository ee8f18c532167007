"""``mobility``: numerical analysis of degrees of freedom, redundant constraints and actuation.

Gruebler's count, joints minus six for each loop, is valid if no constraint follows from others. Planar loops and linkages like
Bennett's move although the count says that they do not. The true mobility is the dimension of the motions at positions with closed
loops: joints minus the rank of the constraints, for motions that prove to be finite.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...expr import number
from ...options.validate import validated
from ...reals import Floats, finite_array
from ...robot import Robot, RobotError
from ...robot.parts import Closure
from ...robot.problems import Problem
from ...spatial.ranks import column_space, null_space, rank
from ..common import require_robot
from ..request import target, tips
from ..tree.paths import FrameName
from .constraints import independent_rows
from .mechanism import LoopMechanism
from .mobility_report import Mobility, Place
from .positions import ClosedPositions, closed_positions

ROWS = ("vx", "vy", "vz", "wx", "wy", "wz")  # of a twist in the axes of the cut joint's frame
TINY = 1e-9  # an entry that is rounding
RANK = 1e-6  # of the largest singular value: where a loop is singular its joints are known to about 1e-8
MOVES = 1e-6  # a speed, of motions of the size of one, that is not rounding
STEP = 1e-2  # rad, of a motion that is tried
SPANNED = 1e-7  # what a twist of the size of one adds to others that do not span it
NEAR = 0.05  # rad, how far driven joints may be from where they are given, if they cannot all be chosen
AROUND = 24  # starts anywhere, for a position that is given
FOLLOWED = 0.5  # of such a step that is left when the loops are closed again: else the motion is not a finite one


Position = Mapping[str, float] | Sequence[float]


@validated
def mobility(robot: Robot, at: Position | None = None, *, frame: FrameName | None = None) -> Mobility:
    """Mobility of a robot and the motion that its actuators control.

    The analysis is numerical, at a generic position. It includes robots that have no models: with too many or too few
    actuators, or with loops that have no closed form. A parallel robot is analysed as closed loops.

    Parameters
    ----------
    robot
        Robot, with or without closed loops.
    at
        Position to analyse as well: joint positions by name, or the positions of all actuated joints [rad, m]. Actuated
        joints among them are held there. The loops are closed from near the other positions, which selects the assembly
        mode. Joints that are not named start where the description has them.
    frame
        End frame of the analysis at a position, by name or number; by default the tip frame. Robots with several ends
        have none by default.

    Returns
    -------
    Mobility
        Degrees of freedom, redundant constraints, actuators that control the motion, and the result at the given
        position.

    Notes
    -----
    Gruebler's count, joints minus six per loop, is valid without redundant constraints only. The mobility here is the
    number of joints minus the rank of the constraints, for finite motions.
    """
    require_robot(robot)
    robot = robot.closed_loops()
    found = closed_positions(robot)
    if not found.positions:
        problem = (
            f"cannot be assembled: from {found.starts} starts the links stay {found.gap:.3g} m (or rad) from meeting"
        )
        raise RobotError([Problem("loops", problem)], robot.name)
    own = found.mechanism
    end = _end(robot, frame)
    x = _generic(found)
    general = _analysed(found, x)
    if at is None:
        return general
    there = _placed(own, _given(own, at), held=general.spare == 0)
    return replace(general, at=_place(own, x, there, end))


# --- where ------------------------------------------------------------------------------------------------------------


def driven_places(own: LoopMechanism) -> list[int]:
    """Of the joints with motors."""
    robot = own.robot
    return [k for k, j in enumerate(own.joints) if j <= robot.n_links and robot.frame(j).joint.active]


def _generic(found: ClosedPositions) -> Floats:
    """A position like most of those found, and of these the one where the motors do most and the fewest joints are stuck:
    degenerate ways of assembling (links that lie on each other) are found as well. Near the description's own, if it has one."""
    own = found.mechanism
    if found.described:
        return _moved(own, found.positions[0])
    motors = driven_places(own)

    def worth(x: Floats) -> tuple[int, int]:
        N = _motions(own, x)
        return rank(N[motors], RANK), int((np.abs(N).max(axis=1, initial=0.0) > MOVES).sum())

    freedoms = [_freedom(own, x) for x in found.positions]
    most = max(set(freedoms), key=lambda m: (freedoms.count(m), -m))
    alike = [x for x, m in zip(found.positions, freedoms, strict=True) if m == most]
    return max(alike, key=worth)


def _constraints(own: LoopMechanism, x: Floats) -> Floats:
    """V_k - V_t for each loop, with k the frame of its cut joint and t its twin, in the axes of k: six rows a loop, and a column
    for each joint, lengths over the size."""
    W = own.slopes(x[None])[0].reshape(len(own.loops), 2, 3, len(own.joints))
    axes = [pair.chain.end((x / own.units)[None])[0][0, :3, :3] for pair in own.closure.pairs]
    return np.asarray(np.einsum("lji,lkjn->lkin", np.array(axes).reshape(-1, 3, 3), W).reshape(-1, len(own.joints)))


def _motions(own: LoopMechanism, x: Floats) -> Floats:
    """A basis of the joint velocities that keep the loops closed, by columns, lengths over the size."""
    return null_space(own.slopes(x[None])[0], RANK)


def _freedom(own: LoopMechanism, x: Floats) -> int:
    return len(own.joints) - rank(own.slopes(x[None])[0], RANK)


def _moved(own: LoopMechanism, x: Floats) -> Floats:
    """Some steps away, so that it is not a special position: with the smallest freedom on the way."""
    draw = np.random.default_rng(11)
    best = x
    for _ in range(4):
        N = _motions(own, x)
        step = N @ draw.uniform(-1, 1, N.shape[1])
        reached = own.reached((x + 0.2 * step * own.units)[None])
        if reached.residual[0] > own.tolerance:
            break
        x = reached.x[0]
        if _freedom(own, x) <= _freedom(own, best):
            best = x
    return best


def _given(own: LoopMechanism, at: Position) -> dict[int, float]:
    """By place."""
    robot, names = own.robot, own.names
    if isinstance(at, Mapping):
        unknown = [name for name in at if name not in names]
        if unknown:
            expected = f"expected positions of joints by name ({', '.join(names)})"
            raise RobotError([Problem("at", f"there is no joint {unknown[0]!r}, {expected}")], robot.name)
        return {names.index(name): float(finite_array(f"at, {name}", x)) for name, x in at.items()}
    motors = driven_places(own)
    values = finite_array("at", at)
    if values.shape != (len(motors),):
        expected = f"expected {len(motors)}: {', '.join(names[k] for k in motors)}"
        raise RobotError([Problem("at", f"got numbers of shape {values.shape}, {expected}")], robot.name)
    return dict(zip(motors, values.tolist(), strict=True))


def _placed(own: LoopMechanism, given: Mapping[int, float], held: bool) -> Floats:
    """The closed position with the driven joints where they are given (near there, if they cannot all be chosen); where others
    are given too, the one that is nearest to these of all that are found."""
    driven = [k for k in driven_places(own) if k in given]
    motors = driven if held else []
    start = own.described.copy()
    start[list(given)] = list(given.values())
    draw = np.random.default_rng(3)
    widths = np.array([0.0, *[0.1] * 2, *[0.5] * 4, *[math.pi] * AROUND])
    tried = start + widths[:, None] * draw.uniform(-1, 1, (len(widths), len(start))) * own.units
    tried[:, motors] = start[motors]
    found = own.reached(tried, [j for k, j in enumerate(own.joints) if k not in motors])
    closed = found.residual <= own.tolerance
    apart = np.abs(own.difference(found.x, start))
    good = closed & (apart[:, driven].max(axis=1, initial=0.0) <= NEAR)
    if good.any():
        others = [k for k in given if k not in driven]
        nearest = np.where(good, apart[:, others].sum(axis=1), np.inf)  # the first, if no others are given
        return np.asarray(found.x[int(np.argmin(nearest))])
    gaps = np.where(closed, own.residual(start[None])[0], found.residual)
    problem = (
        f"the loops cannot be closed there: the smallest gap that was found is {gaps.min() * own.size:.3g} m (or rad)"
    )
    raise RobotError([Problem("at", problem)], own.robot.name)


def _end(robot: Robot, frame: FrameName | None) -> int | None:
    cuts = tuple((k, k + robot.loops) for k in range(robot.n_links + 1, robot.n_links + robot.loops + 1))
    open_ = robot.replace(loops=0, closure=Closure("", {}, {}, {}, {}, number(1), cuts)) if robot.loops else robot
    if frame is None and len(tips(open_)) != 1:
        return None
    return target(open_, frame)


# --- how it moves -----------------------------------------------------------------------------------------------------


def _analysed(found: ClosedPositions, x: Floats) -> Mobility:
    own = found.mechanism
    robot, names, n = own.robot, own.names, len(own.joints)
    W = _constraints(own, x)
    rows = rank(W, RANK)
    finite = _finite(own, x, _motions(own, x))
    motors = driven_places(own)
    choice = _choice(finite, motors)
    controlled = rank(finite[motors], RANK)
    spaces = tuple(_space(own, x, i) for i in range(len(own.loops)))
    cleaned = np.where(np.abs(W) < TINY, 0.0, W)
    kept = independent_rows(cleaned.tolist(), [1.0] * len(W), {}) if len(W) else []
    labels = [f"{robot.frame(loop.cut).joint.name} {row}" for loop in own.loops for row in ROWS]
    others = {_freedom(own, one) for one in found.positions} - {n - rows}
    exchanges = {}
    if controlled == len(motors) == finite.shape[1]:
        G = finite @ np.linalg.inv(finite[motors])
        for c, d in enumerate(motors):
            swaps = [k for k in range(n) if k not in motors and abs(G[k, c]) > MOVES]
            exchanges[names[d]] = tuple(names[k] for k in swaps)
    return Mobility(
        robot=robot.name,
        joints=n,
        loops=len(own.loops),
        gruebler=n - 6 * len(own.loops),
        loop_spaces=spaces,
        gruebler_by_loop=n - sum(spaces),
        rank=rows,
        mobility=finite.shape[1],
        instantaneous=n - rows,
        redundant=6 * len(own.loops) - rows,
        redundant_constraints=tuple(label for i, label in enumerate(labels) if i not in kept),
        other_mobilities=tuple(sorted(others)),
        driven=tuple(names[k] for k in motors),
        passive=tuple(name for k, name in enumerate(names) if k not in motors),
        controlled=controlled,
        idle=tuple(name for name, row in zip(names, finite, strict=True) if np.abs(row).max(initial=0.0) <= MOVES),
        exchanges=exchanges,
        suggested=tuple(names[k] for k in sorted(choice)),
        position=_by_name(own, x),
        assumed=found.assumed,
    )


def _by_name(own: LoopMechanism, x: Floats) -> dict[str, float]:
    return dict(zip(own.names, x.tolist(), strict=True))


def _finite(own: LoopMechanism, x: Floats, N: Floats) -> Floats:
    """The motions of N that are more than a tremble: after a step along them the loops close again, not much nearer. By
    columns, orthonormal."""
    if not len(own.loops) or not N.shape[1]:
        return N
    tried = own.reached(x + STEP * N.T * own.units)
    made = np.where(tried.residual[:, None] <= own.tolerance, own.difference(tried.x, x), 0.0)
    U, values, _ = np.linalg.svd(N.T @ made.T / STEP)
    return np.asarray(N @ U[:, : int((values > FOLLOWED).sum())])


def _choice(finite: Floats, motors: Sequence[int]) -> list[int]:
    """Joints whose speeds determine all others: driven ones first, then those of the tree, cut ones last."""
    chosen: list[int] = []
    for k in (*motors, *(k for k in range(len(finite)) if k not in motors)):
        if len(chosen) < finite.shape[1] and rank(finite[[*chosen, k]], RANK) > len(chosen):
            chosen.append(k)
    return chosen


def _space(own: LoopMechanism, x: Floats, i: int) -> int:
    """The dimension of the smallest set of motions that holds those of the joints of a loop and is closed under doing one
    after the other: the algebra that their twists make."""
    basis = column_space(_constraints(own, x)[6 * i : 6 * i + 6], SPANNED, SPANNED)
    while True:
        brackets = [_bracket(a, b) for a in basis.T for b in basis.T]
        more = column_space(np.column_stack([basis, *brackets]), SPANNED)
        if more.shape[1] == basis.shape[1]:
            return int(basis.shape[1])
        basis = more


def _bracket(a: Floats, b: Floats) -> Floats:
    return np.concatenate([np.cross(a[3:], b[:3]) + np.cross(a[:3], b[3:]), np.cross(a[3:], b[3:])])


# --- at one position --------------------------------------------------------------------------------------------------


def _place(own: LoopMechanism, x: Floats, there: Floats, end: int | None) -> Place:
    """Compared with the generic position x."""
    motors = driven_places(own)
    others = [k for k in range(len(own.joints)) if k not in motors]
    before, W = own.slopes(np.array([x, there]))
    W_p = W[:, others]
    usual = len(others) - rank(before[:, others], RANK)
    N = null_space(W_p, RANK) if others else np.zeros((0, 0))
    singular = N.shape[1] > usual
    names = [own.names[k] for k in others]
    loose = dict(zip(names, N[:, 0].tolist(), strict=True)) if singular else {}
    values = np.linalg.svd(W_p, compute_uv=False)[: len(others)] if W_p.size else np.array([1.0])
    smallest = float(values[-1]) if len(W_p) >= len(others) else 0.0
    place = Place(
        _by_name(own, there),
        rank=rank(W, RANK),
        mobility=_freedom(own, there),
        actuation_singular=singular,
        actuation=smallest / float(values[0]),
        uncontrolled={name: v for name, v in loose.items() if abs(v) > MOVES},
    )
    if end is None:
        return place
    name = own.robot.frame(end).name if end else own.robot.base.name
    usual, here = (_frame_rank(own, one, end) for one in (x, there))
    return replace(place, frame=name, frame_rank=here, frame_singular=here < usual)


def _frame_rank(own: LoopMechanism, x: Floats, end: int) -> int:
    """In how many ways a frame moves."""
    chain = own.geometry_of(own.robot.path(end)).chain(own.robot.path(end), own.size)
    return rank(chain.end((x / own.units)[None])[1][0] @ _motions(own, x), RANK)


__all__ = ["Mobility", "Place", "mobility"]
