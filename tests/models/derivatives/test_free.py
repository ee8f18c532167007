"""What a free base does to wrenches and torques, against complex steps of the wrench on point masses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from models.derivatives.point_masses import Carrier, Masses, joint, random_masses, slope

from robosym.models.derivatives.changes import own_row
from robosym.models.derivatives.free import base_columns, on_base
from robosym.models.tree.bodies import Root, Tree
from robosym.models.tree.coordinates import BASE_AXES, Coordinates
from robosym.models.tree.joints import FREE
from robosym.models.tree.moving import Moving

KINDS = pytest.mark.parametrize("kind", ["spatial", "classical"])


class Base:
    """A base that moves, with all it carries as point masses seen from its origin."""

    def __init__(self, kind: str) -> None:
        rng = np.random.default_rng(4)
        self.kind = kind
        self.v, self.w, self.a, self.wd, self.g = rng.normal(size=(5, 3))
        self.masses: Masses = random_masses(rng)
        self.moving = self.carrier(np.zeros(3), np.zeros(6)).moving
        given = Moving(*(tuple(x) for x in (self.v, self.w, self.a, self.wd)), kind)  # type: ignore[arg-type]
        self.tree = Tree((), Coordinates(), tuple(self.g), Root(FREE, given))

    def carrier(self, turned: np.ndarray, speeds: np.ndarray) -> Carrier:
        """After a small turn, which turns gravity back, and with other speeds."""
        v, w = self.v + speeds[:3], self.w + speeds[3:]
        g = self.g - np.cross(turned, self.g)
        a = self.a + (np.cross(w, v) if self.kind == "spatial" else 0)
        return Carrier(w, self.wd + 0 * w, a - g)

    def slopes(self, f: Callable[[Carrier], np.ndarray]) -> tuple[dict, dict]:
        by_place = [slope(lambda h, u=u: f(self.carrier(h * u, np.zeros(6)))) for u in np.eye(3)]
        by_speed = [slope(lambda h, u=u: f(self.carrier(np.zeros(3), h * u))) for u in np.eye(6)]
        return dict(zip(BASE_AXES[3:], by_place, strict=True)), dict(zip(BASE_AXES, by_speed, strict=True))


@KINDS
def test_columns(kind: str) -> None:
    base = Base(kind)
    found = base_columns(base.tree, base.moving, base.masses.sums)
    for ours, theirs in zip(found, base.slopes(base.masses.wrench), strict=True):
        assert set(ours) == set(theirs)
        for axis, (force, moment) in ours.items():
            np.testing.assert_allclose([*force, *moment], theirs[axis], atol=1e-11)


@KINDS
@pytest.mark.parametrize("prismatic", [False, True])
def test_rows(kind: str, prismatic: bool) -> None:
    """Of a joint whose axis is z of the base, through its origin."""
    base = Base(kind)
    row = own_row(joint(prismatic), base.moving, base.masses.sums)
    found = on_base(base.tree, base.moving, row)
    for ours, theirs in zip(found, base.slopes(lambda a: base.masses.wrench(a)[2 if prismatic else 5]), strict=True):
        assert set(ours) == set(theirs)
        for axis, x in ours.items():
            assert x == pytest.approx(float(theirs[axis]), abs=1e-11)
