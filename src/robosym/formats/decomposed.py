"""Joints of several axes that a format does not have, as revolute and prismatic joints with massless links between them.

A screw becomes a slide that follows a revolute joint. A free joint becomes three slides and a ball, where a format has balls. A ball
has no such joints: three angles are other coordinates, and singular.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..expr import Expr, expr, free_symbols, variable
from ..robot import FIXED, GEOMETRY, PRISMATIC, REVOLUTE, Coupling, Frame, Joint, Mimic, Problem, Robot, RobotError
from ..robot.chains import speed_symbols
from ..robot.joints import Ball, Free, JointKind, Step
from ..robot.joints.kind import about_next
from ..robot.parts import COMPOUND, ZERO
from .urdf_tree import Names

ZEROS: dict[str, Any] = dict.fromkeys(GEOMETRY, ZERO)


def decomposed(robot: Robot, kinds: tuple[type[JointKind], ...], format: str) -> tuple[Robot, list[str]]:
    """The robot without joints of several axes but of these kinds, and what a format does not have of it."""
    writer = _Writer(robot, kinds, format)
    compound = [j for j in robot.links if (kind := robot.frame(j).joint.kind) is not None]
    if compound and robot.loops:
        where, kind = f"frame {compound[0]}, sigma", robot.frame(compound[0]).joint.kind
        assert kind is not None
        problem = f"a {kind.name} joint in a robot with closed loops is not supported: write it as revolute and prismatic joints"
        raise RobotError([Problem(where, problem)], robot.name)
    if all(isinstance(robot.frame(j).joint.kind, kinds) for j in compound):
        return robot, []
    return writer.robot(), writer.lost


class _Writer:
    def __init__(self, robot: Robot, kinds: tuple[type[JointKind], ...], format: str) -> None:
        self.of, self.kinds, self.format = robot, kinds, format
        self.frame_names = Names([robot.base.name, *(frame.name for frame in robot.frames)])
        self.joint_names = Names(frame.joint.name for frame in robot.frames)
        self.lost: list[str] = []
        self.problems: list[Problem] = []

    def robot(self) -> Robot:
        """Inner frames come just before that of the joint; all numbers of frames follow."""
        parts = [self._parts(j, frame) for j, frame in enumerate(self.of.frames, 1)]
        if self.problems:
            raise RobotError(self.problems, self.of.name)
        number, frames = {0: 0}, list[Frame]()
        for j, own in enumerate(parts, 1):
            number[j] = number[j - 1] + len(own)
        for described, own in zip(self.of.frames, parts, strict=True):
            antecedent = number[described.antecedent]
            for frame in own:
                frames.append(_renumbered(frame, antecedent, number))
                antecedent = len(frames)
        couplings = tuple(Coupling(tuple(number[j] for j in one.frames), one.matrix) for one in self.of.couplings)
        return self.of.replace(frames=tuple(frames), couplings=couplings)

    def _parts(self, j: int, frame: Frame) -> list[Frame]:
        """The frames of a joint, each on the one before it, the last one that of the link."""
        kind, q = frame.joint.kind, frame.joint.variables
        if kind is None or isinstance(kind, self.kinds):
            return [frame]
        steps: tuple[Step, ...] = ()
        if isinstance(kind, Free) and Ball in self.kinds:
            steps = tuple(about_next(True, x, ((k, 1),)) for k, x in enumerate(q[:3]))
        elif not kind.placement(q):
            steps = kind.steps(q, speed_symbols(j, kind.nv))
        if not steps:
            expected = "write it as revolute joints through one point, or the robot as .toml or .xml (MJCF)"
            self.problems.append(Problem(f"frame {j}, sigma", f"{self.format} has no {kind.name} joint: {expected}"))
            return [frame]
        first, geometry = list[Frame](), dict(zip(GEOMETRY, frame.geometry, strict=True))
        if not (steps[0].gamma.is_zero and steps[0].alpha.is_zero):
            first = [self._inner(frame, "place", FIXED, geometry)]
            geometry = ZEROS
        made = first + self._joints(j, frame, kind, steps, geometry)
        names = ", ".join(one.joint.name for one in made if one.sigma != FIXED)
        self.lost.append(f"the {kind.name} joint '{frame.joint.name}', which is written as {names}")
        return made

    def _joints(
        self, j: int, frame: Frame, kind: JointKind, steps: tuple[Step, ...], geometry: dict[str, Expr]
    ) -> list[Frame]:
        made: list[Frame] = []
        for k, step in enumerate(steps):
            row: dict[str, Any] = {
                **geometry,
                "gamma": geometry["gamma"] + step.gamma,
                "alpha": geometry["alpha"] + step.alpha,
            }
            geometry = ZEROS
            sigma = PRISMATIC if step.slides else REVOLUTE
            symbol, suffix, mimic = self._position(j, frame, kind, step, last=k == len(steps) - 1)
            row["r" if step.slides else "theta"] += symbol
            last = k == len(steps) - 1 and not isinstance(kind, Free)
            one = replace(frame, sigma=sigma, **row) if last else self._inner(frame, suffix, sigma, row)
            name = self.joint_names.new(f"{frame.joint.name}_{suffix}") if suffix else frame.joint.name
            joint = frame.joint if last else Joint(name, active=frame.joint.active)
            joint = replace(joint, name=name, variable=symbol, kind=None, variables=(), mimic=mimic)
            made.append(replace(one, joint=joint))
        if isinstance(kind, Free):
            turning = replace(frame.joint, kind=Ball(), variables=frame.joint.variables[3:])
            made.append(replace(frame, sigma=COMPOUND, joint=turning, **ZEROS))
        return made

    def _position(
        self, j: int, frame: Frame, kind: JointKind, step: Step, last: bool
    ) -> tuple[Expr, str, Mimic | None]:
        """The symbol of an elementary joint, the end of its name, and the joint it follows if it is none of the coordinates."""
        for symbol, entry in zip(frame.joint.variables, kind.positions, strict=True):
            if step.position is symbol:
                return symbol, entry.suffix, None
        ((_, ratio),) = step.row if len(step.row) == 1 else ((0, ZERO),)
        if last or len(frame.joint.variables) > 1 or any(s.kind == "variable" for s in free_symbols(expr(ratio))):
            message = f"{self.format} has no {kind.name} joint: save the robot as .toml"
            self.problems.append(Problem(f"frame {j}, sigma", message))
        suffix = "slide" if step.slides else "turn"
        return variable(f"{frame.joint.variables[0].name}_{suffix}"), suffix, Mimic(j, expr(ratio))

    def _inner(self, frame: Frame, suffix: str, sigma: int, row: dict[str, Any]) -> Frame:
        name = self.frame_names.new(f"{frame.name}_{suffix}")
        joint = Joint(self.joint_names.new(f"{frame.joint.name}_{suffix}")) if sigma == FIXED else Joint(name)
        return Frame(name, 0, joint, sigma, **row)


def _renumbered(frame: Frame, antecedent: int, number: dict[int, int]) -> Frame:
    joint, motor = frame.joint, frame.actuator.motor
    if joint.mimic is not None:
        joint = replace(joint, mimic=replace(joint.mimic, frame=number[joint.mimic.frame]))
    if motor.link is not None:
        motor = replace(motor, link=number[motor.link])
    return replace(frame, antecedent=antecedent, joint=joint, actuator=replace(frame.actuator, motor=motor))
