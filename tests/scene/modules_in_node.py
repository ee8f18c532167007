"""Generated modules, run by Node: many calls of their functions in one start."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tool_runs import run_tool

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: the generated modules are not run")

DRIVER = """\
import { readFileSync } from "node:fs";
const plain = (x) =>
  ArrayBuffer.isView(x) || Array.isArray(x) ? Array.from(x, plain)
  : typeof x === "number" && !Number.isFinite(x) ? String(x)
  : x !== null && typeof x === "object" ? Object.fromEntries(Object.entries(x).map(([key, value]) => [key, plain(value)]))
  : x;
const made = await import("./module.mjs");
const before = Object.keys(globalThis).length;
const found = JSON.parse(readFileSync("calls.json", "utf8")).map(([name, ...given]) =>
  typeof made[name] === "function" ? plain(made[name](...given)) : plain(made[name]),
);
if (Object.keys(globalThis).length !== before || Object.prototype.polluted !== undefined) {
  throw new Error("the module left something behind");
}
console.log(JSON.stringify(found));
"""


def called(folder: Path, module: str, calls: list[list[Any]]) -> list[Any]:
    """What functions of a module return: a call is the name and its arguments; of what is no function, its value."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "module.mjs").write_text(module, encoding="utf-8")
    (folder / "driver.mjs").write_text(DRIVER, encoding="utf-8")
    (folder / "calls.json").write_text(json.dumps(calls, default=_plain), encoding="utf-8")
    done = run_tool([str(NODE), "driver.mjs"], folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def _plain(x: Any) -> Any:
    return np.asarray(x).tolist()


def poses_of(answer: dict[str, Any]) -> np.ndarray:
    assert answer["ok"], answer["message"]
    return np.array(answer["poses"], dtype=float).reshape(-1, 4, 4)


def begun(scene: dict[str, Any]) -> np.ndarray:
    return np.array([control["at"] for control in scene["controls"]], dtype=float)


def about(scene: dict[str, Any], count: int, far: float = 0.3, seed: int = 0) -> list[np.ndarray]:
    """Where a scene begins, and random values of its controls about it, within limits."""
    draw, x = np.random.default_rng(seed), begun(scene)
    low = [-np.inf if control["lower"] is None else control["lower"] for control in scene["controls"]]
    high = [np.inf if control["upper"] is None else control["upper"] for control in scene["controls"]]
    return [x, *(np.clip(x + draw.uniform(-far, far, len(x)), low, high) for _ in range(count))]
