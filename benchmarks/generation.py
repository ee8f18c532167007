"""How long generating takes, and how operations grow with the joints: the general n-R chain, and the famous arms."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature

from rich.console import Console
from rich.table import Table
from sizes import sized
from timing import best_of

import robosym
from robosym import models
from robosym.models.request import tips
from robosym.robot import INERTIA, Robot

JOINTS = sized((6, 12, 30, 60, 120, 300), (3, 6))
CHAINS = sized((10, 20, 40), (2, 3))
ARMS_OF_A_TREE = sized((50, 100), (1,))
SINGLE = sized(100, 3)  # joints side by side
ARMS = sized(("rx90", "puma560", "stanford", "panda"), ("scara",))


def growth() -> Table:
    table = Table("joints", "ms", "mul", "add", "mul a joint", "add a joint", title="inverse dynamics of general-Nr")
    before: tuple[int, int, int] | None = None
    for n in JOINTS:
        robot = robosym.load(f"general-{n}r")
        seconds, model = best_of(3 if n < 100 else 1, lambda robot=robot: models.inverse_dynamics(robot))  # type: ignore[misc]
        o = model.operations
        slopes = ["", ""]
        if before is not None:
            slopes = [f"{(o.mul - before[1]) / (n - before[0]):.1f}", f"{(o.add - before[2]) / (n - before[0]):.1f}"]
        before = (n, o.mul, o.add)
        table.add_row(str(n), f"{seconds * 1e3:.0f}", str(o.mul), str(o.add), *slopes)
    return table


# What is asked of the models that do not grow with the joints, or not to such lengths.
SHORT_ONLY = ("expanded", "lagrange", "base-parameters", "inverse-geometric", "discrete")


def every_model() -> Table:
    """Milliseconds on chains and on trees of twice the size each time, and for how many operations the last stands."""
    chains = [robosym.load(f"general-{n}r") for n in CHAINS]
    trees = [_branches(count) for count in ARMS_OF_A_TREE]
    columns = [f"{robot.nv} in a row" for robot in chains] + [f"{robot.nv} in pairs" for robot in trees]
    table = Table("model", *columns, "us an operation, chains", title="ms to generate (operations)")
    for name in sorted(set(models.models_of(chains[0])) - set(SHORT_ONLY), key=list(models.MODELS).index):
        function = models.MODELS[name]
        row, each = [], []
        for robot in (*chains, *trees):
            named = asked(name, function, robot)
            seconds, model = best_of(1, lambda function=function, robot=robot, named=named: function(robot, **named))  # type: ignore[misc]
            row.append(f"{seconds * 1e3:.0f} ({model.operations.total})")
            each.append(f"{seconds * 1e6 / max(1, model.operations.total):.0f}")
        table.add_row(name, *row, " ".join(each[: len(chains)]))
    seconds, model = best_of(1, lambda: models.lagrange(_branches(SINGLE, 1)))
    cell = f"{seconds * 1e3:.0f} ({model.operations.total}), {SINGLE} single"
    table.add_row("lagrange", *[""] * (len(columns) - 1), cell, "")
    return table


def asked(name: str, function: Callable[..., object], robot: Robot) -> dict[str, object]:
    """The frames a model is asked for: all, of those that give several, in the axes in which that grows with the joints."""
    taken = signature(function).parameters
    if name == "geometric":
        return {"frames": list(tips(robot))}
    if "frames" in taken:
        return {"frames": "all", "axes": "local"}
    return {"frame": len(robot.frames)} if "frame" in taken else {}


def _branches(count: int, joints: int = 2) -> Robot:
    """Arms of a few joints side by side on one base."""
    rows: list[dict[str, object]] = []
    for j in range(1, count * joints + 1):
        own = {name: f"{name}{j}" for name in (*INERTIA, "d", "r")}
        rows.append({"antecedent": 0 if (j - 1) % joints == 0 else j - 1, "alpha": "pi/2", **own})
    return Robot.from_table(f"branches-{count}", rows, gravity=[0, 0, "G3"])


def arms() -> Table:
    names = ["inverse-dynamics", "inertia-matrix", "bias", "forward-dynamics", "lagrange"]
    table = Table("robot", *names, title="ms to generate, base parameters (operations)")
    for robot_name in ARMS:
        robot = robosym.load(robot_name)
        row = []
        for name in names:
            seconds, model = best_of(3, lambda name=name, robot=robot: models.MODELS[name](robot, parameters="base"))  # type: ignore[misc]
            row.append(f"{seconds * 1e3:.0f} ({model.operations.total})")
        table.add_row(robot_name, *row)
    return table


def main() -> None:
    console = Console(width=120)
    console.print(growth())
    console.print(every_model())
    console.print(arms())


if __name__ == "__main__":
    main()
