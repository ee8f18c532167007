"""Which faults are tried: drawn by chance from all packages, or found again from a list."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from fault_sites import SOURCE, Fault, faults_of

EQUIVALENT = Path(__file__).with_name("equivalent_faults.toml")
DIVIDED = ("models", "identification")  # packages whose folders count as packages of their own


def package(path: str) -> str:
    """The package that a file counts for."""
    parts = Path(path).relative_to(SOURCE).parts[:-1]
    return "/".join(parts[: 2 if parts[:1] and parts[0] in DIVIDED else 1])


def shares(sizes: dict[str, int], total: int) -> dict[str, int]:
    """How many faults each package gets: one, and the others where faults are rarest for the size."""
    quota = dict.fromkeys(sorted(sizes, key=lambda name: (-sizes[name], name))[:total], 1)
    while sum(quota.values()) < total:
        quota[max(quota, key=lambda name: (sizes[name] / (quota[name] + 1), name))] += 1
    return quota


def shuffled(faults: list[Fault], seed: int) -> list[Fault]:
    """An order by chance in which all kinds take turns. Lines that move, and faults that come or go elsewhere, do not change it."""
    seen: Counter[Any] = Counter()
    keyed = []
    for fault in faults:
        seen[fault.key()] += 1
        keyed.append((hashlib.sha256(repr((seed, fault.key(), seen[fault.key()])).encode()).hexdigest(), fault))
    turns: Counter[str] = Counter()
    order = []
    for digest, fault in sorted(keyed, key=lambda pair: pair[0]):
        turns[fault.kind] += 1
        order.append((turns[fault.kind], digest, fault))
    return [fault for _, _, fault in sorted(order, key=lambda entry: entry[:2])]


def drawn(root: Path, seed: int, total: int, equivalent: set[tuple[Any, ...]]) -> list[Fault]:
    """Faults of all packages, none of them equivalent."""
    packages: dict[str, list[Fault]] = defaultdict(list)
    for path in sorted((root / SOURCE).rglob("*.py")):
        for fault in faults_of(root, path):
            packages[package(fault.path)].append(fault)
    result = []
    for name, number in sorted(shares({name: len(faults) for name, faults in packages.items()}, total).items()):
        result += [fault for fault in shuffled(packages[name], seed) if fault.key()[1:] not in equivalent][:number]
    return result


def equivalents(file: Path = EQUIVALENT) -> set[tuple[Any, ...]]:
    """Faults that change no result, by their keys without the file, which may move."""
    entries = tomllib.loads(file.read_text("utf-8")).get("fault", []) if file.exists() else []
    return {key_of(entry["name"], entry["text"])[1:] for entry in entries}


def key_of(name: str, text: str) -> tuple[str, int, str, str]:
    place, kind = name.split(" ")
    path, _, column = place.split(":")
    return path, int(column), kind, text


def located(root: Path, entry: dict[str, str]) -> Fault:
    """A fault of a list in this source, also if its line or its file has moved."""
    key = key_of(entry["name"], entry["text"])
    line = int(entry["name"].split(":")[1])
    for same_file in (True, False):
        paths = [root / key[0]] if same_file else sorted((root / SOURCE).rglob("*.py"))
        faults = [fault for path in paths if path.exists() for fault in faults_of(root, path)]
        matches = [fault for fault in faults if fault.key()[1:] == key[1:]]
        if matches and (same_file or len(matches) == 1):
            return min(matches, key=lambda fault: abs(fault.line - line))
    raise SystemExit(f"{entry['name']}: its line {entry['text']!r} is not in the source any more")
