"""Standard parameters known beforehand, such as those of a CAD model: in the frames of the robot that is identified."""

from __future__ import annotations

import numpy as np

from ..errors import RobosymError
from ..expr import evaluate
from ..models.geometry.poses import geometric
from ..models.regressors.parameters import ROTOR
from ..models.regressors.regressor import Regressor
from ..models.tree.bodies import Tree, tree
from ..models.tree.drives import rotors_of
from ..reals import Floats
from ..robot import INERTIA, Robot
from .estimation.physical import Standard
from .estimation.pseudo_inertia import parameters_of, pseudo_inertia

SAME = 1e-6  # m and rad: how far two frames may be from standing still to each other


class PriorError(RobosymError):
    """A prior that does not describe the same robot."""


def prior_values(model: Regressor, given: Robot | None = None) -> Floats:
    """A number for every standard parameter of the model, nan where none is known.

    Without another robot they are those of the description. The links of another one are moved to the frames of this one:
    both must move alike for the same q.
    """
    names, _ = model.standard_map()
    places = {name: k for k, name in enumerate(names)}
    found = np.full(len(names), np.nan)
    source = model.robot if given is None else given
    tens = _tens(source)
    matches = {j: (j, np.eye(4)) for j in tens} if given is None else _matches(model.robot, given)
    for (j, stem), symbol in model.standard.items():
        if j in matches and matches[j][0] in tens and stem in INERTIA:
            k, place = matches[j]
            found[places[symbol.name]] = _moved(tens[k], place)[INERTIA.index(stem)]
    if given is None:
        known = {name: value.number for name, value in source.values.items()}
        rotors = rotors_of(source).own  # also those that are part of the base parameters of links
        described = {symbol.name: rotors[j] for (j, stem), symbol in model.standard.items() if stem == ROTOR}
        for name, entry in {**described, **model.described}.items():
            number = _number(entry, known)
            if name in places and number is not None:
                found[places[name]] = number
    return found


def _number(entry: object, known: dict[str, float]) -> float | None:
    try:
        (number,) = evaluate([entry], known)  # type: ignore[list-item]
    except RobosymError:
        return None
    return float(number)


def _tens(robot: Robot) -> dict[int, Floats]:
    """The ten parameters of the links whose numbers are known and whose mass is not zero."""
    known = {name: value.number for name, value in robot.values.items()}
    bodies: Tree = tree(robot.equivalent_tree if robot.loops else robot)
    found = {}
    for body in (bodies.base_body, *bodies.bodies):
        own = body.inertia
        numbers = [_number(x, known) for x in (*own.matrix, *own.moment, own.mass)]
        if all(x is not None for x in numbers) and numbers[9]:
            found[body.j] = np.array(numbers, float)
    return found


def _matches(robot: Robot, other: Robot) -> dict[int, tuple[int, Floats]]:
    """For each moving link of the robot the other's, joint by joint in order, and the place of its frame in ours."""
    own, theirs = robot.moving, other.moving
    if len(own) != len(theirs):
        raise PriorError(
            f"prior {other.name}: has {len(theirs)} joints ({', '.join(other.joint_names)}), expected the {len(own)} of {robot.name}"
        )
    rng = np.random.default_rng(0)
    states = [rng.uniform(-1, 1, len(own)) for _ in range(4)]
    ours, others = (
        [[_pose(one, j, q) for q in states] for j in moving] for one, moving in ((robot, own), (other, theirs))
    )
    base = _base_apart(ours, others)
    found = {}
    for a, b, mine, his in zip(own, theirs, ours, others, strict=True):
        places = [np.asarray(np.linalg.solve(base @ x, y), dtype=float) for x, y in zip(mine, his, strict=True)]
        apart = max(float(np.abs(place - places[0]).max()) for place in places)
        if apart > SAME:
            raise PriorError(
                f"prior {other.name}: its link {other.frame(b).name} does not move as {robot.frame(a).name} of {robot.name} "
                f"does for the same q ({apart:.2g} apart): expected the same joints, zeros and signs, and a base with the same axes"
            )
        found[a] = (b, places[0])
    return found


def _base_apart(ours: list[list[Floats]], others: list[list[Floats]]) -> Floats:
    """Where our base is in the other's, whose axes are taken to be the same: links that move alike show how far apart the two are.

    With A and B the motions of a link from one state to another, A W = W B: (R - 1) t = b - a for the translation t of W.
    """
    rows, right = [], []
    for mine, his in zip(ours, others, strict=True):
        for k in range(1, len(mine)):
            A, B = (x[k] @ np.linalg.inv(x[0]) for x in (his, mine))
            rows.append(A[:3, :3] - np.eye(3))
            right.append(B[:3, 3] - A[:3, 3])
    base = np.eye(4)
    base[:3, 3] = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=1e-9)[0]
    return base


def _pose(robot: Robot, j: int, q: Floats) -> Floats:
    found: Floats = np.asarray(geometric(robot, frames=[j]).evaluate(q=q), float).reshape(-1, 4, 4)[0]
    return found


def _moved(ten: Floats, place: Floats) -> Floats:
    """The ten parameters in the frame in which their own has this place."""
    return parameters_of(place @ pseudo_inertia(ten) @ place.T)


def standards(model: Regressor) -> Standard:
    """What the base parameters are in the standard ones: those of links by ten, and those that cannot be negative."""
    names, B = model.standard_map()
    places = {name: k for k, name in enumerate(names)}
    of_links: dict[int, list[int]] = {}
    for (j, stem), symbol in model.standard.items():
        if stem in INERTIA:
            of_links.setdefault(j, []).append(places[symbol.name])
    titles = tuple(model.robot.frame(j).name if j else model.robot.base.name for j in of_links)
    return Standard(
        names, B, titles, tuple(map(tuple, of_links.values())), tuple(places[n] for n in positive(model, names))
    )


def positive(model: Regressor, names: tuple[str, ...]) -> list[str]:
    """Rotor inertias, viscous and Coulomb friction, stiffness and damping of one joint: they cannot be negative."""
    rotors = {symbol.name for (_, stem), symbol in model.standard.items() if stem not in INERTIA}
    stems = ("Fv", "Fs", "Fv_negative", "Fs_negative", "Fsm", "stiffness", "damping")
    return [name for name in names if name in rotors or name.rstrip("0123456789") in stems]
