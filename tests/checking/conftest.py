"""Plans made by hand: quintic moves from rest to rest between given joints, with a dwell after each."""

from dataclasses import dataclass

import numpy as np
import pytest

import torsor
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.judging import judge
from torsor.motion.commands import Dwell, Joints, Move, Place
from torsor.motion.curves import Motion

SOURCE = "\n".join(f"move ptp p{k};" for k in range(20))
ABOUT = {"program": "tour", "file": "tour.irl", "language": "L-IRL", "source": SOURCE}


@dataclass
class Quintic:
    start: np.ndarray
    goal: np.ndarray
    duration: float

    def at(self, t):
        T, s, way = self.duration, np.asarray(t)[:, None] / self.duration, self.goal - self.start
        return Motion(
            self.start + way * (10 * s**3 - 15 * s**4 + 6 * s**5),
            way * (30 * s**2 - 60 * s**3 + 30 * s**4) / T,
            way * (60 * s - 180 * s**2 + 120 * s**3) / T**2,
            way * (60 - 360 * s + 360 * s**2) / T**3,
        )


@dataclass
class Piece:
    command: object
    start: float
    trajectory: Quintic


def tour(arm, durations, *, dwell=0.2, seed=1, size=0.6):
    """Moves of these durations between random joints."""
    rng, q, t = np.random.default_rng(seed), np.zeros(arm.n), 0.0
    for k, duration in enumerate(durations):
        goal = rng.uniform(-size, size, arm.n)
        place = Place("tour.irl", k + 1, 1, f"move ptp p{k};")
        yield Piece(Move("joint", Joints(tuple(goal), f"p{k}"), place), t, Quintic(q, goal, duration))
        q, t = goal, t + duration
        if dwell:
            yield Piece(Dwell(dwell, place), t, Quintic(q, q, dwell))
            t += dwell


class Hand:
    """What tests of this folder need of a plan made by hand."""

    Piece, Quintic, tour = Piece, Quintic, staticmethod(tour)

    def verdict(self, arm, pieces, *, wrench=None, about=ABOUT, **options):
        load = None if wrench is None else np.asarray(wrench, dtype=float)
        return judge(CheckedArm(arm, load), pieces, about, **options)


@pytest.fixture(scope="session")
def hand():
    return Hand()


@pytest.fixture(scope="session")
def rl15():
    return torsor.load("rl15")


FAST = (1.5, 1.0, 0.6, 1.2, 0.5, 2.0)  # the third and the fifth saturate the motors of the RL15


@pytest.fixture(scope="session")
def fast(hand, rl15):
    return hand.verdict(rl15, hand.tour(rl15, FAST))
