"""An arm at rest or in motion: torques, mass matrix, ellipsoids, what its motors feel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torsor import control
from torsor.arm import Arm
from torsor.errors import MissingInertia, Unsupported
from torsor.model.limits import largest, position_limits
from torsor.scene.composing import scene_of
from torsor.studio import recipes
from torsor.studio.asked import AboutArm, AboutState, AskedJoints
from torsor.studio.shelf import Shelf, Telling


def about(shelf: Shelf, progress: Telling, asked: AboutArm) -> dict[str, Any]:
    """What an arm is: its scene, joints with their limits, motors."""
    arm, the = asked.arm, shelf.arm(asked.arm)
    links = the.model.links_on(the.joint_names)
    low, high = position_limits(links)
    with shelf.opened(arm):  # meshes of a file that the user named
        scene = scene_of(the.model, the.closure if the.model.loops else None)
    free = [joint["home"] for joint in scene["joints"] if joint["free"]]
    return {
        "arm": arm,
        "name": the.name,
        "joints": [
            {
                "name": name,
                "unit": "m" if link.joint.kind == "prismatic" else "rad",
                "lower": lo,
                "upper": hi,
                "home": q,
            }
            for name, link, lo, hi, q in zip(the.joint_names, links, low, high, free, strict=True)
        ],
        "tree_joints": list(the.model.joint_names),
        "speed": largest(links, "speed"),
        "torque": largest(links, "torque"),
        "motors": [drive.name for drive in the.model.drives],
        "mass": the.model.total_mass,
        "source": the.model.source,
        "scene": scene,
        "python": recipes.script(recipes.loading(arm), "print(arm)"),
        "command": recipes.command("torsor", "show", arm),
    }


def state(shelf: Shelf, progress: Telling, asked: AboutState) -> dict[str, Any]:
    """All that the page shows beside an arm at q; None where the arm's description does not tell."""
    arm, payload, q = asked.arm, asked.payload, asked.q
    the = shelf.arm(arm, payload)
    still = [0.0] * the.n
    qd, qdd = asked.qd or still, asked.qdd or still
    unknown: list[str] = []

    def known(ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except (Unsupported, MissingInertia) as error:
            if str(error) not in unknown:
                unknown.append(str(error))
            return None

    ellipsoid = control.velocity_ellipsoid(the, q)
    found = {
        "pose": the.pose(q),
        "torque": known(lambda: the.inverse_dynamics(q, qd, qdd)),
        "gravity": known(lambda: the.gravity(q)),
        "mass_matrix": known(lambda: the.mass_matrix(q)),
        "manipulability": control.manipulability(the, q),
        "velocity_ellipsoid": {"radii": ellipsoid.radii, "axes": ellipsoid.axes},
        "motor_torque": None,
        "motor_share": None,
        "effective_inertia": None,
        "tree": the.closure.positions(q) if the.model.loops else list(q),
    }
    if the.model.drives:
        found["motor_torque"] = known(lambda: the.drives.torques(q, qd, qdd))
        found["effective_inertia"] = known(lambda: the.drives.effective_inertia(q))
        found["motor_share"] = known(lambda: _shares(the, found["motor_torque"], q, qd))
    return found | {"unknown": unknown, "python": _python(arm, payload, q, qd, qdd, found), "command": None}


def _shares(arm: Arm, torque: Any, q: AskedJoints, qd: AskedJoints) -> Any:
    """Each motor's torque as a share of what it gives at its speed."""
    if torque is None:
        return None
    low, high = arm.drives.available(arm.drives.rates(q, qd))
    return torque / np.where(torque < 0.0, -low, high)


def _python(
    arm: str, payload: float | None, q: AskedJoints, qd: AskedJoints, qdd: AskedJoints, found: dict[str, Any]
) -> str:
    asked = {
        "torque": "arm.inverse_dynamics(q, qd, qdd)",
        "gravity": "arm.gravity(q)",
        "mass_matrix": "arm.mass_matrix(q)",
        "manipulability": "torsor.control.manipulability(arm, q)",
        "motor_torque": "arm.drives.torques(q, qd, qdd)",
        "effective_inertia": "arm.drives.effective_inertia(q)",
    }
    lines = [f"{name} = {how}" for name, how in asked.items() if found[name] is not None]
    given = f"q, qd, qdd = {recipes.written(q)}, {recipes.written(qd)}, {recipes.written(qdd)}"
    return recipes.script(recipes.loading(arm, payload), given, *lines)
