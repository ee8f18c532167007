"""Files that pages send, such as recordings: in a folder of their own, counted while they come, removed at the end."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .refusal import RefusedError

MEGABYTES = 200  # of one file
ALL_MEGABYTES = 1000
UNUSED = 3600.0  # seconds until a file that nobody asks for is removed

Paths = Mapping[str, Path | list[Path]]  # arguments that are files


@dataclass
class Upload:
    path: Path
    size: int = 0
    used: float = field(default_factory=time.monotonic)


class Uploads:
    """Kept until others need the room, or nobody has asked for an hour: a recording is identified more than once."""

    def __init__(self, megabytes: int = MEGABYTES, all_megabytes: int = ALL_MEGABYTES) -> None:
        self.megabytes, self.all_megabytes = megabytes, all_megabytes
        self._folder = Path(tempfile.mkdtemp(prefix="robosym-web-"))
        self._kept: dict[str, Upload] = {}

    async def keep(self, name: str, chunks: AsyncIterator[bytes]) -> str:
        """Write the chunks to a file whose name is the label as far as names of files go; its id."""
        id = secrets.token_urlsafe(16)
        upload = Upload(self._folder / id / label(name))
        upload.path.parent.mkdir()
        self._kept[id] = upload
        try:
            with upload.path.open("wb") as file:
                async for chunk in chunks:
                    upload.size += len(chunk)
                    if upload.size > self.megabytes << 20:
                        raise RefusedError(413, f"{upload.path.name}: more than {self.megabytes} MB")
                    self._make_room(id)
                    file.write(chunk)
        except BaseException:  # also when the page has gone
            self._remove(id)
            raise
        upload.used = time.monotonic()
        return id

    def path(self, id: object, argument: str = "file") -> Path:
        """Where the file is. A page that hears 404 sends it again."""
        upload = self._kept.get(id) if isinstance(id, str) else None
        if upload is None:
            raise RefusedError.at(404, f"files.{argument}", f"{argument}: this file is no longer here: send it again")
        upload.used = time.monotonic()
        return upload.path

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _make_room(self, own: str) -> None:
        now = time.monotonic()
        oldest_first = sorted((id for id in self._kept if id != own), key=lambda id: self._kept[id].used)
        for id in oldest_first:
            too_much = sum(upload.size for upload in self._kept.values()) > self.all_megabytes << 20
            if too_much or now - self._kept[id].used > UNUSED:
                self._remove(id)

    def _remove(self, id: str) -> None:
        shutil.rmtree(self._kept.pop(id).path.parent, ignore_errors=True)


def label(name: str) -> str:
    """A name without folders, control characters and dots in front; its ending, which tells the format, stays."""
    last = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r"[^\w.\- ()+]", "_", last).strip(". ")
    return plain[-80:].lstrip(". ") or "file"


def without_folders(text: str, files: Paths) -> str:
    """The text, with files called by their labels: where they lie on this machine is nobody's business."""
    for given in files.values():
        for path in given if isinstance(given, list) else [given]:
            folder = f"{path.parent}/"
            text = text.replace(folder, "").replace(json.dumps(folder)[1:-1], "")
    return text
