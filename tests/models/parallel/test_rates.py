"""How the joints of a leg move with the platform, and how torques go back: at random states whose rates are known."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.moving_platforms import moving

from robosym.models.parallel.rates import leg_rates, on_platform, ways_of

KINDS = ("3-RPS", "planar-3-RRR", "3-UPS-UP")


@pytest.mark.parametrize("kind", KINDS)
def test_speeds_and_accelerations_of_all_joints(kind: str) -> None:
    at = moving(kind)
    for leg in at.motion.legs[:2]:
        links = leg.link_speeds(at.motion.seat_twist(leg))
        speeds, accelerations = leg.speeds(links), leg.accelerations(at.motion.seat_rate(leg), links)
        for j in leg.path.joints:
            np.testing.assert_allclose(at.numbers([speeds[j]])[:, 0], at.speed(j), atol=1e-8)
            np.testing.assert_allclose(at.numbers([accelerations[j]])[:, 0], at.acceleration(j), atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_sees_the_same(kind: str) -> None:
    at = moving(kind)
    motion, leg = at.motion, at.motion.legs[-1]
    ways = ways_of(motion.module, leg.solved, motion.samples, motion.size, motion.scope)
    assert ways[0].frame == leg_rates(motion.module, leg.solved, motion.samples, motion.size, motion.scope).frame
    assert len({way.frame for way in ways}) == len(ways) > 1
    for way in ways:
        assert (0, *leg.path.joints)[way.place] == way.frame
        speeds = way.speeds(way.link_speeds(motion.seat_twist(way)))
        found = at.numbers([speeds[j] for j in leg.path.joints])
        np.testing.assert_allclose(found, np.array([at.speed(j) for j in leg.path.joints]).T, atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_the_power_of_torques_is_that_of_their_wrench(kind: str) -> None:
    """At the seat, and about the origin of the platform."""
    at = moving(kind)
    torques = {j: 0.3 + 0.7 * k for k, j in enumerate(at.motion.legs[0].path.joints)}
    for leg in at.motion.legs[:1]:
        part = leg.wrench(torques)
        power = sum(x * at.speed(j) for j, x in torques.items())
        v, w = at.motion.seat_twist(leg)
        seat = np.einsum("bi,bi->b", at.numbers([*part[0], *part[1]]), at.numbers([*v, *w]))
        np.testing.assert_allclose(seat, power, atol=1e-8)
        whole = at.numbers(on_platform(part, leg.solved.arm))
        np.testing.assert_allclose(np.einsum("bi,bi->b", whole, at.states.u[:, :6]), power, atol=1e-8)
        j = leg.path.joints[-1]
        row = leg.row(j)
        found = np.einsum("bi,bi->b", at.numbers([*row[0], *row[1]]), at.numbers([*v, *w]))
        np.testing.assert_allclose(found, at.speed(j), atol=1e-8)


@pytest.mark.parametrize("kind", ["3-RPS", "planar-3-RRR", "3-UPS-UP"])
def test_constraints_and_their_drifts(kind: str) -> None:
    """They vanish for the twist of the seat, and give its rate less what the legs drift."""
    at = moving(kind)
    seen = 0
    for leg in at.motion.legs:
        links = leg.link_speeds(at.motion.seat_twist(leg))
        twist, rate = (at.numbers([*a, *b]) for a, b in (at.motion.seat_twist(leg), at.motion.seat_rate(leg)))
        for (force, moment), drift in zip(leg.constraints(), leg.constraint_drifts(links), strict=True):
            row = at.numbers([*force, *moment])
            assert np.abs(np.einsum("bi,bi->b", row, twist)).max() < 1e-8
            np.testing.assert_allclose(np.einsum("bi,bi->b", row, rate), at.numbers([drift])[:, 0], atol=1e-7)
            seen += 1
        assert np.abs(at.numbers([x for part in leg.opening(at.motion.state) for x in part])).max() < 1e-8
        columns, position = leg.reached
        own = at.states.moving[leg.path.leg.end].T
        np.testing.assert_allclose(at.numbers(position), own[:, :3, 3], atol=1e-8)
        if not leg.path.in_a_point:
            for k, column in enumerate(columns):
                np.testing.assert_allclose(at.numbers(column), own[:, :3, k], atol=1e-8)
    assert seen > 0
