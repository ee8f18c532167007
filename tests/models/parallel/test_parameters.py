"""A parallel robot with symbols for its inertial parameters: their names, their values, and the same torques as before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from models.parallel.platform_cases import built_in, case_of, value
from models.reference import relative_error

import robosym
from robosym import models
from robosym.expr import evaluate, number, parameter
from robosym.models.mechanism.unit_columns import ROTOR
from robosym.models.parallel.owners import Owners, owners_of
from robosym.models.parallel.parameters import SOURCE, in_symbols, standard_symbols
from robosym.models.parallel.structure import module_of
from robosym.robot import FIXED, INERTIA, Motor, Robot, Value


def owners(robot: Robot, alike: bool | None = None) -> Owners:
    return owners_of(module_of(robot), alike)


def numbers(robot: Robot, entries: object) -> list[float]:
    return [float(x) for x in evaluate(list(entries), {n: v.number for n, v in robot.values.items()})]  # type: ignore[call-overload]


# --- symbols ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["delta", "planar-3rrr", "gough-stewart", "6-UPS-wrist"])
@pytest.mark.parametrize("alike", [None, False])
def test_each_parameter_has_a_symbol_of_its_own(name: str, alike: bool | None) -> None:
    own = owners(case_of(name)[0], alike)
    for rotors in (False, True):
        symbols = standard_symbols(own, rotors)
        assert list(symbols) == own.keys(rotors)
        assert len(set(symbols.values())) == len(symbols)
        assert all(symbol.kind == "parameter" for symbol in symbols.values())
        assert any(stem == ROTOR for _, stem in symbols) == rotors
    names = [symbol.name for symbol in symbols.values()]
    assert names == [own.name(*key) for key in symbols]


def with_geometry(robot: Robot, *names: str) -> Robot:
    """The first joint of the first leg stands higher by symbols of these names, which are zero."""
    j = module_of(robot).legs[0].joints[0]
    frame = robot.frame(j)
    moved = replace(frame, b=frame.b + sum((parameter(name) for name in names), number(0)))
    values = {**robot.values, **{name: Value(0.0, "m", "test") for name in names}}
    return robot.replace(frames=tuple(moved if k == j else f for k, f in enumerate(robot.frames, 1)), values=values)


def test_names_of_other_symbols_are_not_used() -> None:
    robot = with_geometry(robosym.load("planar-3rrr"), "XXP", "XXP_own", "YYP")
    symbols = standard_symbols(owners(robot), False)
    platform = module_of(robot).platform.frame
    assert symbols[platform, "XX"] is parameter("XXP_own2")
    assert symbols[platform, "YY"] is parameter("YYP_own")
    assert symbols[platform, "ZZ"] is parameter("ZZP")


def test_a_symbol_of_the_description_stays() -> None:
    """Even where it stands elsewhere too."""
    robot = robosym.load("planar-3rrr")
    firsts = [leg.joints[0] for leg in module_of(robot).legs]
    own = owners(robot)
    assert own.described()[firsts[0], "M"] is standard_symbols(own, True)[firsts[0], "M"] is parameter("M1")
    rubbing = tuple(
        replace(f, actuator=replace(f.actuator, Fv=parameter("M1"))) if j in firsts else f
        for j, f in enumerate(robot.frames, 1)
    )
    assert standard_symbols(owners(robot.replace(frames=rubbing)), True)[firsts[0], "M"] is parameter("M1")


@pytest.mark.parametrize("where", ["friction", "motor", "wrench"])
def test_no_name_that_stands_anywhere_else_is_used(where: str) -> None:
    """Of what the platform and its legs have beside lengths and inertias."""
    robot = robosym.load("planar-3rrr")
    j, taken = module_of(robot).platform.frame, parameter("XXP")
    frame = robot.frame(j if where == "wrench" else module_of(robot).motors[0])
    changed = {
        "friction": lambda: replace(frame, actuator=replace(frame.actuator, Fs=taken)),
        "motor": lambda: replace(frame, actuator=replace(frame.actuator, motor=Motor(Fv=taken))),
        "wrench": lambda: replace(frame, link=replace(frame.link, wrench=(taken, *[number(0)] * 5))),
    }[where]()
    frames = tuple(changed if f is frame else f for f in robot.frames)
    assert standard_symbols(owners(robot.replace(frames=frames)), False)[j, "XX"] is parameter("XXP_own")


# --- the robot in them ------------------------------------------------------------------------------------------------


def made(robot: Robot, alike: bool | None = None, rotors: bool = True) -> tuple[Robot, Owners, dict]:
    own = owners(robot, alike)
    symbols = standard_symbols(own, rotors)
    return in_symbols(own, symbols), own, symbols


@pytest.mark.parametrize("name", ["delta", "planar-3rrr", "gough-stewart", "6-UPS-wrist"])
@pytest.mark.parametrize("alike", [None, False])
def test_values_are_those_of_the_description(name: str, alike: bool | None) -> None:
    robot = case_of(name)[0]
    found, own, symbols = made(robot, alike)
    described = own.described()
    expected = numbers(robot, [described[key] for key in symbols])
    assert [found.values[symbol.name].number for symbol in symbols.values()] == pytest.approx(expected)
    for (j, stem), symbol in symbols.items():
        unit = {"M": "kg", "MX": "kg m", "MY": "kg m", "MZ": "kg m"}.get(stem, "kg m^2")
        unit = "kg" if stem == ROTOR and robot.frame(j).sigma == 1 else unit
        if symbol.name not in robot.values:
            assert (found.values[symbol.name].unit, found.values[symbol.name].source) == (unit, SOURCE)
    assert set(found.values) >= {s.name for s in found.parameter_symbols if s.name in robot.values}


@pytest.mark.parametrize("name", ["delta", "planar-3rrr", "6-UPS-wrist"])
def test_every_body_has_its_ten_symbols(name: str) -> None:
    """Legs alike have the same; what is fixed to a link is part of it, and has none."""
    robot = case_of(name)[0]
    found, own, symbols = made(robot)
    for j, frame in enumerate(found.frames, 1):
        if robot.carrier(j) not in own.entries:
            assert frame == robot.frame(j)
        elif frame.sigma == FIXED:
            assert not any(frame.link.inertial)
        else:
            assert frame.link.inertial == tuple(symbols[own.of_key((j, stem))] for stem in INERTIA)
            assert frame.actuator.Ia == symbols.get(own.of_key((j, ROTOR)), number(0))
            assert replace(frame.actuator, Ia=number(0)) == replace(robot.frame(j).actuator, Ia=number(0))
        assert (frame.geometry, frame.link.wrench) == (robot.frame(j).geometry, robot.frame(j).link.wrench)


def test_parameters_without_a_symbol_are_zero() -> None:
    robot = robosym.load("delta")
    own = owners(robot)
    platform = module_of(robot).platform.frame
    mass = {(platform, "M"): parameter("MP")}
    found = in_symbols(own, mass)
    assert found.frame(platform).link.inertial == (*[number(0)] * 9, parameter("MP"))
    for j in own.entries:
        if j != platform:
            assert not any(found.frame(j).link.inertial)
            assert found.frame(j).actuator == robot.frame(j).actuator  # no symbol is a rotor's
    assert found.values["MP"].number == robot.values["MP"].number
    assert "JA" not in found.values


def test_rotors_are_referred_to_their_joints() -> None:
    """Jm through the reduction N, squared; what else a motor has stays."""
    robot = robosym.load("planar-3rrr")
    j = module_of(robot).motors[1]
    frame = robot.frame(j)
    motor = Motor(Jm=number(0.01), KT=number(2), Fv=number(0.5))
    geared = replace(frame, actuator=replace(frame.actuator, Ia=number(0.3), ratio=number(-20), motor=motor))
    changed = robot.replace(frames=tuple(geared if k == j else f for k, f in enumerate(robot.frames, 1)))
    found, own, symbols = made(changed)
    own_key = own.of_key((j, ROTOR))
    assert own_key == (j, ROTOR)  # unlike the other legs
    assert found.values[symbols[own_key].name].number == pytest.approx(0.3 + 400 * 0.01)
    assert found.frame(j).actuator.motor == replace(motor, Jm=number(0))
    without = in_symbols(own, standard_symbols(own, False))
    assert without.frame(j).actuator == geared.actuator


def test_a_value_that_is_not_known_is_left_out() -> None:
    robot = robosym.load("planar-3rrr")
    platform = module_of(robot).platform.frame
    frame = robot.frame(platform)
    heavy = replace(frame, link=replace(frame.link, M=parameter("unknown") + 1))
    changed = robot.replace(frames=tuple(heavy if k == platform else f for k, f in enumerate(robot.frames, 1)))
    found, _, symbols = made(changed)
    assert symbols[platform, "M"].name not in found.values
    assert symbols[platform, "ZZ"].name in found.values
    assert "unknown" not in {symbol.name for symbol in found.parameter_symbols}


def test_an_entry_that_holds_the_name_of_its_parameter() -> None:
    """The mass MP + 0.25: the symbol MP is all of it from there on, and its value is that of the entry."""
    robot = robosym.load("planar-3rrr")
    platform = module_of(robot).platform.frame
    frame = robot.frame(platform)
    heavy = replace(frame, link=replace(frame.link, M=frame.link.M + number(0.25)))
    changed = robot.replace(frames=tuple(heavy if f is frame else f for f in robot.frames))
    found, _, symbols = made(changed)
    assert symbols[platform, "M"] is parameter("MP")
    assert found.values["MP"].number == robot.values["MP"].number + 0.25


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("alike", [None, False])
def test_torques_stay_the_same(alike: bool | None) -> None:
    robot, states = built_in("planar-3rrr")
    found, _, symbols = made(robot, alike)
    tau = value(models.inverse_dynamics(found), "tau", states[0])
    assert relative_error(tau, states[0].tau) < 1e-11
    name = symbols[module_of(robot).platform.frame, "M"].name
    heavier = {**found.values, name: Value(found.values[name].number + 1.0)}
    other = value(models.inverse_dynamics(found.replace(values=heavier)), "tau", states[0])
    assert relative_error(other, states[0].tau) > 1e-3
