"""Pieces say at which times their formula changes: between them no derivative of q jumps."""

import gc
import itertools
import tracemalloc

import numpy as np
import pytest

import torsor
from torsor.motion import Blend, Dwell, Joints, Move, Pace, Paul, Place, Pose, Timing, plan, time_optimal
from torsor.motion.paths.trajectories import JointLine
from torsor.motion.time_laws.time_law import SHAPES

PLACE = Place("a.irl", 1, 1)
START = np.array([0.3, 0.2, 0.1, 0.2, -0.8, 0.3])
TIMINGS = [*(Timing(shape) for shape in SHAPES), Paul(), Paul(overlap=True)]


@pytest.fixture(scope="module")
def rl15():
    return torsor.load("rl15")


def program(arm, timing):
    def pose(q):
        T = arm.pose(q)
        return Pose(tuple(T[:3, 3]), T[:3, :3])

    zones = [Blend("zone", 0.02), Blend("speed"), Blend("joint"), Blend()]
    moves = []
    for k, blend in enumerate(zones):
        q = START + 0.1 * np.cos(k + np.arange(6.0))
        target = pose(q) if k % 2 else Joints(tuple(q))
        pace = Pace(speed=0.2) if k == 1 else Pace()
        moves.append(Move("line" if k % 2 else "joint", target, PLACE, pace=pace, blend=blend))
    middle = pose(START + 0.05)
    moves += [Dwell(0.1, PLACE), Move("joint", Joints(tuple(START)), PLACE)]
    if isinstance(timing, Timing):
        moves.append(Move("circle", pose(START + 0.1), PLACE, via=(middle,)))
    return moves


def require_smooth_between(trajectory):
    """No derivative jumps: over a small step across, and off the middle of an interval, they change alike."""
    times = trajectory.switches
    assert times[0] == 0.0
    assert times[-1] == trajectory.duration
    assert (np.diff(times) > 0.0).all()
    for first, last in itertools.pairwise(times):
        if last - first < 1e-6:
            continue
        t = np.linspace(first, last, 402)[1:-1]
        at = trajectory.at(t)
        h = t[1] - t[0]
        for lower, upper in ((at.q, at.qd), (at.qd, at.qdd), (at.qdd, at.qddd)):
            # the trapezoidal rule misses h^3 for what is smooth, and a jump by all of it
            missed = np.abs(np.diff(lower, axis=0) - 0.5 * h * (upper[1:] + upper[:-1])).max(axis=0)
            assert (missed < 1e-3 * h * np.abs(upper).max(axis=0) + 1e-9).all()
        third = np.abs(np.diff(at.qddd, axis=0)).max(axis=0)
        assert (third < 0.06 * np.ptp(at.qddd, axis=0) + 1e-6 * np.abs(at.qddd).max(axis=0) + 1e-9).all()


@pytest.mark.parametrize("timing", TIMINGS, ids=str)
def test_between_switches_a_motion_is_smooth(rl15, timing):
    pieces = list(plan(rl15, program(rl15, timing), start=START, timing=timing))
    assert max(len(piece.switches) for piece in pieces) > 3
    for piece in pieces:
        if piece.duration > 0.0:
            require_smooth_between(piece.trajectory)


def test_switches_of_a_time_optimal_motion_are_its_grid():
    line = JointLine(np.zeros(2), np.array([1.0, 0.5]), 1.0)
    timed = time_optimal(torsor.load("planar2"), line, speed=1.0, acceleration=4.0, points=20)
    assert np.array_equal(timed.switches, timed.time)


def test_a_rest_has_a_beginning_and_an_end():
    arm = torsor.load("planar2")
    (piece,) = plan(arm, [Dwell(0.5, PLACE)])
    assert piece.switches.tolist() == [0.0, 0.5]
    (nothing,) = plan(arm, [Dwell(0.0, PLACE)])
    assert nothing.switches.tolist() == [0.0]


def test_memory_does_not_grow_with_the_moves_of_a_plan(rl15):
    def moves(count):
        for k in range(count):
            yield Move("joint", Joints(tuple(START + 0.1 * np.sin(k + np.arange(6.0)))), Place("a.irl", k % 7 + 1, 1))

    held = []
    tracemalloc.start()
    for number, _ in enumerate(plan(rl15, moves(1000), start=START)):
        if number in (328, 968):  # as many moves ahead are known at both: up to 128 are looked at together
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert held[-1] - held[0] < 20_000  # bytes, of 640 moves: 30 kB would be what one array of each takes
