"""Torques, accelerations, matrices and energies, motors, regressors, derivatives of these, and models in time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...program.documentation import Described, Entry
from ...robot.parts import FIXED
from .arrays import (
    amperes,
    amplifiers,
    by_velocity,
    flag,
    kind_of_joints,
    number,
    of_drives,
    qd,
    qdd,
    state,
    tau,
    torques,
)
from .arrays import q as positions
from .case import Case, Words
from .units import ACCELERATION, FORCE, POSITION, SPEED, moving, of_joints, six, wrench

ORDER = "products of speeds in the order 1 2, 1 3, ..., 2 3, ..."


def _torques(case: Case) -> tuple[Entry, ...]:
    return moving(case.robot, FORCE)


def inertia(case: Case) -> Described:
    return by_velocity(case, f"inertia matrix, tau = {case.array} qdd + ...", _torques(case), ACCELERATION)


def _slopes(rows: str, kind: str) -> Callable[[Case], Described]:
    """d(rows)/d(q, qd or tau); of a free base by small motions in its own axes."""

    def said(case: Case) -> Described:
        about = f"derivatives of {rows}, of the row by the column"
        return Described(about, moving(case.robot, FORCE if rows == "tau" else ACCELERATION), moving(case.robot, kind))

    return said


def _coefficients(case: Case) -> Described:
    """Of products and of squares of speeds."""
    names = [one.name for one in moving(case.robot, SPEED)]
    if case.array in ("centrifugal_coefficients", "C"):
        columns = tuple(Entry(f"{name} squared") for name in names)
        return Described(
            "coefficients of the squares of the speeds, torque per product of speeds", _torques(case), columns
        )
    twice = ", half of the coefficient" if case.array == "B" else ""
    columns = tuple(Entry(f"{a} {b}") for i, a in enumerate(names) for b in names[i + 1 :])
    return Described(
        f"coefficients of the products of two speeds, torque per product of speeds{twice}", _torques(case), columns
    )


def _lagrange(case: Case) -> str:
    if case.option("form") == "robmat":
        return f"Equations of motion tau = M qdd + 2 B [qd_j qd_k] + C [qd_j squared] + G; {ORDER}"
    names = "A qdd + coriolis_coefficients [qd_j qd_k] + centrifugal_coefficients [qd_j squared] + Q"
    return f"Equations of motion tau = {names}; {ORDER}"


HOLDS = "that hold the robot against gravity, at rest"
LAGRANGE = {
    **dict.fromkeys(("A", "M"), inertia),
    **dict.fromkeys(("coriolis_coefficients", "centrifugal_coefficients", "B", "C"), _coefficients),
    **dict.fromkeys(("Q", "G"), torques),
}


def joules(what: str) -> Callable[[Case], Described]:
    return number(what, "J")


def _reactions(case: Case) -> Described:
    """Through the joints of all moving links, in their frames."""
    moment = case.array == "m"
    what = "moment (about the origin of the frame)" if moment else "force"
    links = _links(case)
    axes = tuple(Entry(f"{axis}") for axis in "xyz")
    about = f"{what} through the joint of each link, of the link before on it, in the axes of its own frame"
    return Described(about, links if len(links) == case.shape[0] else (), axes, unit="N m" if moment else "N")


def _links(case: Case) -> tuple[Entry, ...]:
    """The moving links in order."""
    robot = case.robot
    own = [j for j in robot.order if robot.frame(j).sigma != FIXED and j <= robot.n_links]
    return tuple(Entry(robot.frame(j).name) for j in own)


# --- free ---------------------------------------------------------------------------------------------------------------


def _hybrid(case: Case) -> str:
    free, given = (", ".join(case.option(name) or ()) or "none" for name in ("free", "given"))
    return f"Accelerations and torques of all coordinates: torques are given of {free}; accelerations of {given}"


BASE = "in the axes of its own frame at its origin"


# --- regressors ---------------------------------------------------------------------------------------------------------


def regressor(case: Case) -> Described:
    words = {
        "D": "entries of D that are not zero, tau = D K",
        "Y": "entries of Y that are not zero, tau = Y K",
        "D1": "entries of D1 that are not zero, tau = d(D1 K)/dt + D2 K",
        "D2": "entries of D2 that are not zero, tau = d(D1 K)/dt + D2 K",
        "h": "entries of h that are not zero: the work of the torques is the change of h K, and what is lost",
        "loss": "entries that are not zero of the power that is lost, loss K",
        "P": "entries of P that are not zero: the power of the torques is P K",
    }
    rows = {"h": "J", "loss": "W", "P": "W", "D1": "N m s or N s"}.get(case.array, "N m or N")
    return Described(f"{words[case.array]}; {rows} of the row per unit of the parameter")


def identified(case: Case) -> str:
    kinds = {"filtered": "filtered, without accelerations", "energy": "of energy", "power": "of power"}
    kind = kinds.get(case.option("model", "dynamic"), "dynamic")
    return f"Identification model ({kind}), linear in the {case.model.parameter_set} parameters K: {', '.join(_columns(case))}"


def _columns(case: Case) -> tuple[str, ...]:
    return tuple(getattr(case.model, "columns", ()))


def base_parameters(case: Case) -> Described:
    about = "base parameters: inertias XX to ZZ and IA in kg m2, IA of joints that slide in kg, first moments MX to MZ in kg m, masses M in kg"
    return Described(about, tuple(map(Entry, case.option("names") or ())))


# --- in time ------------------------------------------------------------------------------------------------------------


def _state_matrix(case: Case) -> Described:
    rows, columns = state(case), state(case)
    if case.array in ("B", "Bd"):
        columns = _torques(case)
    if case.array in ("A", "B"):
        rows = _rates(rows)
    word = {
        "A": "x-rate = A x + B u",
        "B": "x-rate = A x + B u",
        "Ad": "x-next = Ad x + Bd u",
        "Bd": "x-next = Ad x + Bd u",
    }[case.array]
    return Described(f"{word}, of small deviations x of the state and u of tau", rows, columns)


def _rates(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return tuple(Entry(f"rate of {one.name}", _per_second(one.unit)) for one in entries)


def _per_second(unit: str) -> str:
    return f"{unit}2" if unit.endswith("/s") else f"{unit}/s"


def _rate(case: Case) -> Described:
    """[qd; qdd], without small deviations."""
    flexible = "q_motor" in case.inputs
    found: list[Entry] = []
    for kind, word in ((SPEED, ""), (ACCELERATION, "rate of speed ")):
        found += [Entry(f"{word}{one.name}", one.unit) for one in moving(case.robot, kind)]
        if flexible:
            found += [Entry(f"{word}motor of {one.name}", one.unit) for one in of_joints(case.robot, kind)]
    return Described("rates of the state: speeds, then accelerations", tuple(found))


def _gone(case: Case) -> Described:
    return Described("how far the state goes in dt by itself, as a small deviation", state(case))


def _outputs(case: Case) -> Described:
    """C and D: the rows are what was requested."""
    names = case.option("outputs") or []
    rows: list[Entry] = []
    for name in dict.fromkeys(names):
        count = names.count(name)
        rows += _output_rows(name, count)
    columns = state(case) if case.array == "C" else _torques(case)
    frame = f" of {case.frame} {case.axes}" if case.option("frame") is not None else ""
    return Described(f"y = C x + D u, of small deviations of the outputs{frame}", tuple(rows), columns)


def _output_rows(name: str, count: int) -> list[Entry]:
    kinds = {"pose": POSITION, "velocity": SPEED, "acceleration": ACCELERATION}
    if name in kinds and count == 6:
        return list(six(kinds[name], before=f"{name} "))
    if name == "centre-of-mass" and count == 3:
        return [Entry(f"{name} {axis}", "m") for axis in "xyz"]
    unit = "J" if name in ("energy", "kinetic", "potential") else ""
    return [Entry(f"{name} {k}" if count > 1 else name, unit) for k in range(1, count + 1)]


def _next(said: Callable[[Case], Described]) -> Callable[[Case], Described]:
    def after(case: Case) -> Described:
        found = said(case)
        return Described(f"after dt: {found.about}", found.rows)

    return after


def _next_motor(kind: str) -> Callable[[Case], Described]:
    about = f"after dt: {kind}s of the motors of flexible joints, on the side of their joints"
    return lambda case: Described(about, of_joints(case.robot, kind))


IN_TIME = {
    **dict.fromkeys(("A", "B", "Ad", "Bd"), _state_matrix),
    **dict.fromkeys(("C", "D"), _outputs),
    "xd": _rate,
    "dx": _gone,
    "q_next": _next(positions),
    "qd_next": _next(qd),
    "q_motor_next": _next_motor(POSITION),
    "qd_motor_next": _next_motor(SPEED),
}
REFERENCE = {
    "v": lambda case: Described(f"reference speeds, as qd, of the {kind_of_joints(case)}", moving(case.robot, SPEED)),
    "a": lambda case: Described("rates of the reference speeds", moving(case.robot, ACCELERATION)),
}
DRIVES = {
    "q_m": of_drives(POSITION, "positions"),
    "qd_m": of_drives(SPEED, "speeds"),
    "tau_m": of_drives(FORCE, "torques"),
    "i": amperes,
    "u": amplifiers,
    "J": lambda case: Described("q = J q_m", of_joints(case.robot, POSITION), of_drives(POSITION, "")(case).rows),
    "J_inverse": lambda case: Described(
        "q_m = J_inverse q", of_drives(POSITION, "")(case).rows, of_joints(case.robot, POSITION)
    ),
}

TABLE: Mapping[str, Words] = {
    "inverse-dynamics": Words(
        lambda case: "Inverse dynamic model: torques for given positions, speeds and accelerations",
        {"f": _reactions, "m": _reactions},
    ),
    "inverse-dynamics-derivatives": Words(
        lambda case: (
            "Derivatives of the torques of inverse dynamics; wrenches stay as they are in the axes of their frames"
        ),
        {"dtau_dq": _slopes("tau", POSITION), "dtau_dqd": _slopes("tau", SPEED), "A": inertia},
    ),
    "passive-dynamics": Words(
        lambda case: "tau = A(q) a + C(q, qd) v + Q(q): torques for reference speeds and their rates", REFERENCE
    ),
    "forward-dynamics": Words(
        lambda case: "Forward dynamic model: accelerations for given positions, speeds and torques"
    ),
    "forward-dynamics-derivatives": Words(
        lambda case: (
            "Derivatives of the accelerations of forward dynamics; wrenches stay as they are in the axes of their frames"
        ),
        {
            "dqdd_dq": _slopes("qdd", POSITION),
            "dqdd_dqd": _slopes("qdd", SPEED),
            "dqdd_dtau": _slopes("qdd", FORCE),
        },
    ),
    "hybrid-dynamics": Words(
        _hybrid,
        {
            "qdd_all": qdd,
            "tau_all": tau,
            "solvable": flag("1 where torques can make the joints accelerate so, else 0"),
        },
    ),
    "flexible-joint-forward-dynamics": Words(
        lambda case: "Accelerations of links and motors of flexible joints, for given torques of the motors",
        {"tau": lambda case: torques(case, "of the motors, on the side of their joints, of the")},
    ),
    "flexible-joint-inverse-dynamics": Words(
        lambda case: "Positions and torques of the motors of flexible joints that make the links accelerate as given",
        {"tau": lambda case: torques(case, "of the motors, on the side of their joints, of the")},
    ),
    "inertia-matrix": Words(lambda case: "Inertia matrix", {"A": inertia}),
    "bias": Words(
        lambda case: "Torques without accelerations: centrifugal, Coriolis, gravity and what the options add",
        {"H": torques},
    ),
    "gravity": Words(lambda case: f"Torques {HOLDS}", {"Q": torques}),
    "coriolis": Words(
        lambda case: "Matrix C of tau = A qdd + C qd + Q, with A-rate - 2 C skew-symmetric",
        {
            "coriolis_matrix": lambda case: by_velocity(
                case, "C qd is the centrifugal and Coriolis torque", _torques(case)
            )
        },
    ),
    "lagrange": Words(_lagrange, LAGRANGE),
    "expanded": Words(_lagrange, LAGRANGE),
    "energy": Words(
        lambda case: "Energy of the robot: the potential is that in gravity, of springs and of flexible joints",
        {"kinetic": joules("kinetic energy"), "potential": joules("potential energy"), "total": joules("their sum")},
    ),
    "base-acceleration": Words(
        lambda case: (
            "How a free base accelerates, and the torques of the joints, for given accelerations of the joints"
        ),
        {
            "qdd_base": lambda case: Described(
                f"{'classical acceleration' if case.option('kind') == 'classical' else 'rates of the velocities'} of the free base, linear "
                f"then angular, {BASE}",
                six(ACCELERATION, before="base "),
            ),
            "base_wrench": lambda case: Described(
                f"force and moment that act on the free base, {BASE}", wrench("base ")
            ),
        },
    ),
    "motor-torques": Words(
        lambda case: "Torques of the motors for given positions, speeds and accelerations of the joints", DRIVES
    ),
    "transmission": Words(
        lambda case: (
            "Positions, speeds and torques of the joints from those of the motors"
            if case.option("given") != "joints"
            else "Positions, speeds and torques of the motors from those of the joints"
        ),
        DRIVES,
    ),
    "base-parameters": Words(lambda case: "Base inertial parameters from the standard ones", {"base": base_parameters}),
    "regressor": Words(identified, dict.fromkeys(("D", "D1", "D2", "h", "loss", "P"), regressor)),
    "passive-regressor": Words(identified, {"Y": regressor, **REFERENCE}),
    "linearised": Words(lambda case: "Equations of motion about a state, of small deviations", IN_TIME),
    "discrete": Words(
        lambda case: "Equations of motion about a state over a time dt with torques held, of small deviations", IN_TIME
    ),
    "step": Words(
        lambda case: (
            f"The state after a time dt with torques held, by {case.option('integrator')} in {case.option('substeps')} "
            f"step{'s' if case.option('substeps') != 1 else ''}"
        ),
        IN_TIME,
    ),
}
