"""Figures without a window, and files written whole or not at all. matplotlib is imported when a figure is requested."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import RobosymError
from ..files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
DOTS_PER_INCH = 160
INK, FAINT = "#1f2430", "#8a92a3"

_STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titlecolor": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.7,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e7ec",
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "svg.hashsalt": "robosym",  # the same picture is the same file
}


def picture_format(path: str | Path) -> str:
    """Format of a picture by the suffix of its file name: "png", "svg" or "pdf".

    Parameters
    ----------
    path
        File name that ends in .png, .svg or .pdf.

    Returns
    -------
    str
        Format of the picture.
    """
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        listed = ", ".join(f".{name}" for name in FORMATS)
        raise RobosymError(f"{path}: a picture ends in one of {listed}")
    return suffix


def styled() -> contextlib.AbstractContextManager[None]:
    """The look of all figures, while one is drawn; nothing outside changes."""
    try:
        import matplotlib
    except ImportError as error:
        raise RobosymError("pictures need matplotlib: pip install robosym[plot]") from error
    return matplotlib.rc_context(_STYLE)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches; inside ``styled``."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="white")
    figure.set_layout_engine("constrained", h_pad=0.09, w_pad=0.06)
    return figure


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file, in the format of its suffix.

    Parameters
    ----------
    figure
        Figure of matplotlib.
    path
        File name that ends in .png, .svg or .pdf.
    """
    kind = picture_format(path)
    dateless = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    drawn = io.BytesIO()
    with styled():
        figure.savefig(drawn, format=kind, dpi=DOTS_PER_INCH, metadata=dateless)
    write_bytes(path, drawn.getvalue())
