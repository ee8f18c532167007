"""Checks of an installed Robosym, run by the Python of the environment that it is installed in.

``python -I tools/distribution_smoke.py base`` needs no extra; ``web`` needs the extra of that name. Nothing outside the
installation is imported. The first wrong answer ends the process with an error.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from importlib.metadata import version
from pathlib import Path


def robosym(*words: str) -> str:
    """The standard output of the installed command."""
    command = [str(Path(sys.executable).parent / "robosym"), *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=300).stdout


def check(holds: bool, claim: str) -> None:
    if not holds:
        sys.exit(f"failed: {claim}")
    print(f"  {claim}")


def base() -> None:
    import robosym as package

    check(Path(sys.prefix) in Path(package.__file__).parents, "the package is the one of this environment")
    check(package.__version__ == version("robosym"), "the version of the package is that of its metadata")
    check("generate" in robosym("--help"), "--help lists the commands")
    check("--to" in robosym("generate", "--help"), "--help of a command lists its options")
    listed = robosym("robots")
    check("rx90" in listed and "gough-stewart" in listed, "robots lists the built-in robots")
    generated()
    compiled()


def generated() -> None:
    """C for RX-90, accepted by a strict compiler where there is one."""
    text = robosym("generate", "rx90", "inverse-dynamics", "--to", "c")
    check(re.search(r"\bvoid \w+\(", text) is not None and "cos(" in text, "generate writes a function in C")
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is not None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "model.c"
            source.write_text(text, encoding="utf-8")
            options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
            done = subprocess.run([compiler, *options, str(source)], check=False)
        check(done.returncode == 0, "a C compiler accepts it without a warning")


def compiled() -> None:
    """The inverse dynamics of the double pendulum beside the equations of textbooks."""
    import robosym as package

    robot = package.load("double-pendulum")
    L1, L2, M1, M2, g = (robot.values[name].number for name in ("L1", "L2", "M1", "M2", "G1"))
    function = package.models.inverse_dynamics(robot).compile()
    worst = 0.0
    for k in range(20):
        (q1, q2), (v1, v2), (a1, a2) = (
            (3.0 * math.sin(k + shift), 3.0 * math.cos(2 * k + shift)) for shift in (0.0, 1.0, 2.0)
        )
        lower, upper = M2 * g * L2 * math.sin(q1 + q2), (M1 + M2) * g * L1 * math.sin(q1)
        rotating, coupled = M2 * L2**2 * (a1 + a2), M2 * L1 * L2
        tau1 = (M1 + M2) * L1**2 * a1 + rotating + lower + upper
        tau1 += coupled * (math.cos(q2) * (2 * a1 + a2) - math.sin(q2) * (2 * v1 * v2 + v2**2))
        tau2 = rotating + lower + coupled * (math.cos(q2) * a1 + math.sin(q2) * v1**2)
        found = function(q=[q1, q2], qd=[v1, v2], qdd=[a1, a2])
        worst = max(worst, abs(found[0] - tau1), abs(found[1] - tau2))
    check(worst < 1e-12, f"compiled torques agree with the equations of the double pendulum ({worst:.0e} N m)")


def web() -> None:
    """The web app, with every file that its page names."""
    command = [str(Path(sys.executable).parent / "robosym"), "web", "--no-open", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        check(address is not None, "web prints its address")
        assert address is not None
        page = answer(address.group()).decode()
        check("<html" in page, "web answers with its page")
        names = sorted(set(re.findall(r'(?:src|href)="/?(static/[^"?]+)', page)))
        check(bool(names) and all(answer(address.group() + name) for name in names), f"{len(names)} files of the page")
        robots = json.loads(answer(f"{address.group()}api/robots"))
        check("rx90" in json.dumps(robots), "web knows the built-in robots")
    finally:
        server.terminate()
        server.wait(30)


def answer(address: str) -> bytes:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(address, timeout=60) as response:
        content: bytes = response.read()
    return content


def without_web() -> None:
    """Without the extra, the command names it."""
    command = [str(Path(sys.executable).parent / "robosym"), "web", "--no-open", "--port", "0"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    check(done.returncode != 0 and "robosym[web]" in done.stdout + done.stderr, "web without its extra names the extra")


PARTS = {"base": base, "web": web, "without-web": without_web}

if __name__ == "__main__":
    for part in sys.argv[1:]:
        PARTS[part]()
