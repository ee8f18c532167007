"""Exciting motions: motions from whose recording the parameters of a robot can be identified, within all its limits."""

from __future__ import annotations

from .checks import Margin
from .excite import Excitation, excite
from .files import as_c, as_csv, motion_as_dict, motion_from_dict, write_c, write_csv
from .motions import FourierMotion, Motion, SplineMotion
from .options import MotionLimits, Objective, Region, SearchOptions, Waveform

__all__ = [
    "Excitation",
    "FourierMotion",
    "Margin",
    "Motion",
    "MotionLimits",
    "Objective",
    "Region",
    "SearchOptions",
    "SplineMotion",
    "Waveform",
    "as_c",
    "as_csv",
    "excite",
    "motion_as_dict",
    "motion_from_dict",
    "write_c",
    "write_csv",
]
