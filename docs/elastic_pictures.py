"""Pictures of elastic arms: bent over their rigid shadow, swinging in a mode, along a program."""

from __future__ import annotations

import time

import numpy as np
from PIL import Image

import torsor

TOUR = "examples/programs/rl15_tour.irl"
BENT = [-30, -35, 65, -100, -90, 0]  # degrees, of the UR5, stretched out enough to hang


def bent(camera, alone, look):
    """The UR5 as its weight bends it, the factor printed below it."""
    arm = torsor.load("ur5-elastic")
    alone(camera, arm.show(np.deg2rad(BENT), bent=True), look, 800, 560, margin=0.16)
    camera.js("torsor.bends.setFactor(30)")
    return camera.taken()


def mode(camera, alone, look):
    """SIMASEA's arm where its third mode has gone farthest, its loop closed."""
    arm = torsor.load("asea-irb")
    shown = arm.show(np.radians([45.46, 106.92, -165.0, 60.0, 40.0, 131.95]), bent=True)
    alone(camera, shown, look, 800, 560, margin=0.12)
    camera.js("torsor.bends.show(0, 2); torsor.bends.setPhase(Math.PI / 2)")
    return camera.taken()


def swinging(camera):
    """The page of the Lola 15's program, shaped."""
    page = camera.folder / "page.html"
    torsor.vibrate(TOUR, "rl15-elastic", shape="ZVD").report(page)
    camera.open(page.as_uri(), 1180, 1250, 1.0)
    camera.js("torsor.bends.setFactor(100); torsor.setTime(14.75)")
    time.sleep(2.0)  # until its plots are drawn
    return camera.taken()


def stressed(camera, alone, look):
    """The Lola 15 where its upper arm carries most, coloured by stress."""
    found = torsor.vibrate(TOUR, "rl15-elastic")
    worst = found.stress.worst.time
    alone(camera, found.report, look, 800, 560, margin=0.14, at=worst)
    camera.js("""
        torsor.bends.setColour(1);
        torsor.bends.setFactor(50);
        document.querySelectorAll(".mark").forEach((mark) => mark.remove());
    """)
    return camera.taken()


def figure(camera):
    """The same as a figure: before and after shaping, frequencies, moves."""
    path = camera.folder / "figure.png"
    torsor.vibrate(TOUR, "rl15-elastic", shape="ZVD").plot(path)
    return Image.open(path).convert("RGB")
