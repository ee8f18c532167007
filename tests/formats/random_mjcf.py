"""Random MJCF texts that MuJoCo accepts: chains of bodies with inertia of their own, of shapes, or both, classes and settings."""

from __future__ import annotations

import numpy as np

Generator = np.random.Generator
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}


def numbers(values: np.ndarray | float) -> str:
    return " ".join(repr(float(value)) for value in np.atleast_1d(values))


def some(rng: Generator, *choices: str) -> str:
    return str(rng.choice(choices))


def orientation(rng: Generator) -> str:
    """One notation of an orientation, or none."""
    kind = some(rng, "", "quat", "axisangle", "euler", "xyaxes", "zaxis")
    count = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}.get(kind, 0)
    return f'{kind}="{numbers(rng.normal(size=count))}"' if kind else ""


def inertial(rng: Generator) -> str:
    """Moments that a body can have."""
    a, b, c = rng.uniform(0.1, 1, 3)
    moments = np.array([b + c, a + c, a + b])
    start = f'<inertial pos="{numbers(rng.normal(size=3) / 5)}" mass="{rng.uniform(0.2, 3)!r}"'
    if rng.random() < 0.5:
        return f'{start} diaginertia="{numbers(moments)}" {orientation(rng)}/>'
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    full = Q @ np.diag(moments) @ Q.T
    return f'{start} fullinertia="{numbers(full[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])}"/>'


def geom(rng: Generator, heavy: bool) -> str:
    """A shape; one that need not count may be massless, or in a group that does not."""
    kind = some(rng, *SIZES)
    size = rng.uniform(0.02, 0.2, int(rng.integers(1 if rng.random() < 0.5 else SIZES[kind], 4)))
    ends = kind not in ("sphere",) and rng.random() < 0.3
    place = (
        f'fromto="{numbers(rng.normal(size=6) / 5)}"'
        if ends
        else f'pos="{numbers(rng.normal(size=3) / 5)}" {orientation(rng)}'
    )
    weight = some(
        rng,
        "",
        f'mass="{rng.uniform(0.2, 2)!r}"',
        f'density="{rng.uniform(100, 900)!r}"',
        *(() if heavy else ('mass="0"', 'density="0"')),
    )
    group = "" if heavy else f'group="{int(rng.integers(6))}"'
    name = some(rng, "", 'class="one"', 'class="two"')
    return f'<geom type="{kind}" size="{numbers(size)}" {place} {weight} {group} {name}/>'


def ball(rng: Generator, k: int) -> str:
    """A ball joint without what a robot has no place for, which classes have."""
    kept = " ".join(f'{key}="0"' for key in ("damping", "armature", "frictionloss", "stiffness"))
    pos = f'pos="{numbers(rng.normal(size=3) / 5)}"' if rng.random() < 0.5 else ""
    kind = some(rng, "", 'class="one"', 'class="two"')
    return f'<joint name="j{k}" type="ball" {kind} {kept} limited="false" {pos}/>'


def joint(rng: Generator, k: int) -> str:
    """A hinge or slide with some of its attributes."""
    given = {
        "axis": numbers(rng.normal(size=3)),
        "pos": numbers(rng.normal(size=3) / 5),
        "ref": numbers(rng.normal()),
        "damping": numbers(rng.uniform(0, 1)),
        "armature": numbers(rng.uniform(0, 1)),
        "frictionloss": numbers(rng.uniform(0, 1)),
        "stiffness": numbers(rng.uniform(0, 5)),
        "springref": numbers(rng.normal()),
        "range": some(rng, "0 0", "-1 1", "1 1"),
        "class": some(rng, "one", "two"),
        "type": some(rng, "hinge", "slide"),
    }
    kept = " ".join(f'{key}="{value}"' for key, value in given.items() if rng.random() < 0.5)
    return f'<joint name="j{k}" {kept}/>'


def body(rng: Generator, k: int, use: str, inside: str, balls: float = 0.0) -> str:
    """One body with what it carries; without <inertial> it has a shape that counts. ``balls``: how many of its joints are."""
    own = inertial(rng) if use != "auto" or rng.random() < 0.5 else ""
    shapes = "".join(geom(rng, heavy=False) for _ in range(int(rng.integers(3)))) + (
        "" if own else geom(rng, heavy=True)
    )
    count = int(rng.choice([0, 1, 1, 1, 2]))
    joints = [joint(rng, 10 * k + i) for i in range(count)]
    if joints and balls and rng.random() < balls:
        joints[-1] = ball(rng, 10 * k + count)  # MuJoCo accepts no rotation after it
    place = f'pos="{numbers(rng.normal(size=3) / 3)}" {orientation(rng)}'
    text = f'<body name="b{k}" {place}>{"".join(joints)}{own}{shapes}{inside}</body>'
    if rng.random() < 0.3:
        text = f'<frame pos="{numbers(rng.normal(size=3) / 3)}" {orientation(rng)} childclass="{some(rng, "one", "two")}">{text}</frame>'
    return text


def random_mjcf(rng: Generator, balls: float = 0.0) -> str:
    """A chain of two to four bodies with at least one joint; with ``balls`` a tree of three to five, some of whose joints are."""
    use = some(rng, "auto", "true", "true", "false")
    compiler = f'inertiafromgeom="{use}" inertiagrouprange="{some(rng, "0 5", "0 2", "0 0")}" angle="{some(rng, "radian", "degree")}"'
    compiler += some(
        rng, "", ' eulerseq="zyx"', ' boundmass="0.3"', ' boundinertia="0.1"', ' settotalmass="5"', ' autolimits="true"'
    )
    classes = (
        '<default><joint damping="0.2"/><geom size="0.1 0.2 0.15"/>'
        '<default class="one"><joint armature="0.1" range="-2 2"/><geom size="0.05" zaxis="1 2 3"/>'
        '<default class="two"><joint axis="1 1 0" ref="0.1"/><geom size="0.12 0.07" density="300"/></default></default></default>'
    )
    text = ""
    for k in range(int(rng.integers(2, 5)), 0, -1):
        text = body(rng, k, use, text, balls)
    first = joint(rng, 0)
    if balls:
        first = some(rng, first, ball(rng, 0), '<freejoint name="free"/>')
        text += f'<body name="b9" pos="{numbers(rng.normal(size=3) / 3)}">{ball(rng, 90)}{inertial(rng)}</body>'
    text = f'<body name="b0" pos="{numbers(rng.normal(size=3))}">{first}{inertial(rng)}{text}</body>'
    return f'<mujoco model="random"><compiler {compiler}/>{classes}<worldbody>{text}</worldbody></mujoco>'
