"""Which modules the first sight of the page needs: named in its head, they come at once and not one after the other."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

FIRST = ("main.js", "rooms/models/room.js")  # the page, and the room it begins in
PLACE = b"<!-- modules -->"
IMPORTED = re.compile(r'(?:\bfrom|\bimport) ?"(\.{1,2}/[^"]+)"')


def with_preloads(page: bytes, static: Path) -> bytes:
    """The page with a link for each module."""
    links = "\n".join(f'<link rel="modulepreload" href="/static/{name}">' for name in reached(static))
    return page.replace(PLACE, links.encode())


def reached(static: Path) -> list[str]:
    """What is imported, from the first modules on; what is imported when it is needed is not."""
    waiting, found = list(FIRST), dict.fromkeys(FIRST)
    while waiting:
        name = waiting.pop()
        for other in IMPORTED.findall((static / name).read_text(encoding="utf-8")):
            path = _plain(PurePosixPath(name).parent / other)
            if path not in found:
                found[path] = None
                waiting.append(path)
    return sorted(found)


def _plain(path: PurePosixPath) -> str:
    """Without its dots."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
