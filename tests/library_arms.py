"""The arms of the library, as parameters of tests: those that are others in other words wait for ``make sweep``."""

import pytest

import torsor

AGAIN = ("irb140-screws", "puma560-akb", "puma560-burdick", "rl15-elastic", "ur5-elastic", "elastic-arm2")


def library(chosen=lambda name: True):
    """Names of arms, each of which a test takes as its parameter."""
    names = filter(chosen, torsor.robots())
    return [pytest.param(name, marks=[pytest.mark.slow] * (name in AGAIN), id=name) for name in names]


def without_loops(name):
    return not torsor.load(name).model.loops
