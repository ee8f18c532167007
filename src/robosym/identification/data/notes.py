"""What a person should know about a recording and what became of it, in plain words."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Notes:
    """Collected while a recording is inspected and prepared: ``warnings`` name what is probably wrong and the remedy,
    ``remarks`` what was done, ``left_out`` how many rows do not count and why."""

    warnings: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)

    def leave_out(self, why: str, rows: int) -> None:
        if rows:
            self.left_out[why] = self.left_out.get(why, 0) + rows

    def lines(self) -> list[str]:
        """All of it, one line each."""
        counted = [f"{rows} rows left out: {why}" for why, rows in self.left_out.items()]
        return [*(f"warning: {text}" for text in self.warnings), *self.remarks, *counted]
