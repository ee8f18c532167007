"""A platform and its legs in words: how it can move, how each leg is solved, and what its working modes are."""

from __future__ import annotations

from ..inverse_geometry.closed_form.derivation import ClosedForm
from .kinematics import Modes
from .space import space_of


def explained(modes: Modes) -> str:
    """Lines for people."""
    module, robot = modes.module, modes.module.robot
    space = space_of(module)
    motors = ", ".join(robot.frame(j).joint.name for j in module.motors)
    lines = [
        f"{robot.name}: a platform on {len(module.legs)} legs, {space.dimension} degrees of freedom",
        f"components of its twist that are free: {space.words}",
        f"motors: {motors}",
    ]
    for group in module.alike:
        first = group[0]
        k = module.legs.index(first)
        form = modes.forms[k]
        names = ", ".join(leg.leg.name for leg in group)
        joint = "in a point" if first.in_a_point else "rigidly"
        lines += ["", f"{names}: joints {first.joint_names()}, joined to the platform {joint}"]
        lines += _moves(form.form, [first.short_name(i) for i in range(len(first.joints))])
        if form.wrist is not None:
            n = len(form.form.chain.joints)
            lines += ["   then the joints that turn the end about the point it is brought to:"]
            lines += _moves(form.wrist, [first.short_name(i) for i in range(n, len(first.joints))])
        for b in range(form.count):
            meaning = form.meaning(first, b)
            if form.count > 1:
                lines.append(f"   mode {form.name(first, b)}{f': {meaning}' if meaning else ''}")
    return "\n".join(lines) + "\n"


def _moves(form: ClosedForm, names: list[str]) -> list[str]:
    return [
        f"   {n}. {names[int(move.joint) - 1]}: {move.kind}, {move.equation}"
        for n, move in enumerate(form.plan.moves, 1)
    ]
