"""Small studies that tests share; bases are made once, because kernels are compiled for them."""

import os
import signal
import time
from functools import cache

import torsor
from torsor.arm import Arm
from torsor.model.armfile import parse_arm_file
from torsor.scenarios import parse
from torsor.study import CheckBase, Normal, QuantityBase, SimulationBase, Study, Uniform
from torsor.study.base import ChunkOutcome, StudyOutput

# Two links, motors with coupled gears and all kinds of friction, at the shaft and at the joint: small, so quick to
# compile.
ARM = """
name = "two"
frames = "standard-dh"
base = { rpy = ["90 deg", 0, 0] }
[[link]]
joint = "revolute"
a = 1.0
mass = 4.0
com = [-0.5, 0, 0]
inertia = [0, 0.3, 0.3]
limits = { speed = 2.0, acceleration = 4.0, torque = 400 }
[[link]]
joint = "revolute"
a = 0.8
mass = 3.0
com = [-0.4, 0, 0]
inertia = [0, 0.2, 0.2]
limits = { speed = 2.0, acceleration = 4.0 }
[[drive]]
ratio = { joint1 = 100.0 }
rotor = { inertia = 0.001, carrier = "base", axis = [0, 0, 1] }
motor = { torque = 2.4, speed = "3000 rpm", curve = [["1000 rpm", 2.4], ["3000 rpm", 1.5]] }
friction = { side = "motor", viscous = 0.0002, coulomb = 0.05, load = 0.1 }
[[drive]]
ratio = { joint1 = 1.0, joint2 = 80.0 }
rotor = { inertia = 0.0005, carrier = "link1", axis = [0, 0, 1] }
motor = { torque = 0.9, speed = "3000 rpm" }
friction = { side = "joint", viscous = 0.5, coulomb = [3.0, 4.0], load = 0.05 }
"""
PROGRAM = """.PROGRAM two()
  MOVE #PPOINT(40, -20)
  MOVE #PPOINT(-70, 60)
  MOVE #PPOINT(10, -80)
.END
"""
STEP = """
name = "a step"
arm = "planar2"
duration = 0.5
start = { q = ["30 deg", 0] }
law = { kind = "pd-gravity", Kp = 50, Kd = 20 }
reference = { kind = "point", q = [0, 0] }
"""


@cache
def check_base():
    return CheckBase.of(torsor.programs.parse(PROGRAM, "VAL II", file="two.v2"), Arm(parse_arm_file(ARM)))


@cache
def simulation_base():
    return SimulationBase.of(parse(STEP))


@cache
def quantity_base():
    return QuantityBase.of("planar2", quantities=("manipulability",))


def studies():
    """One of each kind whose base runs in kernels, by name."""
    return {
        "check": Study(check_base(), {"payload": [0.0, 2.0], "friction": Normal(1.0, 0.2)}, samples=9, chunk=4),
        "simulation": Study(simulation_base(), {"Kp": Uniform(20, 80), "payload": Uniform(0, 1)}, samples=11, chunk=4),
        "quantity": Study(quantity_base(), quantity_base().whole(), samples=50, design="sobol", chunk=13),
    }


class Squares:
    """A base of the tests: x squared; the process dies at the first sight of ``deadly`` while ``mark`` is there."""

    kind, in_python, chunk = "squares", True, 5
    variable, outputs, usual = {"x": ""}, {"y": StudyOutput("", "")}, ("y",)

    def __init__(self, mark=None, deadly=7, arm="none", pause=0.0):
        self.mark, self.deadly, self.contents, self.pause = mark, deadly, {"arm": arm}, pause

    def settled(self, inputs):
        return self

    def evaluate(self, inputs, outputs):
        time.sleep(self.pause)
        if self.mark is not None and (inputs["x"] == self.deadly).any() and os.path.exists(self.mark):
            os.remove(self.mark)
            os.kill(os.getpid(), signal.SIGKILL)
        return ChunkOutcome({"y": inputs["x"] ** 2})
