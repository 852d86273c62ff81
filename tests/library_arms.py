"""The arms of the library, as parameters of tests: those that are others in other words wait for ``make sweep``."""

import pytest

import torsor

AGAIN = ("irb140-screws", "puma560-akb", "puma560-burdick", "rl15-elastic", "ur5-elastic", "elastic-arm2")
# arms of today's makers: of the kinds that others of the library are of
AGAIN += (
    "ur5e",
    "ur10e",
    "kr6-r900-2",
    "kr210-r2700-2",
    "fr3",
    "gen3",
    "irb120",
    "irb1200",
    "irb2600",
    "irb4600",
    "irb6640",
)


# one that turns in a plane, one that slides, one with parallel joints and one with a loop
FEW = ("planar2", "scara", "ur5", "asea-irb")


def with_masses(name):
    return not torsor.load(name).model.links_without_inertia


WITH_MASSES = tuple(filter(with_masses, torsor.robots()))


def library(chosen=lambda name: True, *, few=False, massless=False):
    """Names of arms, each of which a test takes as its parameter; of ``few`` all others wait too.

    Of arms without masses only with ``massless``: they have kinematics, and no dynamics.
    """
    names = filter(chosen, torsor.robots() if massless else WITH_MASSES)
    later = {name for name in torsor.robots() if name in AGAIN or (few and name not in FEW)}
    return [pytest.param(name, marks=[pytest.mark.slow] * (name in later), id=name) for name in names]


def without_loops(name):
    return not torsor.load(name).model.loops
