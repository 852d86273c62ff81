"""Writes a model as URDF. Read again it gives the same torques; what URDF cannot hold is said in its comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from torsor.model import losses
from torsor.model.arm_checks import last_leaf
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import (
    BASE,
    BallShape,
    BoxShape,
    CylinderShape,
    Drive,
    DriveFriction,
    Joint,
    Limits,
    Link,
    MeshShape,
    Motor,
    Visual,
)  # fmt: skip
from torsor.model.transforms import Floats
from torsor.model.urdf import tool_by_name
from torsor.model.urdf_joints import NO_LIMIT
from torsor.model.xml_text import XmlNode, node, number, origin

STANDARD_GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class _Extra:
    """A link on a fixed joint that the model has as a frame, tool or payload."""

    name: str
    parent: str
    placement: Floats
    mass: Mass | None = None


def write_urdf(model: Model) -> str:
    """The text of a URDF; ``files.write_text`` saves it.

    A URDF link's frame sits at its joint, so what follows a joint's motion (the tail of standard DH) moves into the
    joints and inertias beyond it. Tool, payload and named frames become links on fixed joints; a base placed in the
    world gets a root link ``world``. What is lost is listed in the comment at the top and warned of.
    """
    losses.refuse_screws(model, "URDF")
    extras = _extras(model)
    taken = {link.joint.name for link in model.links}
    inside = []
    if not np.array_equal(model.base, np.eye(4)):
        world = _free("world", {model.base_name, *(link.name for link in model.links), *(e.name for e in extras)})
        joint = _fixed(_free(f"{world}_joint", taken), world, model.base_name, model.base)
        inside += [_link(world, None), joint]
    base_shapes = _shapes(model.base_visuals, model.base_collisions, np.eye(4))
    inside.append(_link(model.base_name, model.base_mass, base_shapes))
    for link in model.links:
        mass = link.mass and link.mass.moved(_after(link))
        inside.append(_link(link.name, mass, _shapes(link.visuals, link.collisions, _after(link))))
    inside += [_joint(model, link) for link in model.links]
    for extra in extras:
        inside.append(_link(extra.name, extra.mass))
        inside.append(_fixed(_free(f"{extra.name}_joint", taken), extra.parent, extra.name, extra.placement))
    for drive in model.drives:
        if (own := _driven_link(model, drive)) is not None:
            inside.append(_transmission(drive, own))
    robot = node("robot", inside, name=model.name)
    return losses.written(robot, model, "URDF", _notes(model), urdf_losses(model))


def urdf_losses(model: Model) -> list[str]:
    """What URDF cannot hold of this arm, each in one line."""
    lost = [(f"the {loop.kind} loop (the tree is left open there)", loop.name) for loop in model.loops]
    for drive in model.drives:
        own = _driven_link(model, drive)
        if own is None:
            lost.append(("the drive, which moves several joints", drive.name))
            continue
        at_joint = own.joint.before[:3, :3] @ own.joint.axis
        words = {
            "the place of the rotor (readers put it on the joint's axis)": drive.carrier != own.parent
            or not np.allclose(drive.axis, at_joint, atol=1e-12),
            "the offset of the motor": drive.offset != 0.0,
            "the stages of the gear": bool(drive.stages),
            "the friction of the drive": drive.friction != DriveFriction(),
            "the limits of the motor": drive.motor != Motor(),
        }
        lost += [(word, drive.name) for word, present in words.items() if present]
    if model.allow_nonphysical:
        meant = "that nonphysical inertia is meant (read it with allow_nonphysical=True)"
        lost += [(meant, name) for name in model.nonphysical()]
    texts = losses.grouped(lost + losses.at_tool(model) + losses.bending(model))
    if tuple(model.gravity) != STANDARD_GRAVITY:
        texts.append(f"gravity {model.gravity.tolist()} (URDF has none, readers take 0 0 -9.81)")
    return texts


def _notes(model: Model) -> list[str]:
    joints = [link.joint for link in model.links]
    moved = [link.name for link in model.links if not np.array_equal(_after(link), np.eye(4))]
    notes = {
        f"link frames sit at the joints, not where {model.convention} puts them: {', '.join(moved)}": bool(moved),
        "<limit acceleration> is of URDF 1.2; older readers ignore it": any(
            joint.limits.acceleration is not None for joint in joints
        ),
        f"URDF wants a number for every limit; {number(NO_LIMIT)} stands for none": any(map(_partly_bounded, joints)),
        "revolute joints without position limits are written as continuous": any(
            joint.kind == "revolute" and joint.limits.position is None for joint in joints
        ),
        "<rotorInertia> in transmissions is Torsor's own; other readers ignore it": any(
            drive.rotor_inertia for drive in model.drives
        ),
    }
    return [note for note, present in notes.items() if present]


def _partly_bounded(joint: Joint) -> bool:
    limits = joint.limits
    known = [x is not None for x in (limits.torque, limits.speed)]
    return joint.moves and (not all(known) and (any(known) or joint.kind == "prismatic" or limits.position is not None))


def _after(link: Link) -> Floats:
    """T_joint_link: from the frame URDF has for this link to the model's."""
    return link.joint.after if link.joint.moves else np.eye(4)


def _extras(model: Model) -> list[_Extra]:
    def place(link: int, placement: Floats) -> tuple[str, Floats]:
        if link == BASE:
            return model.base_name, placement
        return model.links[link].name, _after(model.links[link]) @ placement

    names = {model.base_name, *(link.name for link in model.links), *model.frames}
    extras = [_Extra(name, *place(frame.link, frame.placement)) for name, frame in model.frames.items()]
    tool_parent, T_parent_tool = place(model.tool.link, model.tool.placement)
    if model.payload is not None:
        extras.append(_Extra(_free("payload", names), tool_parent, T_parent_tool, model.payload))
    index = {link.name: i for i, link in enumerate(model.links)} | {model.base_name: BASE}
    written = [*(link.name for link in model.links), *(extra.name for extra in extras)]
    chosen = tool_by_name(written)
    if chosen is None:
        chosen = last_leaf([*(link.parent for link in model.links), *(index[extra.parent] for extra in extras)])
    at = [_Extra(link.name, link.name, np.eye(4)) for link in model.links] + extras
    taken = at[chosen]  # by a reader for the tool
    if taken.mass or taken.parent != tool_parent or not np.array_equal(taken.placement, T_parent_tool):
        # a reader that knows the convention takes this link for the tool
        name = "tool0" if "tool0" not in written and model.base_name != "tool0" else "tool"
        extras.append(_Extra(name, tool_parent, T_parent_tool))
    return extras


def _free(wish: str, taken: set[str]) -> str:
    """A name that no one has yet; taken from now on."""
    name = next(name for i in count(1) if (name := wish if i == 1 else f"{wish}{i}") not in taken)
    taken.add(name)
    return name


def _link(name: str, mass: Mass | None, visuals: Iterable[XmlNode] = ()) -> XmlNode:
    inside = []
    if mass is not None:
        I = mass.inertia
        moments = {"ixx": I[0, 0], "ixy": I[0, 1], "ixz": I[0, 2], "iyy": I[1, 1], "iyz": I[1, 2], "izz": I[2, 2]}
        at, size = node("origin", xyz=mass.com, rpy="0 0 0"), node("mass", value=mass.mass)
        inside.append(node("inertial", [at, size, node("inertia", **moments)]))
    return node("link", [*inside, *visuals] or None, name=name)


def _shapes(visuals: Iterable[Visual], collisions: Iterable[Visual], T: Floats) -> Iterator[XmlNode]:
    for visual in visuals:
        inside = [*origin(T @ visual.placement), node("geometry", [_shape(visual)])]
        if visual.color is not None:
            inside.append(node("material", [node("color", rgba=visual.color)], name=""))
        yield node("visual", inside)
    for touching in collisions:
        yield node("collision", [*origin(T @ touching.placement), node("geometry", [_shape(touching)])])


def _shape(visual: Visual) -> XmlNode:
    match visual.shape:
        case BoxShape(size):
            return node("box", size=size)
        case CylinderShape(radius, length):
            return node("cylinder", radius=radius, length=length)
        case BallShape(radius):
            return node("sphere", radius=radius)
        case MeshShape(uri, _, scale):
            return node("mesh", filename=uri, scale=scale)


def _fixed(name: str, parent: str, child: str, T: Floats) -> XmlNode:
    inside = [*origin(T), node("parent", link=parent), node("child", link=child)]
    return node("joint", inside, name=name, type="fixed")


def _joint(model: Model, link: Link) -> XmlNode:
    joint = link.joint
    parent = None if link.parent == BASE else model.links[link.parent]
    at = joint.before if parent is None else _after(parent) @ joint.before
    parent_name = model.base_name if parent is None else parent.name
    if not joint.moves:
        return _fixed(joint.name, parent_name, link.name, at @ joint.after)
    inside = [*origin(at), node("parent", link=parent_name), node("child", link=link.name)]
    inside.append(node("axis", xyz=joint.axis))
    if joint.limits != Limits() or joint.kind == "prismatic":
        inside.append(_limit(joint))
    if joint.friction.viscous or joint.friction.coulomb:
        inside.append(node("dynamics", damping=joint.friction.viscous, friction=joint.friction.coulomb))
    if (mimic := joint.mimic) is not None:
        inside.append(node("mimic", joint=mimic.joint, multiplier=mimic.factor, offset=mimic.offset))
    unbounded = joint.kind == "revolute" and joint.limits.position is None
    return node("joint", inside, name=joint.name, type="continuous" if unbounded else joint.kind)


def _limit(joint: Joint) -> XmlNode:
    limits = joint.limits
    lower = upper = None
    if joint.kind == "prismatic" or (joint.kind == "revolute" and limits.position is not None):
        lower, upper = limits.position or (-NO_LIMIT, NO_LIMIT)
    effort, velocity = (NO_LIMIT if limit is None else limit for limit in (limits.torque, limits.speed))
    return node("limit", lower=lower, upper=upper, effort=effort, velocity=velocity, acceleration=limits.acceleration)


def _driven_link(model: Model, drive: Drive) -> Link | None:
    """The link a drive moves when it moves only one."""
    moved = np.flatnonzero(drive.ratio)
    return model.independent[moved[0]] if len(moved) == 1 else None


def _transmission(drive: Drive, own: Link) -> XmlNode:
    motor = [node("mechanicalReduction", number(drive.ratio[np.flatnonzero(drive.ratio)[0]]))]
    if drive.rotor_inertia:
        motor.append(node("rotorInertia", number(drive.rotor_inertia)))
    kind = node("type", "transmission_interface/SimpleTransmission")
    inside = [kind, node("joint", name=own.joint.name), node("actuator", motor, name=drive.name)]
    return node("transmission", inside, name=f"{drive.name}_transmission")
