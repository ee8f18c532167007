"""Positions, velocities, accelerations and torques of a piece of a recording, against closed forms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from identification.data.motions import fourier, moving, only, recipe_of
from scipy import signal as scipy_signal
from scipy.spatial.transform import Rotation

import robosym
from robosym.identification.data.inspection import Survey
from robosym.identification.data.joint_side import joint_side
from robosym.identification.data.motion import motion_of
from robosym.identification.data.notes import Notes
from robosym.identification.data.recipe import Data, Processing, Recipe, Signal, Torque, Transmission
from robosym.identification.data.recording import Recording
from robosym.identification.data.samples import Samples, joined
from robosym.identification.data.signals import butterworth, central_differences, shifted, zero_phase
from robosym.identification.data.windows import Window, plan_of


def test_exact_motion_comes_out() -> None:
    columns = moving()
    samples = only(recipe_of(columns, 2, Processing(cutoff=40.0))).whole()
    rows = slice(3, -3)  # half a period of the cut-off
    q, qd, qdd = fourier(columns["t"], 2)
    assert samples.time == pytest.approx(columns["t"][rows])
    assert samples.tau[:, 1].tolist() == columns["tau2"][rows].tolist()
    inside = slice(100, -100)
    for found, expected, tolerance in ((samples.q, q, 1e-5), (samples.qd, qd, 1e-3), (samples.qdd, qdd, 2e-2)):
        assert found[inside] == pytest.approx(expected[rows][inside], abs=tolerance)


def test_it_is_the_filter_and_then_differences_to_rounding() -> None:
    columns = moving()
    sections = butterworth(200.0, 10.0)
    samples = only(recipe_of(columns, 2, Processing(cutoff=10.0, trim=5))).whole()
    q = np.stack((columns["q1"], columns["q2"]), axis=1)
    smooth = zero_phase(q, sections)
    qd = central_differences(smooth, 1 / 200)
    qdd = central_differences(qd, 1 / 200)
    assert samples.q == pytest.approx(smooth[5:-5], abs=1e-10)
    assert samples.qd == pytest.approx(qd[5:-5], abs=1e-8)
    assert samples.qdd == pytest.approx(qdd[5:-5], abs=1e-6)


def test_a_given_delay_is_undone() -> None:
    columns = moving(seconds=10.0)
    late = np.sin(3 * (columns["t"] - 0.0175))
    recipe = recipe_of(columns | {"tau1": late}, 2, torque=Torque(("tau1", "tau2"), delay=(0.0175, 0.0)))
    samples = only(recipe).whole()
    assert samples.tau[10:-10, 0] == pytest.approx(np.sin(3 * columns["t"])[10:-10], abs=1e-10)
    assert samples.tau[:, 1].tolist() == columns["tau2"].tolist()


def test_measured_velocities_are_used() -> None:
    columns = moving()
    _, qd, qdd = fourier(columns["t"], 2)
    more = columns | {"v": 60 / (2 * np.pi) * 10 * qd}
    recipe = recipe_of(
        more,
        2,
        Processing(cutoff=20.0),
        velocity=Signal(("v.0", "v.1"), side="motor", unit=("rpm",)),
        transmission=Transmission(ratio=(10.0,)),
    )
    samples = only(recipe).whole()
    assert samples.qd[50:-50] == pytest.approx(qd[5:-5][50:-50], abs=1e-4)
    assert samples.qdd[50:-50] == pytest.approx(qdd[5:-5][50:-50], abs=1e-2)
    exact = only(replace(recipe, velocity=Signal(("v.0", "v.1"), unit=("rpm",), scale=(0.1,)), acceleration=None))
    assert exact.whole().qd == pytest.approx(samples.qd)


def test_what_others_have_published_can_be_followed() -> None:
    """Filter with a short continuation, forward differences, one acceleration missing, Chebyshev filters."""
    columns = moving()
    processing = Processing(
        cutoff=10.0,
        padding=12,
        trim=20,
        differences="forward",
        no_acceleration=(2,),
        decimation=(2, 5),
        decimation_filter="chebyshev",
    )
    full = only(recipe_of(columns, 2, replace(processing, where="columns"))).whole()
    b, a = scipy_signal.butter(4, 10 / 100)
    q = scipy_signal.filtfilt(b, a, np.stack((columns["q1"], columns["q2"]), axis=1), axis=0, padtype="odd", padlen=12)[
        20:-20
    ]
    qd = np.diff(q, axis=0) * 200
    qdd = np.gradient(qd, axis=0, edge_order=1) * 200
    assert full.q == pytest.approx(q, abs=1e-10)
    assert full.qd[:-1] == pytest.approx(qd, abs=1e-8)
    assert full.qd[-1].tolist() == full.qd[-2].tolist()  # the last difference is repeated
    assert full.qdd[:-2, 0] == pytest.approx(qdd[:-1, 0], abs=1e-5)
    assert not full.qdd[:, 1].any()
    low = only(recipe_of(columns, 2, processing)).whole()
    theirs: Any = full.tau
    for factor in (2, 5):
        theirs = scipy_signal.decimate(theirs, factor, axis=0, zero_phase=True)
    assert low.tau == pytest.approx(theirs)


def test_a_shift_by_a_delay_reads_across_pieces() -> None:
    columns = moving()
    ready = only(recipe_of(columns, 2, Processing(trim=0), torque=Torque(("tau1", "tau2"), delay=(0.0331,))))
    tau = np.stack((columns["tau1"], columns["tau2"]), axis=1)
    assert joined(list(ready.samples(64))).tau == pytest.approx(shifted(tau, 6.62), abs=1e-13)


# --- one window --------------------------------------------------------------------------------------------------------

STEP = 0.01


def of_window(
    columns: dict[str, np.ndarray],
    processing: Processing | None = None,
    bad: tuple[int, ...] = (),
    delay: tuple[float, float] = (0.0, 0.0),
    **changes: Any,
) -> tuple[Samples, Notes]:
    """The samples of a recording in one window, which begins at row 20 of a recording that starts at 5 s."""
    recipe = recipe_of(columns, 2, processing or Processing(trim=0), **changes)
    side = joint_side(recipe, recipe.recordings()[0])
    rows = np.stack([columns[name] for name in side.columns], axis=1)
    plan = plan_of(recipe.processing, 1 / STEP, np.array(delay), 10**6)
    made_up = np.isin(np.arange(len(rows)), bad)
    core = slice(plan.trim, len(rows) - plan.trim)
    window = Window(rows, made_up, core, 20, True, True, plan)
    notes = Notes()
    return motion_of(window, recipe, side, Survey(side.columns, step=STEP, start=5.0), np.array(delay), notes), notes


def polynomial(rows: int = 60) -> dict[str, np.ndarray]:
    t = STEP * np.arange(rows)
    return {"q1": 2 * t**2 - t, "q2": 3 - t, "tau1": np.sin(t), "tau2": np.cos(t)}


def test_differences_of_parabolas_are_exact() -> None:
    """Also at both ends: differences there are of second order."""
    found, notes = of_window(polynomial())
    t = STEP * np.arange(60)
    np.testing.assert_allclose(found.time, 5.0 + STEP * (20 + np.arange(60)), atol=1e-12)
    np.testing.assert_allclose(found.qd, np.stack((4 * t - 1, np.full(60, -1.0)), 1), atol=1e-12)
    np.testing.assert_allclose(found.qdd, np.tile([4.0, 0.0], (60, 1)), atol=1e-9)
    assert found.keep.all()
    assert notes.left_out == {}


@pytest.mark.parametrize("rows", [1, 2])
def test_fewer_than_three_rows_are_no_motion(rows: int) -> None:
    found, _ = of_window(polynomial(rows))
    assert len(found) == 0
    assert found.qdd.shape == (0, 2)


def test_rows_near_made_up_ones_do_not_count() -> None:
    """Four rows on each side, which two differences read, and four half periods of the filter."""
    found, notes = of_window(polynomial(), bad=(30,))
    assert np.flatnonzero(~found.keep[:, 0]).tolist() == list(range(26, 35))
    assert notes.left_out == {"near a gap in time": 9}
    filtered, _ = of_window(polynomial(400), Processing(cutoff=25.0, trim=0), bad=(200,))
    assert np.flatnonzero(~filtered.keep[:, 0]).tolist() == list(range(200 - 12, 200 + 13))


def test_rows_at_a_limit_do_not_count_of_their_joint() -> None:
    torque = Torque(("tau1", "tau2"), limit=(10.0, 0.999))
    found, notes = of_window(polynomial(), torque=torque)
    expected = np.cos(STEP * np.arange(60)) >= 0.999 * 0.999
    assert found.keep[:, 0].all()
    assert found.keep[:, 1].tolist() == (~expected).tolist()
    assert 1 < expected.sum() < 59
    assert notes.left_out == {"torque at its limit (rows of one joint)": expected.sum()}


def test_each_joint_has_its_own_delay_and_ends_are_trimmed() -> None:
    found, notes = of_window(polynomial(), Processing(trim=7), delay=(0.03, -0.02))
    t = STEP * np.arange(60)[7:-7]
    np.testing.assert_allclose(found.time, 5.0 + STEP * (20 + np.arange(7, 53)), atol=1e-12)
    np.testing.assert_allclose(found.tau, np.stack((np.sin(t + 0.03), np.cos(t - 0.02)), 1), atol=1e-12)
    assert notes.left_out == {"trimmed at the ends": 14}


def test_an_acceleration_that_is_taken_as_zero() -> None:
    found, _ = of_window(polynomial(), Processing(trim=0, no_acceleration=(1,)))
    assert not found.qdd[:, 0].any()
    np.testing.assert_allclose(found.qd[:, 0], 4 * STEP * np.arange(60) - 1, atol=1e-12)


def test_measured_accelerations_are_taken_before_differences() -> None:
    columns = polynomial() | {
        "v1": np.full(60, 7.0),
        "v2": np.full(60, 8.0),
        "a1": np.full(60, 9.0),
        "a2": np.zeros(60),
    }
    found, _ = of_window(
        columns,
        velocity=Signal(("v1", "v2"), unit=("rad/s",)),
        acceleration=Signal(("a1", "a2"), unit=("rad/s^2",)),
    )
    assert found.qd.tolist() == [[7.0, 8.0]] * 60
    assert found.qdd.tolist() == [[9.0, 0.0]] * 60


# --- a free base -------------------------------------------------------------------------------------------------------


def test_the_twist_of_a_free_base_and_its_rate() -> None:
    """A base that turns at a constant rate about z while it moves on a circle: in its own axes all are constant."""
    robot, rate, w, radius = robosym.load("eel-2"), 500.0, 1.5, 0.8
    n, t = len(robot.moving), np.arange(1000) / 500.0
    place = radius * np.stack((np.cos(w * t), np.sin(w * t), 0 * t), 1)
    q = np.hstack((place, Rotation.from_euler("Z", (w * t)[:, None]).as_quat(), np.tile(0.7 + t[:, None], n)))
    recording = Recording.from_arrays({"q": q, "tau": np.zeros((1000, n))})
    recipe = Recipe(
        robot,
        Data((recording,), rate=rate),
        Signal(recording.expanded("q")),
        Torque(recording.expanded("tau")),
        processing=Processing(cutoff=50.0),
    )
    found = only(recipe).whole()
    inside = slice(100, -100)
    np.testing.assert_allclose(
        found.qd[inside, :6], np.tile([0, w * radius, 0, 0, 0, w], (len(found) - 200, 1)), atol=1e-5
    )
    np.testing.assert_allclose(found.q[inside, 7:], (0.7 + found.time)[inside, None] * np.ones(n), atol=1e-9)
    np.testing.assert_allclose(found.qd[inside, 6:], 1, atol=1e-9)
    # The rates of the components in its own axes, which is what qdd of a free base is.
    np.testing.assert_allclose(found.qdd[inside, :6], 0, atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(found.q[:, 3:7], axis=1), 1.0, atol=1e-14)


def test_a_measured_twist_of_a_free_base() -> None:
    """Taken as it is, beside quaternions of any length."""
    robot = robosym.load("eel-2")
    n, t = len(robot.moving), np.arange(400) / 200.0
    quaternion = 2 * Rotation.from_euler("Z", t[:, None]).as_quat()
    q = np.hstack((np.zeros((400, 3)), quaternion, np.full((400, n), 0.7)))
    qd = np.tile([0.0, 0, 0, 0, 0, 1, *[0.0] * n], (400, 1)) + 0.1 * np.sin(t)[:, None]
    recording = Recording.from_arrays({"q": q, "qd": qd, "tau": np.zeros((400, n))})
    recipe = Recipe(
        robot,
        Data((recording,), rate=200.0),
        Signal(recording.expanded("q")),
        Torque(recording.expanded("tau")),
        velocity=Signal(recording.expanded("qd"), unit=("rad/s",)),
        processing=Processing(trim=0),
    )
    found = only(recipe).whole()
    np.testing.assert_allclose(found.q[:, 3:], np.hstack((quaternion / 2, q[:, 7:])), atol=1e-14)
    np.testing.assert_array_equal(found.qd, qd)
    np.testing.assert_allclose(found.qdd[1:-1], 0.1 * np.tile(np.cos(t)[1:-1, None], (1, 6 + n)), atol=1e-5)
