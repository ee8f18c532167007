"""What is asked of a dynamic model, and the bodies it is written for: the set-up that all dynamic models share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...generated import Model
from ...program import Graph, Program, optimised
from ...program.routine import Routine
from ...robot import Robot
from ..common import model
from ..inertial_parameters.sets import Parameters, robot_in
from ..resolve import Resolved
from ..tree.bodies import Tree, tree
from ..tree.friction import FrictionKind, friction_asked
from ..tree.moving import Kind
from ..tree.regrouping import regrouped
from ..tree.rotors import RotorInertia, rotors_asked, with_spinning_rotors
from ..tree.state import Wrenches, wrench_option, zero_unless_given


@dataclass(frozen=True)
class Request:
    """The options that dynamic models have in common. What is None is no option of the model.

    ``friction`` adds that of the description; ``rotor_inertia`` counts the rotors of the motors; ``wrench`` says which links, or which
    frames by name, push on the environment; ``kind`` is that of the acceleration of a free base.
    """

    parameters: Parameters = "standard"
    friction: FrictionKind | None = None
    rotor_inertia: RotorInertia | None = None
    wrench: Wrenches | None = None
    kind: Kind | None = None

    def prepare(self, resolved: Resolved, on_any_link: bool = False, rotors_apart: bool = False) -> Prepared:
        """The bodies of the tree with what is asked of them. ``on_any_link``: spinning rotors also of links that never turn.
        ``rotors_apart``: those of flexible joints, which do not move with the links."""
        described = resolved.tree
        rotors: RotorInertia = True if self.rotor_inertia is None else self.rotor_inertia
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


@dataclass(frozen=True)
class Prepared:
    """The robot in the parameters asked for, and its bodies."""

    request: Request
    resolved: Resolved
    robot: Robot
    bodies: Tree

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
        asked = self.request
        own = {"friction": asked.friction, "rotor_inertia": asked.rotor_inertia, "wrench": asked.wrench}
        chosen = {**(options or {}), **{key: value for key, value in own.items() if value is not None}, **(more or {})}
        if asked.kind is not None:
            chosen |= self.bodies.kind_of_base
        graphs = [one for one in code if isinstance(one, Graph)]
        made = optimised(*graphs) if graphs else next(one for one in code if not isinstance(one, Graph))
        zero = {**(zero_unless_given(self.robot, self.wrench)), **(optional or {})}
        found = model(self.robot, name, made, chosen, asked.parameters, zero, described=self.resolved.tree)
        return self.resolved.finished(found)
