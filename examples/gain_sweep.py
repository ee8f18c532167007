"""How fast may a law be? Ten thousand rollouts of an arm with an encoder, noise, a delay and a load that is not known.

    python examples/gain_sweep.py [rollouts] [picture.png]

Slow laws leave the error that the unknown load makes; fast ones amplify noise and delay, and torques chatter. Between them is the bandwidth
to choose.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import robosym
from robosym import control, simulation, trajectory

count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
arm = robosym.load("planar-2r").with_payload("tip")
move = trajectory.point_to_point([0.2, -0.4], [1.2, 0.6], "quintic", duration=0.6)
law = control.computed_torque(arm, period=2e-3)

rng = np.random.default_rng(1)
bandwidth = np.geomspace(5.0, 300.0, 25)[np.arange(count) % 25]
batch = {"bandwidth": bandwidth, "load": rng.uniform(0.0, 2.0, count)}
sensing = {"resolution": 2e-4, "noise": {"qd": 0.02}, "delay": 2e-3, "every": 5}

begun = time.perf_counter()
runs = simulation.sweep(arm, law, move, batch=batch, duration=1.0, step=2e-3, threads=2, **sensing)
print(
    f"{count} rollouts of {runs.duration:g} s: {count * runs.duration / (time.perf_counter() - begun):.0f} times as fast as the arm moves"
)

error, torque = runs.measure("rms error"), runs.measure("rms torque")
print("bandwidth   rms error (mrad): median   the worst   rms torque (N m)   lost")
for w in np.unique(bandwidth)[::3]:
    here = bandwidth == w
    fine = here & ~runs.lost
    numbers = (
        (1e3 * np.median(error[fine]), 1e3 * error[fine].max(), np.median(torque[fine])) if fine.any() else [np.nan] * 3
    )
    print(f"{w:9.1f} {numbers[0]:25.2f} {numbers[1]:11.2f} {numbers[2]:18.1f} {int(runs.lost[here].sum()):6d}")
worst = {
    w: np.nanmax(error[bandwidth == w]) if not runs.lost[bandwidth == w].any() else np.inf for w in np.unique(bandwidth)
}
best = min(worst, key=lambda w: worst[w])
print(f"smallest error with any of the loads: {1e3 * worst[best]:.2f} mrad at {best:.0f} rad/s")
if len(sys.argv) > 2:
    runs.plot(sys.argv[2], "bandwidth", "rms error")
