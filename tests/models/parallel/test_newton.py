"""The iteration to the pose of given motors: one step at a time."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.moving_platforms import moving
from scipy.spatial.transform import Rotation

from robosym.expr import evaluate, number
from robosym.models.parallel import newton
from robosym.models.parallel.kinematics import modes_of
from robosym.program.routine import Repeat, Run
from robosym.spatial.floats import pose_rows


@pytest.mark.parametrize("kind", ["3-RPS", "planar-3-RRR"])
def test_a_step_squares_the_error(kind: str) -> None:
    at = moving(kind)
    robot = at.robot
    motion, stages, judged = newton.iteration(robot, modes_of(robot).default)
    (repeat,) = [stage for stage in stages if isinstance(stage, Repeat)]
    (run,) = repeat.stages
    assert isinstance(run, Run)
    assert repeat.until == newton.DONE
    numbers = {name: value.number for name, value in robot.values.items()}
    own = {s.name: numbers[s.name] for s in run.program.parameter_symbols}
    k = 0
    T, joints = at.states.T[k], dict(zip(at.states.joints, at.states.x[k], strict=True))
    q = np.array([joints[j] for j in motion.module.motors])
    h = 0.01
    basis = at.states.motions[k]
    twist = basis @ np.linspace(0.3, 1, basis.shape[1])
    twist = h * twist[:6] / np.abs(twist[:6]).max()
    start = T.copy()
    start[:3, 3] += twist[:3]
    start[:3, :3] = Rotation.from_rotvec(twist[3:]).as_matrix() @ start[:3, :3]
    pose = pose_rows(start)
    lengths = []
    for _ in range(5):
        found = run.program.call(q=q, pose=pose, parameters=own)
        lengths.append(float(found[newton.MOVED]))
        pose = np.array(found["next"])
        assert bool(found[newton.DONE]) == (lengths[-1] <= newton.STILL)
    assert 1e-3 < lengths[0] < 0.1
    assert lengths[1] < 100 * lengths[0] ** 2 / motion.size
    assert lengths[2] < 100 * lengths[1] ** 2 / motion.size + 1e-12
    assert lengths[-1] < newton.RESTED
    end = judged.call(
        q=q,
        pose=pose,
        **{newton.MOVED: lengths[-1]},
        parameters={s.name: numbers[s.name] for s in judged.parameter_symbols},
    )
    assert end["assembled"] == 1
    assert end["residual"] < newton.MADE
    found_T = np.array(end["pose_found"])
    np.testing.assert_allclose(found_T[:3], T[:3, 3], atol=1e-8)
    np.testing.assert_allclose(Rotation.from_quat(found_T[3:]).as_matrix(), T[:3, :3], atol=1e-8)
    assert np.linalg.norm(found_T[3:]) == pytest.approx(1, abs=1e-14)
    for wrong in ({newton.MOVED: 1e-8}, {"q": q + 1e-6}):
        state = {"q": q, "pose": pose, newton.MOVED: 0.0} | wrong
        parameters = {s.name: numbers[s.name] for s in judged.parameter_symbols}
        assert judged.call(**state, parameters=parameters)["assembled"] == 0


def test_a_long_step_is_shortened_and_a_quaternion_normalised() -> None:
    at = moving("3-RPS")
    motion, stages, _ = newton.iteration(at.robot, modes_of(at.robot).default)
    (run,) = next(stage for stage in stages if isinstance(stage, Repeat)).stages
    numbers = {s.name: at.robot.values[s.name].number for s in run.program.parameter_symbols}
    T = at.states.T[0]
    pose = pose_rows(T)
    joints = dict(zip(at.states.joints, at.states.x[0], strict=True))
    q = np.array([joints[j] for j in motion.module.motors])
    far = run.program.call(q=q + motion.size, pose=pose, parameters=numbers)
    moved = np.array(far["next"])
    step = np.array([*(moved[:3] - pose[:3]) / motion.size, *(2 * (moved[3:] - pose[3:]))])
    assert float(far[newton.MOVED]) > newton.LONGEST
    assert 0.2 * newton.LONGEST < np.abs(step).max() < 2 * newton.LONGEST
    longer = run.program.call(q=q, pose=[*pose[:3], *(1.3 * pose[3:])], parameters=numbers)
    same = run.program.call(q=q, pose=pose, parameters=numbers)
    np.testing.assert_allclose(longer["next"], same["next"], atol=1e-9)
    np.testing.assert_allclose(same["next"], pose, atol=1e-7)


def test_what_the_platform_cannot_do_is_as_it_has_to_be() -> None:
    motion = moving("planar-3-RRR").motion
    pose = [number(k + 1) for k in range(7)]
    found = [
        float(x)
        for x in evaluate(newton._in_space(motion, pose), dict.fromkeys(motion.module.robot.parameter_symbols, 0.5))
    ]
    for k in range(3):
        assert (found[k] == k + 1) == (k not in motion.space.held)
    assert [x != 0 for x in found[3:6]] == [k == motion.space.axis for k in range(3)]
    assert found[6] == 7
