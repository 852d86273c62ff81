"""Writes a model as URDF. Read again it gives the same torques; what URDF cannot hold is said in its comment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.errors import Unsupported
from torsor.model import losses
from torsor.model.build import last_leaf
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, DriveFriction, Joint, Limits, Link, Motor
from torsor.model.transforms import Floats
from torsor.model.urdf import NO_LIMIT, tool_by_name
from torsor.model.xml_text import XmlText, number

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
    for link in model.links:
        if link.joint.kind == "screw":
            raise Unsupported(
                f"joint {link.joint.name!r} is a screw, which URDF does not have", hint="export an arm without it"
            )
    extras = _extras(model)
    lost = urdf_losses(model)
    xml = XmlText()
    losses.write_header(xml, model, _notes(model), lost)
    xml.begin("robot", name=model.name)
    free = _FreeNames([link.joint.name for link in model.links])
    if not np.array_equal(model.base, np.eye(4)):
        world = _FreeNames([model.base_name, *(link.name for link in model.links), *(e.name for e in extras)]).take(
            "world"
        )
        _link(xml, world, None)
        _fixed(xml, free.take(f"{world}_joint"), world, model.base_name, model.base)
    _link(xml, model.base_name, model.base_mass)
    for link in model.links:
        _link(xml, link.name, None if link.mass is None else link.mass.moved(_after(link)), link)
    for link in model.links:
        _joint(xml, model, link)
    for extra in extras:
        _link(xml, extra.name, extra.mass)
        _fixed(xml, free.take(f"{extra.name}_joint"), extra.parent, extra.name, extra.placement)
    for drive in model.drives:
        if np.count_nonzero(drive.ratio) == 1:
            _transmission(xml, model, drive)
    xml.end()
    losses.warn(model, "URDF", lost)
    return str(xml)


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
            "the friction of the drive": drive.friction != DriveFriction(),
            "the limits of the motor": drive.motor != Motor(),
        }
        lost += [(word, drive.name) for word, present in words.items() if present]
    if model.allow_nonphysical:
        lost += [
            ("that nonphysical inertia is meant (read it with allow_nonphysical=True)", name)
            for name in model.nonphysical()
        ]
    texts = losses.grouped(lost)
    if tuple(model.gravity) != STANDARD_GRAVITY:
        texts.append(f"gravity {model.gravity.tolist()} (URDF has none, readers take 0 0 -9.81)")
    return texts


def _notes(model: Model) -> list[str]:
    notes = []
    moved = [link.name for link in model.links if not np.array_equal(_after(link), np.eye(4))]
    if moved:
        notes.append(f"link frames sit at the joints, not where {model.convention} puts them: {', '.join(moved)}")
    if any(link.joint.limits.acceleration is not None for link in model.links):
        notes.append("<limit acceleration> is of URDF 1.2; older readers ignore it")
    if any(_is_partly_bounded(link.joint) for link in model.links):
        notes.append(f"URDF wants a number for every limit; {number(NO_LIMIT)} stands for none")
    if any(link.joint.kind == "revolute" and link.joint.limits.position is None for link in model.links):
        notes.append("revolute joints without position limits are written as continuous")
    if any(drive.rotor_inertia for drive in model.drives):
        notes.append("<rotorInertia> in transmissions is Torsor's own; other readers ignore it")
    return notes


def _is_partly_bounded(joint: Joint) -> bool:
    limits = joint.limits
    known = [x is not None for x in (limits.torque, limits.speed)]
    return joint.moves and (not all(known) and (any(known) or joint.kind == "prismatic" or limits.position is not None))


def _after(link: Link) -> Floats:
    """T_joint_link: from the frame URDF has for this link to the model's."""
    return link.joint.after if link.joint.moves else np.eye(4)


def _extras(model: Model) -> list[_Extra]:
    names = _FreeNames([model.base_name, *(link.name for link in model.links), *model.frames])

    def place(link: int, placement: Floats) -> tuple[str, Floats]:
        if link == BASE:
            return model.base_name, placement
        return model.links[link].name, _after(model.links[link]) @ placement

    extras = [_Extra(name, *place(frame.link, frame.placement)) for name, frame in model.frames.items()]
    tool_parent, T_parent_tool = place(model.tool.link, model.tool.placement)
    if model.payload is not None:
        extras.append(_Extra(names.take("payload"), tool_parent, T_parent_tool, model.payload))
    index = {link.name: i for i, link in enumerate(model.links)} | {model.base_name: BASE}
    written = [*(link.name for link in model.links), *(extra.name for extra in extras)]
    parents = [*(link.parent for link in model.links), *(index[extra.parent] for extra in extras)]
    chosen = tool_by_name(written)
    if chosen is None:
        chosen = last_leaf(parents)
    at = [(link.name, np.eye(4)) for link in model.links] + [(extra.parent, extra.placement) for extra in extras]
    parent, placement = at[chosen]
    is_payload = chosen >= len(model.links) and extras[chosen - len(model.links)].mass is not None
    if is_payload or parent != tool_parent or not np.array_equal(placement, T_parent_tool):
        # a reader that knows the convention takes this link for the tool
        name = "tool0" if "tool0" not in written and model.base_name != "tool0" else "tool"
        extras.append(_Extra(name, tool_parent, T_parent_tool))
    return extras


class _FreeNames:
    """Gives names that no one has yet."""

    def __init__(self, taken: list[str]) -> None:
        self._taken = set(taken)

    def take(self, wish: str) -> str:
        name, i = wish, 2
        while name in self._taken:
            name, i = f"{wish}{i}", i + 1
        self._taken.add(name)
        return name


def _link(xml: XmlText, name: str, mass: Mass | None, link: Link | None = None) -> None:
    visuals = () if link is None else link.visuals
    if mass is None and not visuals:
        xml.element("link", name=name)
        return
    xml.begin("link", name=name)
    if mass is not None:
        xml.begin("inertial")
        xml.element("origin", xyz=mass.com, rpy="0 0 0")
        xml.element("mass", value=mass.mass)
        I = mass.inertia
        xml.element("inertia", ixx=I[0, 0], ixy=I[0, 1], ixz=I[0, 2], iyy=I[1, 1], iyz=I[1, 2], izz=I[2, 2])
        xml.end()
    for visual in visuals:
        xml.begin("visual")
        if link is not None:
            xml.origin(_after(link) @ visual.placement)
        xml.begin("geometry")
        xml.element("mesh", filename=visual.uri, scale=visual.scale)
        xml.end()
        xml.end()
    xml.end()


def _fixed(xml: XmlText, name: str, parent: str, child: str, T: Floats) -> None:
    xml.begin("joint", name=name, type="fixed")
    xml.origin(T)
    xml.element("parent", link=parent)
    xml.element("child", link=child)
    xml.end()


def _joint(xml: XmlText, model: Model, link: Link) -> None:
    joint = link.joint
    parent = None if link.parent == BASE else model.links[link.parent]
    origin = joint.before if parent is None else _after(parent) @ joint.before
    parent_name = model.base_name if parent is None else parent.name
    if not joint.moves:
        _fixed(xml, joint.name, parent_name, link.name, origin @ joint.after)
        return
    unbounded = joint.kind == "revolute" and joint.limits.position is None
    xml.begin("joint", name=joint.name, type="continuous" if unbounded else joint.kind)
    xml.origin(origin)
    xml.element("parent", link=parent_name)
    xml.element("child", link=link.name)
    xml.element("axis", xyz=joint.axis)
    if joint.limits != Limits() or joint.kind == "prismatic":
        _limit(xml, joint)
    if joint.friction.viscous or joint.friction.coulomb:
        xml.element("dynamics", damping=joint.friction.viscous, friction=joint.friction.coulomb)
    if joint.mimic is not None:
        xml.element("mimic", joint=joint.mimic.joint, multiplier=joint.mimic.factor, offset=joint.mimic.offset)
    xml.end()


def _limit(xml: XmlText, joint: Joint) -> None:
    limits = joint.limits
    lower = upper = None
    if joint.kind == "prismatic" or (joint.kind == "revolute" and limits.position is not None):
        lower, upper = limits.position or (-NO_LIMIT, NO_LIMIT)
    xml.element(
        "limit",
        lower=lower,
        upper=upper,
        effort=NO_LIMIT if limits.torque is None else limits.torque,
        velocity=NO_LIMIT if limits.speed is None else limits.speed,
        acceleration=limits.acceleration,
    )


def _driven_link(model: Model, drive: Drive) -> Link | None:
    """The link a drive moves when it moves only one."""
    moved = np.flatnonzero(drive.ratio)
    return model.independent[moved[0]] if len(moved) == 1 else None


def _transmission(xml: XmlText, model: Model, drive: Drive) -> None:
    own = _driven_link(model, drive)
    if own is None:
        return
    xml.begin("transmission", name=f"{drive.name}_transmission")
    xml.content("type", "transmission_interface/SimpleTransmission")
    xml.element("joint", name=own.joint.name)
    xml.begin("actuator", name=drive.name)
    xml.content("mechanicalReduction", number(drive.ratio[np.flatnonzero(drive.ratio)[0]]))
    if drive.rotor_inertia:
        xml.content("rotorInertia", number(drive.rotor_inertia))
    xml.end()
    xml.end()
