"""The tables of ``torsor show`` on links and joints."""

from __future__ import annotations

from math import degrees

import numpy as np

from torsor.cli.printing import direction, in_degrees, number, numbers, print_table
from torsor.model import BASE, Joint, Limits, Link, Model
from torsor.model.transforms import Floats, rpy_of


def print_tables(model: Model) -> None:
    _print_links(model)
    _print_masses(model)
    _print_limits(model)


def _print_links(model: Model) -> None:
    """Where each joint is, in the words the arm was written with."""
    tree = [(link.name, model.link_name(link.parent), link.joint.name, _kind(link.joint)) for link in model.links]
    head = ["link", "parent", "joint", "kind"]
    if any(link.dh is not None for link in model.links):
        rows = [(*row, *_dh_row(link)) for row, link in zip(tree, model.links, strict=True)]
        print_table(f"Links ({model.convention})", [*head, *numbers("a m", "alpha deg", "d m", "angle deg")], rows)
        return
    print_table("Links", head, tree)
    if model.convention == "screws":
        titles = ["joint", "axis", *numbers("through x m", "y m", "z m")]
        print_table("Screws at the zero pose, in base axes", titles, _screws(model))
    else:
        titles = ["joint", *numbers("x m", "y m", "z m", "roll deg", "pitch deg", "yaw deg"), "axis"]
        print_table("Placement of the joints on their parents", titles, [_placed(link.joint) for link in model.links])


def _kind(joint: Joint) -> str:
    kind = f"{joint.kind} {number(joint.pitch)} m/rad" if joint.kind == "screw" else str(joint.kind)
    if joint.mimic is None:
        return kind
    shift = f" + {number(joint.mimic.offset)}" if joint.mimic.offset else ""
    return f"{kind} = {number(joint.mimic.factor)} {joint.mimic.joint}{shift}"


def _dh_row(link: Link) -> tuple[str, ...]:
    """The last column is the constant angle about z: the offset of a turning joint, theta of a sliding one."""
    if link.dh is None:
        return ("-",) * 4
    return number(link.dh.a), in_degrees(link.dh.alpha), number(link.dh.d), in_degrees(link.dh.offset)


def _placed(joint: Joint) -> tuple[str, ...]:
    R, p = joint.before[:3, :3], joint.before[:3, 3]
    axis = direction(joint.axis) if joint.moves else "-"
    return joint.name, *map(number, p), *map(in_degrees, rpy_of(R)), axis


def _screws(model: Model) -> list[tuple[str, ...]]:
    def at_zero(index: int) -> Floats:
        """T_base_link with all joints at zero."""
        T = np.eye(4)
        while index != BASE:
            link = model.links[index]
            index, T = link.parent, link.joint.before @ link.joint.after @ T
        return T

    rows = []
    for link in model.links:
        T = at_zero(link.parent) @ link.joint.before
        axis = direction(T[:3, :3] @ link.joint.axis) if link.joint.moves else "-"
        rows.append((link.joint.name, axis, *map(number, T[:3, 3])))
    return rows


def _print_masses(model: Model) -> None:
    body, tensor = [], []
    for name, mass in ((link.name, link.mass) for link in model.links):
        I = None if mass is None else mass.inertia
        body.append((name, *("-" * 4 if mass is None else map(number, (mass.mass, *mass.com)))))
        tensor.append((name, *("-" * 6 if I is None else map(number, (*np.diag(I), I[0, 1], I[0, 2], I[1, 2])))))
    print_table("Mass and its centre, in link axes", ["link", *numbers("mass kg", "x m", "y m", "z m")], body)
    titles = ["link", *numbers("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")]
    print_table("Inertia about the centre of mass, in link axes, kg m^2", titles, tensor)


def _print_limits(model: Model) -> None:
    rows = []
    for link in model.links:
        limits = link.joint.limits
        if limits == Limits():
            continue
        slides = link.joint.kind == "prismatic"
        low, high = limits.position or (None, None)
        in_unit = [x if x is None or slides else degrees(x) for x in (low, high, limits.speed, limits.acceleration)]
        rows.append((link.joint.name, *map(number, in_unit), number(limits.torque), "m, N" if slides else "deg, N m"))
    head = ["joint", *numbers("from", "to", "speed /s", "accel /s^2", "torque"), "units"]
    print_table("Limits", head, rows)
