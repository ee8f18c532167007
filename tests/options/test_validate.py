"""Misuse of public functions: whatever a keyword is given, nothing but an error of ours comes out, and it names the argument."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sweeps import SWEEP

import robosym
from robosym import analysis, codegen, control, models, trajectory
from robosym.options.validate import ArgumentError, misuse, validated
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore")

LIMITS = {"lower": -2, "upper": 2, "velocity": 2, "acceleration": 5, "jerk": 50, "effort": 100}
LINK = {"M": 1.0, "MX": 0.5, "ZZ": 0.4, "XX": 0.1, "YY": 0.3, "Fs": 0.1, "Fv": 0.1, "ratio": 10, "limits": LIMITS}
TWO = Robot.from_table(
    "two", [LINK, {**LINK, "d": 0.5}, {"sigma": "fixed", "d": 0.5, "name": "tip"}], gravity=[9.81, 0, 0]
)


class Odd:
    def __repr__(self) -> str:
        return "<odd>"


NAN = float("nan")
ODD: list[Any] = [
    *("foo", "", "yes", "1", "all", "\0", b"x", None, ..., Odd(), int, TWO),
    *(NAN, float("inf"), -1, 0, 7, 1.5, True, False, 10**400, 1j, Decimal(1), Fraction(1, 3)),
    *(np.float32(1), np.int64(1), np.bool_(True), np.array(1.0), np.array("a"), np.array([1.0, 2.0]), np.full(3, NAN)),
    *(np.eye(3), np.eye(4), [np.eye(4)]),
    *(
        [],
        (),
        {},
        set(),
        range(3),
        [None],
        (0, 0),
        (1, 2, 3),
        [[1, 2], [3]],
        [1, "2", 3],
        [True],
        ["foo"],
        ["q1", "q1"],
    ),
    *({"a": 1}, {1: 2}, {"q1": "x"}, {"q1": NAN}, {"foo"}, frozenset({1})),
]
SLOW = ("linearised", "discrete", "step")  # one in so many more


def swept(function: Callable[..., Any], given: Mapping[str, Any], every: int, first: int = 0) -> None:
    """Odd values for every keyword, the others as they should be: one in ``every`` of them, all in a longer sweep."""
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    names = [p.name for p in inspect.signature(function).parameters.values() if p.kind not in kinds]
    for k, name in enumerate(names):
        for value in ODD if SWEEP > 1 else ODD[(first + k) % every :: every]:
            if value is given.get(name):
                continue
            try:
                function(**{**given, name: value})
            except robosym.RobosymError:
                pass
            except Exception as error:
                pytest.fail(f"{function.__name__}({name}={value!r:.60}): {type(error).__name__}: {error}")


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize("name", [n for n in models.__all__ if inspect.isfunction(getattr(models, n))])
def test_every_keyword_of_every_model(name: str) -> None:
    swept(getattr(models, name), {"robot": TWO}, 24 if name in SLOW else 4, first=len(name))


MOVE = trajectory.point_to_point([0, 0], [1, 1], robot=TWO)
LAW = control.computed_torque(TWO)
DYNAMICS = models.inverse_dynamics(TWO)
J = np.array([[1.0, 0.5], [0.0, 1.0]])
START, THROUGH, END = np.eye(4), np.eye(4), np.eye(4)
THROUGH[:2, 3], END[0, 3] = (0.2, 0.3), 0.5
LINE = trajectory.straight(START, END)
RX90 = robosym.load("rx90")
POSE = models.transform(RX90, frame=6).evaluate(q=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])

CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (robosym.load, {"name": "rx90"}),
    (robosym.mobility, {"robot": TWO}),
    (robosym.derivative, {"model": DYNAMICS}),
    (robosym.workspace, {"robot": TWO, "samples": 100}),
    (robosym.simulate, {"robot": TWO, "law": LAW, "reference": MOVE, "duration": 0.01}),
    (Robot.from_table, {"name": "x", "rows": [{"d": 1}]}),
    (TWO.with_payload, {"frame": 1, "mass": 1.0}),
    (TWO.frame, {"number": 1}),
    (TWO.number, {"frame": 1}),
    (TWO.path, {"j": 1}),
    (DYNAMICS.source, {"language": "c"}),
    (DYNAMICS.generate, {"language": "python"}),
    (DYNAMICS.compile, {}),
    (DYNAMICS.explain, {}),
    (models.inverse_geometric(RX90), {"T": POSE}),
    (codegen.source, {"printed": DYNAMICS.program, "language": "c"}),
    *((getattr(analysis, name), {"J": J}) for name in ("condition", "null_space", "manipulability", "force_ellipsoid")),
    (analysis.damped_inverse, {"J": J, "damping": 0.1}),
    (analysis.manipulability_of, {"robot": TWO, "q": [0, 0.5]}),
    (analysis.skeleton, {"robot": TWO, "q": [0, 0.5]}),
    (control.computed_torque, {"robot": TWO}),
    (control.pid, {"robot": TWO}),
    (trajectory.point_to_point, {"q0": [0, 0], "qf": [1, 1], "robot": TWO}),
    (trajectory.through, {"points": [[0, 0], [1, 1], [0, 1]], "robot": TWO}),
    (trajectory.straight, {"start": START, "end": END}),
    (trajectory.arc, {"start": START, "through": THROUGH, "end": END}),
    (trajectory.turned, {"start": START, "axis": [0, 0, 1], "angle": 0.5}),
    (trajectory.via, {"poses": [START, THROUGH, END]}),
    (trajectory.timed, {"path": LINE, "linear": (1.0, 1.0)}),
    (trajectory.program, {"trajectory": MOVE}),
    (MOVE, {"t": 0.1}),
]


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize(
    "k", range(len(CALLS)), ids=lambda k: getattr(CALLS[k][0], "__name__", type(CALLS[k][0]).__name__)
)
def test_every_keyword_of_other_functions(k: int) -> None:
    function, given = CALLS[k]
    swept(function if hasattr(function, "__name__") else function.__call__, given, 5, first=k)


def test_states_of_a_compiled_function() -> None:
    compiled = DYNAMICS.compile()
    for value in ODD:
        for call in (compiled, DYNAMICS.evaluate):
            try:
                call(q=value, qd=[0, 0], qdd=[0, 0])
                call(q=[0, 0], qd=[0, 0], qdd=[0, 0], parameters=value)
            except robosym.RobosymError:
                pass


def test_saving(tmp_path: Path) -> None:
    for value in ODD:
        for given in ({"robot": value, "path": tmp_path / "x.toml"}, {"robot": TWO, "path": value}):
            with contextlib.suppress(robosym.RobosymError):
                robosym.save(**given)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: models.gravity("rx90"), r"robot: got 'rx90', expected a Robot \(load it first"),
        (lambda: models.gravity(TWO, gravity=(0, 0)), "gravity: gravity has no such argument"),
        (
            lambda: models.inverse_dynamics(TWO, fricton=True),
            "fricton: inverse_dynamics has no such argument .did you mean friction",
        ),
        (lambda: models.inverse_dynamics(TWO, friction="yes"), "friction: got 'yes', expected"),
        (
            lambda: models.inverse_dynamics(TWO, friction=np.array([1.0, 2.0])),
            r"friction: got array\(\[1., 2.\]\), expected True",
        ),
        (lambda: models.inverse_dynamics(TWO, parameters="foo"), "parameters: got 'foo', expected"),
        (lambda: models.jacobian(TWO, frame="elbow"), "frame: there is no frame 'elbow'"),
        (lambda: models.jacobian(TWO, frame=np.array([1.0, 2.0])), "frame: got array"),
        (lambda: models.jacobian(TWO, axes="sideways"), "axes: got 'sideways'"),
        (lambda: models.regressor(TWO, extra="foo"), "extra: got 'foo', expected a mapping"),
        (lambda: models.linearised(TWO, axes=NAN), "axes: got nan, expected"),
        (lambda: models.transform(Robot("none", ())), "frame: the robot has no moving frame"),
        (lambda: DYNAMICS.compile(fused="yes"), "fused: got 'yes', expected True, False, 'fastmath' or 'reordered'"),
        (lambda: DYNAMICS.source("c", numeric="no"), "numeric: got 'no', expected True or False"),
        (lambda: trajectory.point_to_point([0, 0], [1, 1], robot="rx90"), "robot: got 'rx90', expected a Robot"),
        (lambda: Robot.from_table(None, []), "name: got None, expected a text"),
        (lambda: Robot.from_table("x", 5), "rows: got 5, expected a list"),
        (lambda: TWO.frame(0), "frame: 0 is the base"),
    ],
)
def test_the_argument_is_named(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(robosym.RobosymError, match=said):
        call()


def test_a_frame_by_name() -> None:
    assert TWO.frame("tip") is TWO.frame(3)


# --- validation itself ----------------------------------------------------------------------------------------------------


def test_errors_of_the_function_itself_are_not_changed() -> None:
    @validated
    def faulty(times: int) -> float:
        return 1 / (times - times)

    with pytest.raises(ZeroDivisionError):
        faulty(1)
    with pytest.raises(ArgumentError, match="times: got 'a', expected a whole number"):
        faulty("a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="faulty: missing a required argument: 'times'"):
        faulty()  # type: ignore[call-arg]


def test_the_function_is_not_called_with_a_wrong_argument() -> None:
    calls = []

    @validated
    def recorded(name: str = "", *more: int, **options: float) -> int:
        calls.append(name)
        return 1

    assert recorded("x", 1, 2, a=0.5) == 1
    for args, options, message in (
        ((3,), {}, "name: got 3, expected a text"),
        (("x", 1, "2"), {}, r"more\[1\]: got '2', expected a whole number"),
        (("x",), {"a": "b"}, "a: got 'b', expected a number"),
    ):
        with pytest.raises(ArgumentError, match=message):
            recorded(*args, **options)
    assert calls == ["x"]


def test_misuse_without_a_call() -> None:
    def plain(name: str, number: int = 0) -> None: ...

    assert misuse(plain, ("x",), {"number": 1}) == ""
    assert misuse(plain, ("x",), {"nmber": 1}) == "nmber: plain has no such argument (did you mean number?)"
