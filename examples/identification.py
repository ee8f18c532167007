"""From a recording to the parameters of a robot: a SCARA arm is moved, its noisy torques are recorded, its parameters found again."""

import numpy as np

import robosym
from robosym.identification import excite

robot = robosym.load("scara")

# A motion worth recording: every parameter is excited, no limit violated.
motion = excite(
    robot, limits={"quill": (-0.2, 0.2)}, velocity=2.0, acceleration=10.0, duration=8.0, evaluations=40
).motion
time = np.arange(0.0, 8.0, 0.002)
q, qd, qdd = motion(time)

# What would be recorded: positions, and torques with friction and noise.
noise = np.random.default_rng(0).normal(size=q.shape)
tau = robosym.models.inverse_dynamics(robot, friction=True).compile()(q=q, qd=qd, qdd=qdd)
tau = tau + 0.02 * np.abs(tau).max(axis=0) * noise
joints = range(1, 5)
header = ",".join([*(f"q{j}" for j in joints), *(f"tau{j}" for j in joints)])
np.savetxt("recording.csv", np.hstack([q, tau]), delimiter=",", header=header, comments="")

# The recipe says what the columns are and what to do with them.
with open("recipe.toml", "w", encoding="utf-8") as file:
    file.write("""
robot = "scara"
[data]
files = ["recording.csv"]
rate = 500
[position]
columns = ["q{1..4}"]
[torque]
columns = ["tau{1..4}"]
[processing]
cutoff = 30
decimation = 10
low_speed = 0.02
""")

result = robosym.identify("recipe.toml")
true = result.model.described_values()
print(f"{'parameter':10} {'identified':>10} {'sigma':>8} {'true':>9}")
for one in result.parameters.values():
    print(f"{one.name:10} {one.value:10.4f} {one.sigma:8.4f} {true[one.name]:9.4f}")
for joint, error in result.errors.items():
    print(f"{joint}: {error['relative']:.1f} % of the torque is left")
print("wrote", *sorted(path.name for path in result.report("report").values()))
