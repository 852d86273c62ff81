"""What can be changed of an arm in a study, and what each change means: the one owner of these names.

========================  =============================================================================================
payload                   kg that it holds at its tool point, instead of the payload of its file
mass, mass.LINK           a factor on masses and inertias of all links, or of one
inertia.LINK              a factor on the inertia of a link about its centre of mass
centre.LINK.x, .y, .z     m by which the centre of mass of a link lies elsewhere, in its axes
friction, friction.MOTOR  a factor on all friction, or on that of one drive (of one joint, where an arm has no drives)
motor, motor.MOTOR        a factor on the torque that motors can give, at every speed, or on that of one
========================  =============================================================================================

Factors multiply: the links of ``mass`` are those of ``mass.LINK`` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from torsor.arm import Arm
from torsor.errors import StudyError
from torsor.model import ranges
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import Drive, DriveFriction, Link, Motor

PAYLOAD = "payload"
MASS, FRICTION, MOTOR = "mass", "friction", "motor"
INERTIA, CENTRE = "inertia", "centre"

FARTHEST = ranges.SensibleRange(-10.0, 10.0, "m")  # that a centre of mass is moved by


def changes_of(arm: Arm) -> dict[str, str]:
    """What can be changed of an arm, by name, and what it is."""
    model = arm.model
    found = {PAYLOAD: "kg, held at the tool point"}
    found |= {MASS: "factor, of all links", FRICTION: "factor, of all friction", MOTOR: "factor, of all motor torques"}
    for name in (link.name for link in model.links if link.mass is not None):
        found |= {f"{MASS}.{name}": f"factor, of {name}", f"{INERTIA}.{name}": f"factor, of the inertia of {name}"}
        found |= {f"{CENTRE}.{name}.{axis}": f"m, moves the centre of mass of {name} along {axis}" for axis in "xyz"}
    for name in _drivers(model):
        found |= {f"{FRICTION}.{name}": f"factor, of friction at {name}", f"{MOTOR}.{name}": f"factor, of {name}"}
    return found


def changed(arm: Arm, values: Mapping[str, float]) -> Arm:
    """The arm with changes, each by its name.

    >>> import torsor
    >>> arm = changed(torsor.load("rl15"), {"payload": 5.0, "mass.link6": 2.0, "motor": 0.5})
    >>> arm.model.payload.mass, arm.model.links[5].mass.mass, arm.drives.available([0.0] * 6)[1].tolist()[:1]
    (5.0, 22.0, [8.9])
    """
    if not values:
        return arm
    known = changes_of(arm)
    for name, value in values.items():
        if name not in known:
            raise StudyError(f"{arm.name!r} has no {name!r} to change", hint=f"known: {', '.join(known)}")
        sensible_range(name).refuse(name, value)

    def factor(kind: str, own: str) -> float:
        return float(values.get(kind, 1.0)) * float(values.get(f"{kind}.{own}", 1.0))

    def of_link(link: Link) -> Link:
        joint, times = link.joint, factor(FRICTION, link.joint.name)
        if times != 1.0:
            own = joint.friction
            joint = replace(joint, friction=replace(own, viscous=times * own.viscous, coulomb=times * own.coulomb))
        if not model.drives and (times := factor(MOTOR, joint.name)) != 1.0 and joint.limits.torque is not None:
            joint = replace(joint, limits=replace(joint.limits, torque=times * joint.limits.torque))
        mass = _heavier(link.mass, factor(MASS, link.name), float(values.get(f"{INERTIA}.{link.name}", 1.0)))
        shift = [float(values.get(f"{CENTRE}.{link.name}.{axis}", 0.0)) for axis in "xyz"]
        if mass is not None and any(shift):
            mass = Mass(mass.mass, mass.com + shift, mass.inertia)
        return replace(link, mass=mass, joint=joint)

    def of_drive(drive: Drive) -> Drive:
        friction = _rougher(drive.friction, factor(FRICTION, drive.name))
        return replace(drive, friction=friction, motor=_stronger(drive.motor, factor(MOTOR, drive.name)))

    model = arm.model
    if any(name != PAYLOAD for name in values):
        drives = tuple(map(of_drive, model.drives))
        arm = Arm(replace(model, links=tuple(map(of_link, model.links)), drives=drives))
    return arm.with_payload(values[PAYLOAD]) if PAYLOAD in values else arm


def adds_up(name: str) -> bool:
    """Whether torques are a sum of parts, of which a change takes so many times more."""
    return name.split(".")[0] not in (INERTIA, CENTRE)


def _drivers(model: Model) -> list[str]:
    """Who gives torque: motors, or joints where an arm has no drives."""
    return [drive.name for drive in model.drives] or list(model.joint_names)


def sensible_range(name: str) -> ranges.SensibleRange:
    """Of what a change may be."""
    kind = name.split(".")[0]
    return ranges.PAYLOAD if kind == PAYLOAD else FARTHEST if kind == CENTRE else ranges.FACTOR_OR_NONE


def _heavier(mass: Mass | None, times: float, inertia: float) -> Mass | None:
    if mass is None or (times == 1.0 and inertia == 1.0):
        return mass
    return Mass(times * mass.mass, mass.com, times * inertia * mass.inertia)


def _rougher(law: DriveFriction, times: float) -> DriveFriction:
    if times == 1.0:
        return law
    coulomb = times * law.coulomb[0], times * law.coulomb[1]
    starting = None if law.starting is None else (times * law.starting[0], times * law.starting[1])
    return replace(law, viscous=times * law.viscous, coulomb=coulomb, starting=starting, load=times * law.load)


def _stronger(motor: Motor, times: float) -> Motor:
    """All bounds of its torque times as high: of current, of the curve, and by the resistance that of the voltage."""
    if times == 1.0:
        return motor

    def larger(value: float | None) -> float | None:
        return None if value is None else times * value

    back_emf = motor.torque_constant if motor.back_emf is None and motor.voltage is not None else motor.back_emf
    return replace(
        motor,
        torque=larger(motor.torque),
        current=larger(motor.current),
        continuous=larger(motor.continuous),
        curve=tuple((speed, times * torque) for speed, torque in motor.curve),
        resistance=None if motor.resistance is None else motor.resistance / times,
        back_emf=back_emf,
    )
