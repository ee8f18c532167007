"""general-Nr: a serial robot of N revolute joints with all geometry and all inertial parameters symbolic. eel-N: the same with
N links in all, of which the first is free.

The general robot of the published counts (SYMORO+ 1997, section 5.1): r1, d1, alpha1 and rN are zero, which a choice of
the first and last frames always achieves; everything else is arbitrary.
"""

from __future__ import annotations

from ..expr import Expr, number, parameter, variable
from ..robot import INERTIA, Actuator, Base, Frame, Joint, Link, Robot, Value

LONGEST = 2000
_SOURCE = "example value, not measured"


def eel(links: int) -> Robot:
    """A chain of so many links that nothing holds (Khalil 2010, section 7): its head is a free base."""
    body = general_robot(links - 1)
    values = dict(body.values)

    def named(name: str, value: float, unit: str) -> Expr:
        values[name] = Value(round(value, 6), unit, _SOURCE)
        return parameter(name)

    base = Base(name="head", floating=True, link=_link(0, named))
    description = f"eel of {links} links on a free base: every length, twist and inertia is a symbol"
    return body.replace(name=f"eel-{links}", base=base, values=values, description=description)


def general_robot(n: int) -> Robot:
    """A chain of n links; default values make a slender arm with unequal lengths and twists."""
    values: dict[str, Value] = {"G3": Value(-9.81, "m/s^2", "standard gravity, along -z0")}

    def named(name: str, value: float, unit: str) -> Expr:
        values[name] = Value(round(value, 6), unit, _SOURCE)
        return parameter(name)

    frames = []
    for j in range(1, n + 1):
        first, last = j == 1, j == n
        q = variable(f"q{j}")
        frames.append(
            Frame(
                name=f"link{j}",
                antecedent=j - 1,
                joint=Joint(f"q{j}", q),
                alpha=number(0) if first else named(f"alpha{j}", 0.5 + 0.11 * (j % 7), "rad"),
                d=number(0) if first else named(f"D{j}", 0.2 + 0.03 * (j % 5), "m"),
                theta=q,
                r=number(0) if first or last else named(f"RL{j}", 0.1 + 0.02 * (j % 4), "m"),
                link=_link(j, named),
                actuator=Actuator(
                    Ia=named(f"IA{j}", 0.3 / j, "kg m^2"),
                    Fv=named(f"FV{j}", 0.1, "N m s/rad"),
                    Fs=named(f"FS{j}", 0.2, "N m"),
                ),
            )
        )
    description = f"general serial robot of {n} revolute joints: every length, twist and inertia is a symbol"
    return Robot(
        f"general-{n}r",
        tuple(frames),
        gravity=(number(0), number(0), parameter("G3")),
        values=values,
        description=description,
    )


def _link(j: int, named: object) -> Link:
    """Inertias of a body of mass m with its centre at c and central inertia small and unequal: always possible ones."""
    m = 4.0 / (1 + 0.2 * (j % 9))
    x, y, z = 0.05 + 0.01 * (j % 3), 0.02, 0.04 - 0.01 * (j % 2)
    numbers = {
        "XX": 0.02 + m * (y * y + z * z),
        "XY": -0.001 - m * x * y,
        "XZ": -0.002 - m * x * z,
        "YY": 0.025 + m * (x * x + z * z),
        "YZ": -0.0015 - m * y * z,
        "ZZ": 0.03 + m * (x * x + y * y),
        "MX": m * x,
        "MY": m * y,
        "MZ": m * z,
        "M": m,
    }
    units = {"M": "kg"} | dict.fromkeys(("MX", "MY", "MZ"), "kg m")
    return Link(**{name: named(f"{name}{j}", numbers[name], units.get(name, "kg m^2")) for name in INERTIA})  # type: ignore[operator]
