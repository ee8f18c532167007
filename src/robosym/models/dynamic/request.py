"""What is asked of a dynamic model, and the bodies it is written for: the set-up that all dynamic models share.

A robot is one tree, or of a parallel robot the platform and each of its legs: what is written for the axes of all trees, their
coordinates bring together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...expr import expr
from ...generated import Model
from ...program import Array, Graph, Program, Scope, optimised
from ...program.routine import Routine
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ...spatial.wrenches import Wrench
from ..common import graph_of, model
from ..inertial_parameters.sets import Parameters, platform_in, robot_in
from ..resolve import Acting, Resolved
from ..tree.bodies import Tree, tree
from ..tree.coordinates import Axis, Coordinates
from ..tree.friction import FrictionKind, friction_asked
from ..tree.joint_torques import Algorithm, Found, actuator_torque
from ..tree.moving import Kind
from ..tree.regrouping import regrouped
from ..tree.rotors import GYROSCOPIC, RotorInertia, rotors_asked, with_spinning_rotors
from ..tree.state import (
    Wrenches,
    named_rows,
    state_inputs,
    wrench_array,
    wrench_frames,
    wrench_option,
    zero_unless_given,
)

if TYPE_CHECKING:
    from ..parallel.coordinates import PlatformCoordinates


@dataclass(frozen=True)
class Request:
    """The options that dynamic models have in common. What is None is no option of the model.

    ``friction`` adds that of the description; ``rotor_inertia`` counts the rotors of the motors; ``wrench`` says which links, or which
    frames by name, push on the environment; ``kind`` is that of the acceleration of a free base. For a parallel robot ``order`` is that of its motion (2
    with accelerations, 1 without, 0 at rest), ``method`` the recursion of its legs, ``acting`` what torques are brought to, and
    ``legs_given`` whether the positions of all leg joints are inputs.
    """

    parameters: Parameters = "standard"
    friction: FrictionKind | None = None
    rotor_inertia: RotorInertia | None = None
    wrench: Wrenches | None = None
    kind: Kind | None = None
    order: int = 2
    method: str | None = None
    acting: Acting = "motors"
    legs_given: bool = False

    def prepare(self, resolved: Resolved, on_any_link: bool = False, rotors_apart: bool = False) -> Prepared:
        """The bodies of the tree with what is asked of them. ``on_any_link``: spinning rotors also of links that never turn.
        ``rotors_apart``: those of flexible joints, which do not move with the links."""
        described = resolved.tree
        rotors: RotorInertia = True if self.rotor_inertia is None else self.rotor_inertia
        if resolved.parallel:
            return self.platform(resolved)
        if self.friction is not None:
            friction_asked(described, self.friction)
        rotors_asked(described, rotors)
        robot = robot_in(described, self.parameters, False if rotors_apart else rotors)
        request = self if self.wrench is None else replace(self, wrench=wrench_option(robot, self.wrench))
        bodies = tree(robot, "none" if request.wrench is None else request.wrench)
        if self.kind is not None:
            bodies = bodies.accelerating(robot, self.kind)
        bodies = with_spinning_rotors(robot, bodies, rotors, on_any_link)
        return Prepared(request, resolved, robot, bodies if rotors else bodies.without_rotors())

    def platform(self, resolved: Resolved) -> PreparedPlatform:
        """The platform and the legs of a parallel robot, as they move with each other."""
        from ..parallel.platform_model import require_none_carried
        from ..parallel.trees import leg_tree, platform_tree

        described = resolved.robot
        rotors = self.rotor_inertia is not False
        if self.friction is not None:
            friction_asked(described, self.friction)
        if self.rotor_inertia == GYROSCOPIC:
            problem = f"got {GYROSCOPIC!r}, expected True or False (gyroscopic rotors are not modelled on legs)"
            raise RobotError([Problem("rotor_inertia", problem)], described.name)
        request = self if self.wrench is None else replace(self, wrench=wrench_option(described, self.wrench))
        wrench: Wrenches = "none" if request.wrench is None else request.wrench
        frames = wrench_frames(described, wrench)
        pushing = None if wrench == "none" else frozenset(frames)
        robot = platform_in(described, self.parameters, rotors, resolved.choice)
        own, algorithms = self._coordinates(robot, resolved, rotors)
        if resolved.by_motors:
            require_none_carried(own.module)
        trees = [platform_tree(own, pushing), *(leg_tree(own, leg, pushing) for leg in own.legs)]
        if not rotors:
            trees = [one.without_rotors() for one in trees]
        return PreparedPlatform(request, resolved, robot, trees[0], tuple(trees[1:]), own, algorithms, frames)

    def _coordinates(
        self, robot: Robot, resolved: Resolved, rotors: bool
    ) -> tuple[PlatformCoordinates, Mapping[object, str]]:
        """The coordinates of a parallel robot, and the recursions of its legs."""
        from ..parallel.coordinates import platform_coordinates
        from ..parallel.leg_algorithms import ways_for

        branches, driven = resolved.legs, resolved.by_motors
        steady = driven and self.order == 1 and self.acting == "motors"  # the platform accelerates all the same
        order = 2 if steady else self.order
        ways = None
        if self.method is not None or driven:
            ways = ways_for(robot, branches, order, self.method or "auto", rotors, self.legs_given)
        seen_from, algorithms = (None, {}) if ways is None else (ways.seen_from, ways.algorithms)
        own = platform_coordinates(
            robot, branches, Scope(), 0 if driven else order, seen_from, self.legs_given, self.acting, driven
        )
        if driven:
            zero = [0] * len(own.module.motors)
            rates = [None, None, zero if steady else own.motor_symbols("qdd")][order]
            own = own if order == 0 else own.moved_by_motors(own.motor_symbols("qd"), rates)
        return own, algorithms


@dataclass(frozen=True)
class Prepared:
    """The robot in the parameters asked for, and its bodies."""

    request: Request
    resolved: Resolved
    robot: Robot
    bodies: Tree

    @property
    def trees(self) -> tuple[Tree, ...]:
        """All bodies: those of a parallel robot are several trees."""
        return (self.bodies,)

    @property
    def coordinates(self) -> Coordinates:
        """By which the axes of all trees move."""
        return self.bodies.coordinates

    def scope(self) -> Scope:
        """For one way of writing the model."""
        return Scope()

    def torques(self, algorithm: Algorithm, scope: Scope) -> tuple[dict[int, Wrench], dict[Axis, Scalar]]:
        """The wrenches of all bodies, and the torques of all axes with what the motors spend on themselves and on springs."""
        wrenches: dict[int, Wrench] = {}
        found: dict[Axis, Scalar] = {}
        for bodies in self.trees:
            inside, gammas = algorithm(bodies, scope)
            wrenches |= inside
            found |= gammas
            found |= {b.j: expr(gammas[b.j]) + actuator_torque(bodies, b, self.friction) for b in bodies.bodies}
        return wrenches, found

    def graph(self, name: str, state: tuple[str, ...], outputs: Sequence[Array], scope: Scope) -> Graph:
        """One way of writing the model, from these of q, qd, qdd and tau."""
        return graph_of(self.robot, name, state_inputs(self.robot, state, self.wrench), outputs, scope.names)

    @property
    def friction(self) -> FrictionKind:
        return self.request.friction or False

    @property
    def wrench(self) -> Wrenches:
        return "none" if self.request.wrench is None else self.request.wrench

    @property
    def regrouped(self) -> Prepared:
        """With inertial parameters moved between links where that keeps the torques and saves operations."""
        return replace(self, bodies=regrouped(self.bodies))

    @property
    def at_constant_speed(self) -> Prepared:
        """With no joint accelerating."""
        return replace(self, bodies=self.bodies.at_constant_speed())

    def model(
        self,
        name: str,
        *code: Graph | Program | Routine,
        options: Mapping[str, Any] | None = None,
        more: Mapping[str, Any] | None = None,
        optional: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Model:
        """The cheapest of the graphs, or code as it is, as a model of the robot as it was described. ``options`` are recorded before
        those of the request, ``more`` after them; ``optional`` inputs are zero unless they are given, as wrenches are."""
        asked, chosen = self.request, self._recorded(options, more)
        if asked.kind is not None:
            chosen |= self.bodies.kind_of_base
        graphs = [one for one in code if isinstance(one, Graph)]
        made = optimised(*graphs) if graphs else next(one for one in code if not isinstance(one, Graph))
        zero = {**(zero_unless_given(self.robot, self.wrench)), **(optional or {})}
        found = model(self.robot, name, made, chosen, asked.parameters, zero, described=self.resolved.tree)
        return self.resolved.finished(found)

    def _recorded(self, options: Mapping[str, Any] | None, more: Mapping[str, Any] | None) -> dict[str, Any]:
        """The options that a model records: those given, around those of the request."""
        request = self.request
        requested = {"friction": request.friction, "rotor_inertia": request.rotor_inertia, "wrench": request.wrench}
        return {**(options or {}), **{name: x for name, x in requested.items() if x is not None}, **(more or {})}


@dataclass(frozen=True)
class PreparedPlatform(Prepared):
    """A parallel robot: ``bodies`` are the platform and what it carries, ``legs`` the bodies of each leg. ``algorithms`` are the
    recursions of the kinds of legs."""

    legs: tuple[Tree, ...]
    platform: PlatformCoordinates
    algorithms: Mapping[object, str]
    pushing: tuple[int, ...]  # the frames whose wrench is an input, by row

    @property
    def trees(self) -> tuple[Tree, ...]:
        return (self.bodies, *self.legs)

    @property
    def coordinates(self) -> Coordinates:
        return self.platform

    def scope(self) -> Scope:
        return self.platform.scope

    def recursion(self, bodies: Tree, scope: Scope) -> Found:
        """The torques of one of the trees, by the recursion that was chosen for it."""
        from ..parallel.leg_algorithms import algorithm_named
        from ..parallel.trees import platform_torques

        if bodies is self.bodies:
            return platform_torques(self.platform, bodies, scope)
        leg = next(leg for leg, tree in zip(self.platform.legs, self.legs, strict=True) if tree is bodies)
        algorithm = algorithm_named(self.platform, leg, self.algorithms[leg.path.kind, leg.solved.branch])
        assert algorithm is not None
        return algorithm(bodies, scope)

    def graph(self, name: str, state: tuple[str, ...], outputs: Sequence[Array], scope: Scope) -> Graph:
        from ..parallel.platform_model import platform_graph

        return platform_graph(self.platform, name, state, outputs, wrench_array(self.pushing))

    @property
    def of_known_bodies(self) -> PreparedPlatform:
        """The same, for a model that does not know joints on the platform: refused where there are any."""
        from ..parallel.platform_model import require_none_carried

        require_none_carried(self.platform.module)
        return self

    @property
    def regrouped(self) -> PreparedPlatform:
        return replace(self, bodies=regrouped(self.bodies), legs=tuple(map(regrouped, self.legs)))

    @property
    def at_constant_speed(self) -> PreparedPlatform:
        return self  # as the order of the request says

    def model(
        self,
        name: str,
        *code: Graph | Program | Routine,
        options: Mapping[str, Any] | None = None,
        more: Mapping[str, Any] | None = None,
        optional: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Model:
        from ..parallel.platform_model import platform_model

        asked, own = self.request, self.platform
        (one,) = (one for one in code if not isinstance(one, Program))
        chosen = self._recorded(options, more)
        zero = {**(optional or {}), **named_rows(self.robot, self.pushing)}
        described = self.resolved.robot
        made = platform_model(own, self.resolved.legs, name, one, chosen, zero, asked.parameters, described)
        return self.resolved.finished(made)
