"""A plan does not jump on a rounding error: with everything known of its path off by an ulp its time stays."""

from __future__ import annotations

import numpy as np
import pytest

import torsor
from torsor.motion import time_optimal
from torsor.motion.commands import Joints, Move, Place
from torsor.motion.curves import Along
from torsor.motion.paths import chain
from torsor.motion.paths.trajectories import JointLine

ULP = 2.0**-52


def off_by_an_ulp(along: Along, rng: np.random.Generator) -> Along:
    """Every entry off by an ulp of the largest of its row, zeros too: what another order of sums would give."""
    return Along(
        *(
            part + ULP * np.abs(part).max(axis=-1, keepdims=True) * rng.integers(-1, 2, part.shape)
            for part in (np.asarray(each) for each in along)
        )
    )


class Shaken:
    def __init__(self, path: JointLine, seed: int) -> None:
        self.path, self.rng = path, np.random.default_rng(seed)

    @property
    def length(self) -> float:
        return self.path.length

    def at(self, s: np.ndarray) -> Along:
        return off_by_an_ulp(self.path.at(s), self.rng)


@pytest.mark.parametrize("name", ["puma560", pytest.param("rl15", marks=pytest.mark.slow)])
def test_joints_that_stand_still(name):
    """A joint at rest has no friction to overcome; at 1e-17 of the others' speed it is at rest as well."""
    arm = torsor.load(name)
    way = np.array([0.8, 0.0, 0.5, 0.0, 0.0, 0.3])
    path = JointLine(np.array([0.1, -0.6, 0.4, 0.2, 0.7, 0.0]), way, 1.0)
    exact = time_optimal(arm, path, points=120)
    for seed in range(4):
        shaken = time_optimal(arm, Shaken(path, seed), points=120)
        assert shaken.duration == pytest.approx(exact.duration, rel=1e-6)
        assert len(shaken.s) == len(exact.s)  # no turning round is seen where nothing moves


@pytest.mark.slow
def test_a_program(monkeypatch):
    """Joints 4 and 6 stand still on its lines, up to rounding, and 4 of them rub."""

    def time() -> float:
        verdict = torsor.check("examples/programs/palletise.v2", "puma560", timing="optimal", signals=False)
        assert verdict.feasible
        return verdict.time

    exact = time()
    solve = chain.six_solved
    for seed in range(2):
        rng = np.random.default_rng(seed)

        def shaken(J: np.ndarray, right: np.ndarray, rng: np.random.Generator = rng) -> np.ndarray:
            return off_by_an_ulp(Along(*[solve(J, right)] * 4), rng).q

        with monkeypatch.context() as patch:
            patch.setattr(chain, "six_solved", shaken)
            assert time() == pytest.approx(exact, rel=1e-6)


def test_a_joint_that_need_not_move_does_not():
    """The joints of a target are found up to rounding; a joint that is there already gets no motion from it."""
    arm = torsor.load("rl15")
    q = np.array([0.1, -0.6, 0.4, 0.2, 0.7, 0.3])
    goal = q + np.array([0.5, 3e-16, 0.0, -2e-16, 0.0, 0.0])
    pieces = list(torsor.motion.plan(arm, [Move("joint", Joints(tuple(goal)), Place("by hand", 1, 1))], start=q))
    motion = pieces[0].trajectory.at(np.linspace(0.0, pieces[0].trajectory.duration, 5))
    assert (motion.qd[:, 1:] == 0.0).all()
    assert motion.qd[2, 0] > 0.0
