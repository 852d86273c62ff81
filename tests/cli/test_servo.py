"""``torsor servo``."""

import json

import numpy as np

import torsor
from torsor import control


def test_the_command(run, tmp_path):
    document = json.loads(run("servo", "irb6", "--bandwidth", "20", "--json").out)
    gains = control.servo_gains(torsor.load("irb6"), 20.0, 0.7)
    np.testing.assert_allclose(document["Kp"], gains.Kp)
    np.testing.assert_allclose(document["worst"], gains.worst)
    ran = run("servo", "irb6", "--map", tmp_path / "m.gif")
    assert (ran.code, ran.err) == (2, f"cannot draw to {tmp_path}/m.gif; give a path that ends in .png, .svg or .pdf\n")
    ran = run("servo", "irb6", "--map", tmp_path / "m.svg")
    assert ran.out.splitlines()[1] == "Servos of irb6: 30 1/s, damping 0.7 where inertia is most"
    assert (tmp_path / "m.svg").is_file()


def test_an_arm_without_motors(run):
    ran = run("servo", "planar2")
    assert (ran.code, ran.err) == (2, "'planar2' has no drives; describe them with [[drive]] in its arm file\n")
