"""Faults put into the code one by one: which do the tests catch? ``make faults``.

    python tools/faults.py choose              # draws 60 faults spread over all packages
    python tools/faults.py reach               # runs the suite once and notes which tests execute which fault
    python tools/faults.py run --workers 2     # runs those tests on each fault, the cheap ones first, up to the first failure

All three write into build/faults (``--folder``) and take ``--root``, the repository whose source and tests are used: one list of faults serves for
two states of the tests. ``run`` skips faults that its results hold already. The exit status is 1 if a fault is not caught.
Faults that cannot change any result are in tools/equivalent_faults.toml, each with the reason; the next draw takes their place.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from fault_draws import drawn, equivalents, located
from fault_sites import SOURCE, Fault, probed

HERE = Path(__file__).resolve().parent
LEFT_OUT = {".git", ".venv", "build", "dist", "out", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
HANG = 300  # seconds that no single test takes
MEMORY = 8 << 30  # bytes of data of one process: a fault may ask for all there is
BATCHES = (20, 80, 300)  # tests of the first runs on a fault; starting pytest takes seconds


# Copies of the repository


def copied(root: Path, place: Path) -> Path:
    """The repository in another place, with its bytecode, without what is built."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(
        root, place, symlinks=True, ignore=lambda folder, names: LEFT_OUT & set(names) if Path(folder) == root else []
    )
    return place


def pytest_in(root: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start pytest on a copy, in a group of processes of its own."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTEST_CURRENT_TEST", "PYTEST_XDIST")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    environment |= {"PYTHONPATH": str(root / "src")}
    hang = ("-o", f"faulthandler_timeout={HANG}", "-o", "faulthandler_exit_on_timeout=true")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *hang, *arguments]
    return subprocess.Popen(command, cwd=root, env=environment, text=True, start_new_session=True, **options)


# Which tests execute which faults


@dataclass(frozen=True)
class Test:
    """A test: the processor time it takes, whether ``make test`` runs it, and whether it passes without faults."""

    name: str
    seconds: float
    fast: bool
    passes: bool

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]


def reached(root: Path, faults: list[Fault], folder: Path, tests: list[str], workers: int) -> dict[str, Any]:
    """Run tests once with a probe at every fault: the tests, and by fault the tests that execute it."""
    place = copied(root, folder / "probed")
    for path in {fault.path for fault in faults}:
        numbered = [(number, fault) for number, fault in enumerate(faults) if fault.path == path]
        (place / path).write_bytes(probed((root / path).read_bytes(), numbered))
    shutil.copy(HERE / "fault_probe.py", place / "src" / "robosym_probe.py")
    parallel = ("-n", str(workers), "--dist", "worksteal", "--max-worker-restart=0") if workers else ()
    pytest_in(place, "-p", "robosym_probe", *parallel, *tests).wait()
    log = place / "src" / "robosym_probe.log"
    if not log.exists():
        raise SystemExit("no test ran")
    notes = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    hits: dict[str, list[str]] = {fault.name: [] for fault in faults}
    for number, test in dict.fromkeys((note[1], note[2]) for note in notes if note[0] == "hit"):
        hits[faults[number].name].append(test)
    return {"tests": [note[1:] for note in notes if note[0] == "test"], "hits": hits}


def mirrored(path: str, tests: set[str]) -> tuple[str, str]:
    """The test file that mirrors a source file, and the nearest folder that holds such tests."""
    place = Path("tests") / Path(path).relative_to(SOURCE)
    folders = [folder.as_posix() + "/" for folder in place.parents if folder.parts[1:]]
    folder = next((folder for folder in folders if any(test.startswith(folder) for test in tests)), "")
    return place.with_name(f"test_{place.name}").as_posix(), folder


def candidates(fault: Fault, tests: dict[str, Test], hits: list[str]) -> list[list[Test]]:
    """The tests that may catch a fault, in groups: those of ``make test`` first, those that execute it before others of the same file.

    What a test file computes once and keeps hides the fault from its later tests. What is executed when a module is
    imported is noted for the first test at most: there the tests of the package are candidates too.
    """
    executing = set(hits)
    files = {hit.partition("::")[0] for hit in executing if hit}
    beside, folder = mirrored(fault.path, {test.file for test in tests.values()})

    def rank(test: Test) -> int:
        if test.name in executing:
            return 0 if test.file == beside else 1
        if test.file in files:
            return 2
        near = test.file.startswith(folder) if folder else test.file == beside
        return 3 if near and (fault.importing or "" in executing) else 4

    ranked = [(not test.fast, rank(test), test.seconds, test.name) for test in tests.values() if test.passes]
    ordered = sorted(entry for entry in ranked if entry[1] < 4)
    return [[tests[entry[-1]] for entry in group] for _, group in groupby(ordered, key=lambda entry: entry[:2])]


# Running the tests on a fault


def batches(groups: list[list[Test]]) -> Iterator[list[str]]:
    """Names of tests of one group to run together; the tests of a file stand together."""
    sizes = iter(BATCHES)
    size = next(sizes)
    for group in groups:
        while group:
            batch, group = group[:size], group[size:]
            size = next(sizes, size)
            files = {test.file: at for at, test in reversed(list(enumerate(batch)))}
            yield [test.name for test in sorted(batch, key=lambda test: files[test.file])]


def failure(root: Path, names: list[str], seconds: float) -> tuple[str, str]:
    """The first of these tests that fails and how: ``fails``, ``does not load``, ``crashes or hangs``; or ``time is up``."""
    ids, output = (root / f".{name}-{os.getpid()}" for name in ("tests", "output"))  # two processes may use one copy
    ids.write_text("\n".join(names), "utf-8")
    with output.open("w") as file:
        process = pytest_in(
            root, "-x", "-vv", "-rfE", "--tb=no", f"@{ids}",
            stdout=file, stderr=subprocess.STDOUT, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)),
        )  # fmt: skip
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            return "", "time is up"
        finally:
            stop(process)
    text = output.read_text("utf-8", "replace")
    if status in (0, 5):
        return "", ""
    for line in re.findall(r"^(?:FAILED|ERROR) (tests/.*)$", text, re.MULTILINE):
        whole = (name for name in names if "::" in name and line.startswith(name))
        test = max(whole, key=len, default=line.partition(" - ")[0])
        return test, "fails" if "::" in test else "does not load"
    files = list(dict.fromkeys(name.partition("::")[0] for name in names))
    if status == 4 and files != names:  # a name is gone: the fault changes what the tests are made of
        return failure(root, files, seconds)
    running = max(names, key=lambda name: (text.rfind(name), len(name)))
    return (running, "crashes or hangs") if running in text else (files[0], "does not load")


def stop(process: subprocess.Popen[str]) -> None:
    """End what a run of tests has started and left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def spent() -> float:
    """Processor time of the processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def sound_failure(clean: Path, place: Path, names: list[str], limit: float) -> tuple[str, str]:
    """The first of these tests that fails with the fault and, run by itself, passes without it."""
    start = spent()
    while names:
        left = limit - (spent() - start)
        test, how = failure(place, names, 2 * left) if left > 1 else ("", "time is up")
        if not test or not failure(clean, [test], 2 * limit)[0]:
            return test, how
        names = [name for name in names if name != test] if test in names else []
    return "", ""


def result_of(fault: Fault, outcome: str) -> dict[str, Any]:
    return {
        "fault": fault.name,
        "text": fault.text,
        "outcome": outcome,
        "test": "",
        "how": "",
        "tests": 0,
        "seconds": 0.0,
    }


def tried(clean: Path, place: Path, fault: Fault, groups: list[list[Test]], limit: float) -> dict[str, Any]:
    """Put one fault into a copy and run tests until one fails that passes without it."""
    result, start = result_of(fault, "missed"), spent()
    copied(clean, place)
    file = place / fault.path
    at = file.stat().st_mtime
    file.write_bytes(fault.apply(file.read_bytes()))
    os.utime(file, (at + 10, at + 10))  # else bytecode of the same second and size would count as its own
    try:
        for outcome, fast in (("fast", True), ("rest", False)):
            begin = spent()
            for names in batches([group for group in groups if group[0].fast == fast]):
                test, how = sound_failure(clean, place, names, limit - (spent() - begin))
                result["tests"] += len(names)
                if test:
                    result.update(outcome=outcome, test=test, how=how)
                    return result
                if how:
                    result["how"] = how
                    break
    finally:
        result["seconds"] = round(spent() - start, 1)
        shutil.rmtree(place, ignore_errors=True)
    return result


def run(
    root: Path, faults: list[Fault], reach: dict[str, Any], folder: Path, workers: int, limit: float
) -> dict[str, Any]:
    """The result of every fault, by its name; those that results.jsonl holds are not run again."""
    file = folder / "results.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    results = {entry["fault"]: entry for entry in map(json.loads, lines)}
    tests = {entry[0]: Test(*entry) for entry in reach["tests"]}
    clean = copied(root, folder / "clean")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(clean / "src")], check=True)
    waiting = []
    with ProcessPoolExecutor(workers) as pool, file.open("a", encoding="utf-8") as log:
        for number, fault in enumerate(faults):
            if fault.name not in results:
                groups = candidates(fault, tests, reach["hits"].get(fault.name, []))
                if groups:
                    place = folder / f"fault-{number}"
                    waiting.append(pool.submit(tried, clean, place, fault, groups, limit))
                else:
                    results[fault.name] = result_of(fault, "unreached")
        for entry in (job.result() for job in as_completed(waiting)):
            results[entry["fault"]] = entry
            log.write(json.dumps(entry) + "\n")
            log.flush()
            print(
                f"{entry['outcome']:8} {entry['fault']}: {entry['how']} {entry['test']} ({entry['seconds']} s)",
                flush=True,
            )
    return {fault.name: results[fault.name] for fault in faults}


def table(results: dict[str, Any]) -> str:
    """The results in Markdown, and how many faults each part of the tests catches."""
    rows = ["| fault | line | outcome | test | CPU s |", "| --- | --- | --- | --- | --- |"]
    for name, entry in results.items():
        text, test = (entry[part].replace("|", "\\|") for part in ("text", "test"))
        rows.append(f"| {name} | `{text}` | {entry['outcome']} {entry['how']} | {test} | {entry['seconds']:.0f} |")
    counts, total = Counter(entry["outcome"] for entry in results.values()), len(results)
    both = counts["fast"] + counts["rest"]
    return "\n".join(
        [
            *rows,
            "",
            f"{total} faults: {counts['fast']} caught by make test ({counts['fast'] / total:.0%}), {both} with the slow part ({both / total:.0%}), "
            f"{counts['missed']} not caught, {counts['unreached']} not reached.",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--root", type=Path, default=HERE.parent, help="the repository (default: this one)")
    common.add_argument("--folder", type=Path, default=HERE.parent / "build" / "faults", help="what the steps write")
    common.add_argument("--list", type=Path, help="the list of faults (default: list.json of the folder)")
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("choose", parents=[common], help="draw faults")
    step.add_argument("--seed", type=int, default=1)
    step.add_argument("--count", type=int, default=60)
    step = steps.add_parser("reach", parents=[common], help="note which tests execute which fault")
    step.add_argument("tests", nargs="*", default=["tests"], help="files or folders of tests (default: all)")
    step.add_argument("--workers", type=int, default=2, help="processes of pytest-xdist, 0 for none (default 2)")
    step = steps.add_parser("run", parents=[common], help="run the tests on each fault")
    step.add_argument("--workers", type=int, default=2, help="faults tried at the same time (default 2)")
    step.add_argument(
        "--seconds",
        type=float,
        default=600,
        help="processor time per fault for the fast tests, and again for the others",
    )
    options = parser.parse_args(arguments)
    root, folder = options.root.resolve(), options.folder.resolve()
    file, reach = options.list or folder / "list.json", folder / "reach.json"
    folder.mkdir(parents=True, exist_ok=True)
    if options.step == "choose":
        faults = drawn(root, options.seed, options.count, equivalents())
        listed = [{"name": fault.name, "text": fault.text} for fault in faults]
        file.write_text(json.dumps({"seed": options.seed, "faults": listed}, indent=1) + "\n", "utf-8")
        for fault in faults:
            print(f"{fault.name}\n  - {fault.text}\n  + {fault.changed(root)}")
        return 0
    faults = [located(root, entry) for entry in json.loads(file.read_text("utf-8"))["faults"]]
    if options.step == "reach":
        result = reached(root, faults, folder, options.tests, options.workers)
        reach.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
        failed = [entry[0] for entry in result["tests"] if not entry[3]]
        print(
            f"{len(result['tests'])} tests ran, {len(failed)} failed with the probes and will not be used:",
            *failed,
            sep="\n  ",
        )
        print(
            "Executed by no test, or only when imported:",
            *(name for name, hits in result["hits"].items() if not any(hits)),
            sep="\n  ",
        )
        return 0
    results = run(root, faults, json.loads(reach.read_text("utf-8")), folder, options.workers, options.seconds)
    print(table(results))
    return 0 if all(entry["outcome"] in ("fast", "rest") for entry in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
