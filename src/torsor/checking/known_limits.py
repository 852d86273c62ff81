"""What the description of an arm gives to judge by. What it does not give is not judged, and that is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from torsor.checking.checked_arm import CheckedArm

MOST_NAMES = 6
CURE = "<inertial> in its URDF, or an arm file that stands on it (base = ...) and gives masses, makes them known"


@dataclass(frozen=True)
class Known:
    """Which limits the description of the arm gives, and whether its masses; without them nothing can be said."""

    torque: bool  # limits of torque, and what it is: masses are known, too
    speed: bool
    acceleration: bool
    position: bool
    masses: bool = True
    left_out: tuple[str, ...] = ()  # links whose masses are not known, at the ends of the arm
    notes: tuple[str, ...] = ()  # what the verdict cannot speak of, and what it takes instead

    @classmethod
    def of(cls, machine: CheckedArm) -> Known:
        low, high = machine.positions
        limited = any(machine.bounded) or bool(machine.at_motors and np.isfinite(machine.joint_torques).any())
        known = {
            "torque": machine.weighed and limited,
            "speed": bool(np.isfinite(machine.speeds).any() or np.isfinite(machine.motor_speeds).any()),
            "acceleration": bool(np.isfinite(machine.accelerations).any()),
            "position": bool(np.isfinite(low).any() or np.isfinite(high).any()),
        }
        limits = known | {"torque": limited}
        return cls(
            **known,
            masses=machine.weighed,
            left_out=machine.left_out,
            notes=(*_of_masses(machine), *_of_limits(machine, limits)),
        )

    @property
    def brief(self) -> str:
        """Why nothing is said of torques."""
        return self.notes[0] if self.masses else "torques are not judged, for masses of its links are not known"

    @property
    def document(self) -> dict[str, bool]:
        return {name: getattr(self, name) for name in ("torque", "speed", "acceleration", "position", "masses")}


def _of_masses(machine: CheckedArm) -> Iterator[str]:
    if names := machine.unweighed:
        links = "link" if len(names) == 1 else "links"
        what = "torques, power and energy are not judged, all else is"
        yield f"masses of {links} {few(names)} are not known: {what}; {CURE}"
    if machine.left_out:
        yield f"masses of {few(machine.left_out)} are not known and left out: what motors must give is at least this"
    drives = machine.model.drives
    if drives and not machine.at_motors:
        count = f"its {len(drives)} drives are not one for each of its {len(machine.joints)} joints"
        yield f"{count}: it is judged at its joints, without rotors, gears and friction of motors"


def _of_limits(machine: CheckedArm, limits: dict[str, bool]) -> Iterator[str]:
    missing = [name for name in ("torque", "speed", "position") if not limits[name]]
    if missing:
        given = [name for name, is_known in limits.items() if is_known and (machine.weighed or name != "torque")]
        kept = f"only limits of {listed(given)} are checked" if given else "nothing is checked against limits"
        yield f"no limits of {listed(missing)} are known: {kept}"
    if limits["torque"] and machine.unbounded:
        yield f"no limit of torque is known of {few(machine.unbounded)}: what they are asked for is not judged"
    unlimited = [name for name, speed in zip(machine.joints, machine.speeds, strict=True) if np.isinf(speed)]
    if limits["speed"] and unlimited and np.isinf(machine.motor_speeds).any():
        yield f"no limit of speed is known of {few(unlimited)}: how fast they move is not judged"
    if machine.of_joints:
        yield f"{few(machine.of_joints)} has no limit of torque of its own: that of its joint counts, through its gear"


def few(names: Sequence[str]) -> str:
    """
    >>> few(["a", "b"]), few(list("abcdefgh"))
    ('a, b', 'a, b, c, d, e, f and 2 more')
    """
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def listed(names: Sequence[str]) -> str:
    """
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
