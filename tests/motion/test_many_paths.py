"""Many motions asked together are the motions asked one by one."""

import numpy as np
import pytest

import torsor
from torsor.model.transforms import pose, rotation_rpy
from torsor.motion.commands import Blend, Dwell, Joints, Move, Pace, Place, Pose, Tool
from torsor.motion.paths.blends import PathCorner
from torsor.motion.paths.many_paths import ManyMotions, ManyPaths, stops
from torsor.motion.paths.trajectories import Rest
from torsor.motion.planning.plan import plan
from torsor.motion.time_laws.polynomials import Stacked, chained
from torsor.motion.time_laws.timing import Timing

HERE = Place("winding", 1, 1)
MIDDLE = {
    "ur5": [0.3, -1.2, 1.4, -0.8, 0.9, 0.5],
    "panda": [0.1, -0.3, 0.2, -1.9, 0.1, 1.7, 0.4],
    "rl15": [0.3, 0.42, 0.54, 0.66, 0.78, 0.9],
}
LIMITS = Timing(speed=2.0, acceleration=8.0)


def winding(arm, rng, count, tool):
    """Lines, arcs and joint moves near where an arm stands, turning or not, with zones and stops, and a wait."""
    middle = arm.pose(MIDDLE[arm.name]) @ tool

    def near():
        turn = rotation_rpy(*rng.normal(scale=0.1, size=3)) if rng.random() < 0.5 else np.eye(3)
        return Pose(tuple(middle[:3, 3] + rng.normal(scale=0.02, size=3)), middle[:3, :3] @ turn)

    yield Tool(tool, HERE)
    yield Move("joint", near(), HERE)
    for k in range(count):
        kind = ("line", "line", "circle", "joint", "line")[k % 5]
        blend = (Blend("zone", 0.004), Blend("speed"), Blend("stop"))[k % 3]
        via = (near(),) if kind == "circle" else ()
        yield Move(kind, near(), HERE, via=via, blend=blend, pace=Pace(speed=0.1))
        if k == count // 2:
            yield Dwell(0.2, HERE)


@pytest.mark.parametrize("name", list(MIDDLE))
def test_as_one_by_one(name):
    arm, rng = torsor.load(name), np.random.default_rng(5)
    for tool in (np.eye(4), pose(rotation_rpy(0.2, 0.1, 0.3), [0.02, 0.0, 0.1])):
        pieces = list(plan(arm, list(winding(arm, rng, 25, tool)), timing=LIMITS))
        trajectories = [piece.trajectory for piece in pieces if piece.duration > 0.0]
        assert len(trajectories) >= 25
        which = rng.integers(0, len(trajectories), 400)
        durations = np.array([each.duration for each in trajectories])[which]
        # within, at the ends, and where parts meet
        t = durations * rng.choice([0.0, 0.5, 1.0, np.nan], 400)
        t = np.where(np.isnan(t), durations * rng.random(400), t)
        for row in range(0, 400, 7):
            t[row] = rng.choice(trajectories[which[row]].switches)
        together = ManyMotions(trajectories).at(which, t)
        for row, (k, time) in enumerate(zip(which, t, strict=True)):
            alone = trajectories[k].at(np.array([time]))
            for one, many, digits in zip(alone, together, (1e-9, 1e-8, 1e-7, 1e-5), strict=True):
                assert np.abs(one[0] - many[row]).max() <= digits * max(1.0, np.abs(one).max())


def test_families_are_found():
    """Else they would be asked one by one, and nobody would see but the clock."""
    arm, rng = torsor.load("ur5"), np.random.default_rng(1)
    joints = [Joints(tuple(MIDDLE["ur5"] + rng.normal(scale=0.1, size=6))) for _ in range(10)]
    moves = [Move("joint", q, HERE, blend=Blend("joint")) for q in joints]
    pieces = plan(arm, [*winding(arm, rng, 40, np.eye(4)), *moves], timing=LIMITS)
    paths = [part.path for piece in pieces for part in getattr(piece.trajectory, "parts", ())]
    many = ManyPaths(paths)
    alone = [type(path).__name__ for path, make in zip(paths, many._make, strict=True) if many._families[make] is None]
    assert len(paths) > 60
    assert sum(isinstance(path, PathCorner) for path in paths) > 10  # of a tool path and a joint move, too
    assert len(alone) <= 4


def test_whether_it_may_end_at_rest():
    arm = torsor.load("ur5")
    poses = [arm.pose(np.array(MIDDLE["ur5"]) + 0.02 * k) for k in range(3)]
    moves = [Move("line", Pose(tuple(T[:3, 3]), T[:3, :3]), HERE, blend=Blend("zone", 0.002)) for T in poses[1:]]
    start = Pose(tuple(poses[0][:3, 3]), poses[0][:3, :3])
    first, last = (p.trajectory for p in plan(arm, moves, timing=LIMITS, start=start))
    assert [stops(first), stops(last), stops(Rest(np.zeros(6), 1.0))] == [False, True, True]


def test_time_laws_together_are_the_same_to_the_last_bit():
    rng = np.random.default_rng(2)
    laws = [
        chained(float(rng.random()), [(float(rng.random() + 0.1), tuple(rng.random(3))) for _ in range(pieces)])
        for pieces in (1, 3, 7, 2)
    ]
    which = rng.integers(0, 4, 100)
    t = np.array([laws[k].duration for k in which]) * rng.choice([0.0, 0.3, 0.77, 1.0], 100)
    together = Stacked(laws).at(which, t)
    for row, k in enumerate(which):
        assert [float(each) for each in laws[k].at(t[row])] == [float(each[row]) for each in together]
