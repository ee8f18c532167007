"""Joints together: the same time, the same phase, and what cannot be."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import many
from trajectory.motions import kept, meets

from robosym.trajectory import TrajectoryError, point_to_point


def random_states(rng: np.random.Generator, n: int, jerky: bool) -> dict[str, np.ndarray]:
    V, A, J = np.exp(rng.normal(size=(3, n)) / 2)
    v0, vf = rng.uniform(-0.8, 0.8, (2, n)) * V
    a0, af = rng.uniform(-0.5, 0.5, (2, n)) * A * jerky
    return {"D": rng.normal(size=n), "V": V, "A": A, "J": J, "v0": v0, "vf": vf, "a0": a0, "af": af}


@pytest.mark.parametrize("profile", ["jerk-limited", "trapeze"])
def test_in_time_and_no_slower_than_ruckig(profile: str) -> None:
    ruckig = pytest.importorskip("ruckig")
    rng = np.random.default_rng(11)
    jerky, compared = profile == "jerk-limited", 0
    for _ in range(many(120)):
        n = int(rng.integers(2, 5))
        s = random_states(rng, n, jerky)
        asked, theirs = ruckig.InputParameter(n), ruckig.Trajectory(n)
        asked.target_position, asked.current_velocity, asked.target_velocity = (
            x.tolist() for x in (s["D"], s["v0"], s["vf"])
        )
        asked.current_acceleration, asked.target_acceleration = s["a0"].tolist(), s["af"].tolist()
        asked.max_velocity, asked.max_acceleration = s["V"].tolist(), s["A"].tolist()
        asked.max_jerk = s["J"].tolist() if jerky else [np.inf] * n
        ends = {"v0": s["v0"], "vf": s["vf"]} | ({"a0": s["a0"], "af": s["af"]} if jerky else {})
        limits = {"velocity": s["V"], "acceleration": s["A"], "jerk": s["J"] if jerky else None}
        try:
            move = point_to_point(np.zeros(n), s["D"], profile, **limits, **ends)
        except TrajectoryError as error:
            assert "cannot keep its limit of velocity" in str(error)  # noqa: PT017
            continue
        meets(move, (np.zeros(n), *list(ends.values())[::2]), (s["D"], *list(ends.values())[1::2]))
        kept(move, s["V"], s["A"], s["J"] if jerky else None)
        if ruckig.Ruckig(n).calculate(asked, theirs) >= 0:
            compared += 1
            assert move.duration <= theirs.duration + 1e-9, s
    assert compared > many(75)


def test_each_on_its_own_is_never_slower() -> None:
    rng = np.random.default_rng(12)
    for profile in ("jerk-limited", "trapeze", "cubic"):
        for _ in range(many(15)):
            s = random_states(rng, 3, False)
            given = {"velocity": s["V"], "acceleration": s["A"], "jerk": s["J"], "v0": s["v0"]}
            alone = point_to_point(np.zeros(3), s["D"], profile, synchronise="none", **given)
            meets(alone, [np.zeros(3), s["v0"]], [s["D"]])
            kept(alone, s["V"])
            assert alone.duration <= point_to_point(np.zeros(3), s["D"], profile, **given).duration + 1e-9


@pytest.mark.parametrize("profile", ["jerk-limited", "trapeze"])
def test_in_phase_truly(profile: str) -> None:
    rng = np.random.default_rng(13)
    for _ in range(many(80)):
        s = random_states(rng, 3, True)
        d = rng.normal(size=3)
        top = float((s["V"] / np.abs(d)).min())
        ends = {"v0": d * top * rng.uniform(-0.7, 0.7), "vf": d * top * rng.uniform(-0.7, 0.7)}
        q0, qf = s["D"], s["D"] + d * rng.normal() * (rng.random() < 0.9)
        given = {"velocity": s["V"], "acceleration": s["A"], "jerk": s["J"] if profile == "jerk-limited" else None}
        move = point_to_point(q0, qf, profile, synchronise="phase", **given, **ends)
        meets(move, [q0, ends["v0"]], [qf, ends["vf"]])
        kept(move, s["V"], s["A"], given["jerk"])
        way = move(np.linspace(0, move.duration, 30))[0] - q0
        np.testing.assert_allclose(way, way[:, :1] * d / d[0], rtol=0, atol=1e-9)
        longer = point_to_point(q0, qf, profile, synchronise="phase", duration=2 * move.duration + 9, **given, **ends)
        meets(longer, [q0, ends["v0"]], [qf, ends["vf"]])


def test_a_blocked_duration_is_refused_and_said() -> None:
    given = {"velocity": 1.2, "acceleration": 2.0, "jerk": 10.0, "v0": [1.0, 0], "vf": [1.0, 0]}
    fast = point_to_point([0, 0], [0.4, 0.0], "jerk-limited", **given)
    assert fast.duration < 0.4
    with pytest.raises(
        TrajectoryError, match=r"q1 cannot arrive after 1 s with these states, only from .* or from .* s on"
    ):
        point_to_point([0, 0], [0.4, 0.0], "jerk-limited", duration=1.0, **given)
    slow = point_to_point(
        [0, 0], [0.4, 0.3], "jerk-limited", **given
    )  # the other joint needs longer: past the blocked interval
    assert (
        slow.duration
        > point_to_point([0], [0.3], "jerk-limited", velocity=1.2, acceleration=2.0, jerk=10.0).duration + 0.9
    )
    with pytest.raises(TrajectoryError, match=r"duration: 0.1 s are too short for q1: .* takes 0.38\d* s at least"):
        point_to_point([0, 0], [0.4, 0.0], "jerk-limited", duration=0.1, **given)
