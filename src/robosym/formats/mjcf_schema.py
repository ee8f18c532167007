"""The elements of MJCF that are read, with all their attributes and children, as MuJoCo's own schema has them.

Sections and elements that say nothing of the robot (assets, sensors, cameras ...) are known by name and not looked into.
"""

from __future__ import annotations

from collections.abc import Mapping

from .xml_schema import Part, Table

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
POSE = f"pos {' '.join(ORIENTATIONS)}"

# Attributes of which a file may give the first numbers only, and how many there are: the class, or MuJoCo's default, gives the others.
PARTIAL = {"size": 3, "damping": 3, "stiffness": 3, "gear": 6, "gainprm": 10, "biasprm": 10, "dynprm": 10}

# How many numbers attributes have at most that are not read.
UNREAD = {
    **{
        "timestep": 1,
        "impratio": 1,
        "tolerance": 1,
        "ls_tolerance": 1,
        "noslip_tolerance": 1,
        "magnetic": 3,
        "wind": 3,
    },
    **{"kp": 1, "kv": 1, "dampratio": 1, "cranklength": 1, "inheritrange": 1, "margin": 1, "gap": 1, "solmix": 1},
    **{
        "solref": 2,
        "solimp": 5,
        "solreflimit": 2,
        "solimplimit": 5,
        "solreffriction": 2,
        "solimpfriction": 5,
        "rgba": 4,
    },
    **{"friction": 3, "condim": 1, "contype": 1, "conaffinity": 1, "priority": 1},
}

# How many numbers other attributes have, of those that are read and that classes give.
LENGTHS = {
    **{"pos": 3, "quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3, "axis": 3, "fromto": 6},
    **{"mass": 1, "density": 1, "group": 1, "armature": 1, "frictionloss": 1, "ref": 1, "springref": 1},
    **{"range": 2, "actuatorfrcrange": 2, "forcerange": 2, "ctrlrange": 2},
}

JOINT = (
    "type pos axis range limited ref springref stiffness damping armature frictionloss springdamper springyield margin group "
    "actuatorfrcrange actuatorfrclimited actuatorgravcomp solreflimit solimplimit solreffriction solimpfriction user"
)
GEOM = (
    f"{POSE} type size fromto mass density group mesh hfield shellinertia fitscale friction condim contype conaffinity priority "
    "margin gap solmix solref solimp material rgba castshadow fluidshape fluidcoef adhesion surfacevel user"
)
SITE = f"{POSE} type size fromto group mesh material rgba user"
NAMED = "name class"

# Actuators: what all have, what those with a transmission of their choice have, and what each has beside.
CONTROL = "group delay interp nsample user ctrlrange forcelimited forcerange"
POWER = f"{CONTROL} armature cranklength damping gear"
LIMITED = f"{POWER} ctrllimited"
ACTIVATION = "actlimited actrange"
ACTUATORS: Mapping[str, str] = {
    "general": f"{LIMITED} {ACTIVATION} actdim actearly biasprm biastype dynprm dyntype ffrange gainprm gaintype inheritrange input velrange",
    "motor": LIMITED,
    "position": f"{LIMITED} dampratio inheritrange kp kv timeconst",
    "velocity": f"{LIMITED} kv",
    "intvelocity": f"{LIMITED} {ACTIVATION} dampratio inheritrange kp kv",
    "orientation": f"{CONTROL} dampratio input kp kv",
    "pid": f"{LIMITED} dampratio ffrange imax inheritrange input ki kp kv posrange slewmax velrange",
    "damper": f"{POWER} kv",
    "cylinder": f"{LIMITED} area bias diameter timeconst",
    "muscle": f"{LIMITED} force fpmax fvmax lmax lmin range scale tausmooth timeconst vmax",
    "adhesion": f"{CONTROL} gain",
    "dcmotor": f"{LIMITED} cogging controller inductance input lugre motorconst nominal resistance saturation thermal",
    "plugin": f"{LIMITED} {ACTIVATION} actdim actearly dynprm dyntype instance plugin",
}
TARGETS = "body cranksite joint jointinparent lengthrange refsite site slidersite tendon"

IN_BODY = "geom site camera light plugin attach composite flexcomp replicate frame body"
CONSTRAINT = f"{NAMED} active solimp solref"

_SECTIONS: Table = {
    "mujoco": Part(
        "model",
        "compiler option size statistic visual default=outermost extension asset worldbody deformable contact tendon equality "
        "actuator sensor custom keyframe",
    ),
    "compiler": Part(
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict coordinate discardvisual eulerseq "
        "fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial "
        "settotalmass strippath texturedir usethread",
        "lengthrange?",
    ),
    "option": Part(
        "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio integrator iterations jacobian "
        "ls_iterations ls_tolerance magnetic noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref "
        "sdf_initpoints sdf_iterations sleep_tolerance solver timestep tolerance viscosity wind",
        "flag?",
    ),
    "flag": Part(
        "actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp filterparent frictionloss "
        "fwdinv gravity invdiscrete ipc island limit midphase multiccd nativeccd override refsafe sensor sleep speculative "
        "spring warmstart",
    ),
    "keyframe": Part("", "key"),
    "key": Part("act ctrl mpos mquat name plastic qpos qvel time"),
}

_CLASS = (
    "mesh? texture? material? joint?=default-joint geom?=default-geom site?=default-site camera? light? pair? "
    "equality?=default-equality tendon? default "
    + " ".join(f"{tag}?=default-{tag}" for tag in ACTUATORS if tag != "plugin")
)
_DEFAULTS: Table = {
    "outermost": Part("class", _CLASS),
    "default": Part("", _CLASS, "class"),
    "default-joint": Part(JOINT),
    "default-geom": Part(GEOM, "plugin"),
    "default-site": Part(SITE),
    "default-equality": Part("active solimp solref"),
    **{f"default-{tag}": Part(names) for tag, names in ACTUATORS.items()},
}

_BODIES: Table = {
    "worldbody": Part("", IN_BODY),
    "body": Part(
        f"{POSE} childclass fuse gravcomp mocap name simple sleep user", f"inertial? joint freejoint {IN_BODY}"
    ),
    "frame": Part(f"{POSE} childclass name", f"inertial? joint freejoint {IN_BODY}"),
    "inertial": Part(f"{' '.join(ORIENTATIONS)} diaginertia fullinertia", "", "pos mass"),
    "joint": Part(f"{NAMED} {JOINT}"),
    "freejoint": Part("align group name"),
    "geom": Part(f"{NAMED} {GEOM}", "plugin"),
    "site": Part(f"{NAMED} {SITE}"),
}

_PAIRS: Table = {
    "equality": Part(
        "",
        "connect weld joint=equality-joint tendon=equality-tendon flex=flexible flexvert=flexible flexstrain=flexible",
    ),
    "connect": Part(f"{CONSTRAINT} anchor body1 body2 site1 site2"),
    "weld": Part(f"{CONSTRAINT} anchor body1 body2 relpose site1 site2 torquescale"),
    "equality-joint": Part(f"{CONSTRAINT} joint2 polycoef", "", "joint1"),
    "actuator": Part("", " ".join(f"{tag}=actuator-{tag}" for tag in ACTUATORS)),
    **{
        f"actuator-{tag}": Part(f"{NAMED} {names} {TARGETS}", "config" if tag == "plugin" else "")
        for tag, names in ACTUATORS.items()
    },
}

TABLE: Table = {**_SECTIONS, **_DEFAULTS, **_BODIES, **_PAIRS}
