"""Robots as users of SYMORO describe them, written out in its format: the RX-90, the SR400, the Stanford arm, a planar loop, two palletizers.

The geometry is that of the papers (``published_robots.py`` names them); the palletizers are our own. Most files come with all
the sections that its editor writes, the Stanford arm with its geometry alone, and a rhombus as people type it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from written_robots import folder

BODY = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
ACTUATOR = ("IA", "FV", "FS")
WRENCH = ("FX", "FY", "FZ", "CX", "CY", "CZ")
JOINT = ("QP", "QDP", "GAM")
BASE = "W0 = {0,0,0}\nWP0 = {0,0,0}\nV0 = {0,0,0}\nVP0 = {0,0,0}\n"


def row(name: str, entries: Sequence[object]) -> str:
    return f"{name} = {{{','.join(map(str, entries))}}}\n"


def editor(name: str, links: int, joints: int, geometry: Mapping[str, str], loaded: Sequence[int]) -> str:
    """The file of SYMORO's editor: every section, default symbols, wrenches on some of the links."""
    columns = {key: text.split() for key, text in geometry.items()}
    parts = [
        f"(* Robotname = '{name}' *)\n",
        f"NL = {links}\nNJ = {joints}\nNF = {len(columns['ant'])}\nType = {0 if links == joints else 2}\nis_mobile = 0\n",
        "\n(* Geometric parameters *)\n",
        *(row(key, entries) for key, entries in columns.items()),
        "\n(* Dynamic parameters and external forces *)\n",
        *(row(key, [f"{key}{j}" for j in range(1, links + 1)]) for key in (*BODY, *ACTUATOR)),
        *(row(key, [f"{key}{j}" if j in loaded else 0 for j in range(1, links + 1)]) for key in WRENCH),
        "\n(* Joint parameters *)\n",
        *(row(key, [f"{key}{j}" for j in range(1, joints + 1)]) for key in JOINT),
        "\n(* Speed and acceleration of the base *)\n",
        BASE,
        "\n(* Acceleration of gravity *)\nG = {0,0,G3}\n",
        "\n(* Transformation of 0 frame position fT0 *)\nZ = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}\n",
        "\n(* End of definition *)\n",
    ]
    return "".join(parts)


def rx90() -> str:
    geometry = {
        "ant": "0 1 2 3 4 5",
        "sigma": "0 0 0 0 0 0",
        "b": "0 0 0 0 0 0",
        "d": "0 0 D3 0 0 0",
        "r": "0 0 0 RL4 0 0",
        "gamma": "0 0 0 0 0 0",
        "alpha": "0 pi/2 0 -pi/2 pi/2 -pi/2",
        "mu": "1 1 1 1 1 1",
        "theta": "th1 th2 th3 th4 th5 th6",
    }
    return editor("RX90", 6, 6, geometry, [6])


def sr400() -> str:
    """Its base stands a metre high, and the parallelogram's rear bar is measured backwards: neither is in the course."""
    geometry = {
        "ant": "0 1 2 3 4 5 1 7 8 3",
        "sigma": "0 0 0 0 0 0 0 0 0 2",
        "b": "1 0 0 0 0 0 0 0 0 0",
        "d": "0 d2 d3 d4 0 0 d2 -d8 d3 -d8",
        "r": "0 0 0 r4 0 0 0 0 0 0",
        "gamma": "0 0 0 0 0 0 0 0 0 pi/2",
        "alpha": "0 -pi/2 0 -pi/2 pi/2 -pi/2 -pi/2 0 0 0",
        "mu": "1 1 0 1 1 1 1 0 0 0",
        "theta": "th1 th2 th3 th4 th5 th6 th7 th8 th9 0",
    }
    return editor("SR400", 8, 9, geometry, [8])


STANFORD = """(* Robotname = 'Stanford' *)
NL = 6
NJ = 6
NF = 6
Type = 0
ant = {0,1,2,3,4,5}
sigma = {0,0,1,0,0,0}
b = {0,0,0,0,0,0}
d = {0,0,0,0,0,0}
r = {0,RL2,r3,0,0,0}
gamma = {0,0,0,0,0,0}
alpha = {0,-pi/2,pi/2,0,-pi/2,pi/2}
theta = {th1,th2,0,th4,th5,th6}
"""

RHOMBUS = """(* Robotname = 'rhombus' *)   (* four equal bars, two motors on one pivot *)
NL = 4;
NJ = 5;
NF = 6;
Type = 2;
ant   = {0, 1, 0, 3, 4, 2}
sigma = {0, 0, 0, 0, 0, 2}
mu    = {1, 0, 1, 0, 0, 0}
d     = {0, L, 0, L, L, L}
theta = {th1, th2, th3,
         th4, th5, 0}
"""


def palletizer(bars: str) -> str:
    """Two parallelograms in a row hold the hand level: waist 1, upper arm 2, forearm 3, hand 4, flange 5, rods 6 and 8, elbow plate 7.

    The first rod stands on the waist at a distance e and an angle be from the shoulder; the second one goes from the plate to the
    hand. ``bars``: "apart", each at a corner of its own, where both loops are parallelograms; or "together", where both meet
    in one corner that is a distance f from the elbow: the first loop is a four-bar, and the hand carries the second rod.
    """
    apart = bars == "apart"
    geometry = {
        "ant": "0 1 2 3 4 1 2 7 8 6 4 7" if apart else "0 1 2 3 4 1 2 4 8 6 7 11",
        "sigma": "0 0 0 0 0 0 0 0 0 0 2 2",
        "b": "0 0 0 0 0 e*sin(be) 0 0 0 0 0 0",
        "d": "0 0 La Lb 0 e*cos(be) La f Lb La f " + ("e" if apart else "0"),
        "r": "0 0 0 0 0 0 0 0 0 0 0 0",
        "gamma": "0 0 0 0 0 0 0 " + ("be+pi/2 0 0 be+pi/2 be" if apart else "be 0 0 be 0"),
        "alpha": "0 pi/2 0 0 pi/2 pi/2 0 0 0 0 0 0",
        "mu": "1 1 1 0 1 0 0 0 0 0 0 0",
        "theta": "th1 th2 th3 th4 th5 th6 th7 th8 th9 th10 0 0",
    }
    return editor(f"palletizer-{bars}", 8, 10, geometry, [5])


FILES = {
    "RX90": rx90(),
    "SR400": sr400(),
    "Stanford": STANFORD,
    "rhombus": RHOMBUS,
    "palletizer-apart": palletizer("apart"),
    "palletizer-together": palletizer("together"),
}


@cache
def par_file(name: str) -> Path:
    """The description in a file of this process."""
    path = folder() / f"{name}.par"
    path.write_text(FILES[name], encoding="ascii")
    return path
