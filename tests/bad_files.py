"""Bad arm files and URDFs, each with the exact words Torsor has for it. Readers and the command line are held to them."""

# ruff: noqa: E501  (messages are kept whole)

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class BadFile:
    """``message`` is the whole text of the error after the name of the file: line, column, problem and hint."""

    name: str
    suffix: str
    message: str
    make: Callable[[Path], object]  # writes the file

    def write(self, folder: Path) -> Path:
        path = folder / f"arm{self.suffix}"
        self.make(path)
        return path

    def __str__(self) -> str:
        return f"{self.suffix[1:]}: {self.name}"


def toml(name: str, text: str, message: str) -> BadFile:
    return BadFile(name, ".toml", message, lambda path: path.write_text(text, encoding="utf-8"))


def urdf(name: str, text: str, message: str) -> BadFile:
    return BadFile(name, ".urdf", message, lambda path: path.write_text(text, encoding="utf-8"))


def raw(name: str, suffix: str, content: bytes, message: str) -> BadFile:
    return BadFile(name, suffix, message, lambda path: path.write_bytes(content))


def huge(path: Path) -> None:
    """100 MB that take no room on the disk."""
    path.touch()
    os.truncate(path, 100_000_000)


DH = 'name = "arm"\nframes = "standard-dh"\n'
PLACED = 'name = "arm"\nframes = "placements"\n'
SCREWS = 'name = "arm"\nframes = "screws"\n'
LINK = '[[link]]\njoint = "revolute"\na = 1\nmass = 1\n'

BAD_ARM_FILES = [
    toml("an empty file", "", ': the file is empty; an arm file begins with name = "..." and frames = "..."'),
    toml(
        "nothing but a comment",
        "# nothing\n",
        ': the file is empty; an arm file begins with name = "..." and frames = "..."',
    ),
    toml(
        "a text that is not closed",
        'name = "arm\n',
        ":1:12: a text is not closed on this line; end it with the quote it began with",
    ),
    toml("a file cut off in a list", DH + "[[link]]\ncom = [0, 0", ":4: a list is not closed; the file ends too early"),
    toml(
        "a file cut off in a header", DH + "[[link", ":3: the name of a table is not closed; write [table] or [[table]]"
    ),
    toml(
        "no equals sign", 'name = "arm"\nframes standard-dh\n', ":2:8: there is no = after the key; write key = value"
    ),
    toml(
        "a key given twice",
        'name = "arm"\nname = "b"\n',
        ":2:11: this key was already given; each key stands once in a table",
    ),
    toml("a table given twice", DH + "[tool]\n[tool]\n" + LINK, ":4:6: table [tool] was already given; join the two"),
    toml(
        "brackets nested without end", "a = " + "[" * 5000, ":1: brackets are nested hundreds deep; this is no arm file"
    ),
    toml(
        "an unknown key at the top",
        DH + "gravitiy = [0,0,1]\n" + LINK,
        ":3: unknown key gravitiy; did you mean 'gravity'? known: name, source, corrections, frames, gravity, allow_nonphysical, base, link, frame, tool, drive, loop",
    ),
    toml(
        "an unknown key of a link",
        DH + '[[link]]\njoint = "revolute"\nmas = 1\n',
        ":5: unknown key link[1].mas; did you mean 'mass'? known: mass, com, inertia, about, shape, name, parent, joint, joint_name, pitch, limits, mimic, friction, beam, compliance, a, alpha, d, theta, offset, point, twist, home, position, rpy, rotation, after, axis, visual, collision",
    ),
    toml(
        "an unknown key of limits",
        DH + LINK + "limits = { positon = [0, 1] }\n",
        ":7: unknown key link[1].limits.positon; did you mean 'position'? known: position, speed, acceleration, torque",
    ),
    toml(
        "an unknown key in a table of limits",
        DH + LINK + "[link.limits]\nspede = 1\n",
        ":8: unknown key link[1].limits.spede; did you mean 'speed'? known: position, speed, acceleration, torque",
    ),
    toml(
        "an unknown key of the tool",
        DH + LINK + "[tool]\npos = [0,0,1]\n",
        ":8: unknown key tool.pos; did you mean 'position'? known: position, rpy, rotation, link, payload, limits",
    ),
    toml(
        "an unknown key of the payload",
        DH + LINK + "[tool]\npayload = { weight = 1 }\n",
        ":8: unknown key tool.payload.weight; did you mean 'mass'? known: mass, com, inertia, about, shape",
    ),
    toml(
        "an unknown key of a drive",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\ngear = 3\n",
        ":10: unknown key drive[1].gear; did you mean 'ratio'? known: name, ratio, transmission, "
        "stages, offset, rotor, motor, friction, stiffness, damping, backlash",
    ),
    toml(
        "an unknown key of a rotor",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1, J = 2 }\n",
        ":9: unknown key drive[1].rotor.J; did you mean 'inertia'? known: inertia, carrier, axis",
    ),
    toml(
        "an unknown key of a motor",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\nmotor = { torqe = 2 }\n",
        ":10: unknown key drive[1].motor.torqe; did you mean 'torque'? known: torque, speed, "
        "torque_constant, current, continuous, curve, resistance, back_emf, voltage, thermal",
    ),
    toml(
        "an unknown key of friction",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\nfriction = { viscus = 2 }\n",
        ":10: unknown key drive[1].friction.viscus; did you mean 'viscous'? known: side, viscous, "
        "coulomb, starting, stribeck, load",
    ),
    toml(
        "an unknown key of a loop",
        DH
        + LINK
        + '[[loop]]\njoint = "hinge"\nfirst = { link = "link1" }\nsecond = { link = "base" }\ndriven = ["joint1"]\nkind = 1\n',
        ":12: unknown key loop[1].kind; did you mean 'joint'? known: name, joint, first, second, driven, branch, near, length",
    ),
    toml(
        "an unknown key of the base",
        DH + "base = { xyz = [0,0,0] }\n" + LINK,
        ":3: unknown key base.xyz; did you mean 'position'? known: mass, com, inertia, about, shape, position, rpy, rotation, name, visual, collision",
    ),
    toml(
        "an unknown key of a mimic",
        DH + LINK + LINK + 'mimic = { joint = "joint1", multiplier = 2 }\n',
        ":11: unknown key link[2].mimic.multiplier; did you mean 'factor'? known: joint, factor, offset",
    ),
    toml(
        "an unknown key of a frame",
        DH + LINK + '[[frame]]\nname = "cam"\nlink = "link1"\nxyz = [0,0,0]\n',
        ":10: unknown key frame[1].xyz; did you mean 'position'? known: position, rpy, rotation, name, link",
    ),
    toml(
        "a wrong unit",
        DH + '[[link]]\njoint = "revolute"\nalpha = "90 degs"\n',
        ":5: link[1].alpha is '90 degs'; expected a number, or a text with rad, deg or turn, such as \"90 deg\"",
    ),
    toml(
        "a number in words",
        DH + '[[link]]\njoint = "revolute"\nalpha = "ninety deg"\n',
        ":5: link[1].alpha is 'ninety deg'; expected a number, or a text with rad, deg or turn, such as \"90 deg\"",
    ),
    toml(
        "no space before the unit",
        DH + '[[link]]\njoint = "revolute"\nalpha = "90deg"\n',
        ":5: link[1].alpha is '90deg'; expected a number, or a text with rad, deg or turn, such as \"90 deg\"",
    ),
    toml(
        "an angle for a length",
        DH + '[[link]]\njoint = "revolute"\na = "90 deg"\n',
        ":5: link[1].a is '90 deg'; expected a number, or a text with m or mm, such as \"90 mm\"",
    ),
    toml(
        "NaN degrees",
        DH + '[[link]]\njoint = "revolute"\nalpha = "nan deg"\n',
        ":5: link[1].alpha is 'nan deg'; expected a number, or a text with rad, deg or turn, such as \"90 deg\"",
    ),
    toml(
        "a mass with a unit",
        DH + '[[link]]\njoint = "revolute"\nmass = "2 kg"\n',
        ":5: link[1].mass is '2 kg'; expected a finite number, in kg",
    ),
    toml(
        "a mass of NaN",
        DH + '[[link]]\njoint = "revolute"\nmass = nan\n',
        ":5: link[1].mass is nan; expected a finite number, in kg",
    ),
    toml(
        "an infinite mass",
        DH + '[[link]]\njoint = "revolute"\nmass = inf\n',
        ":5: link[1].mass is inf; expected a finite number, in kg",
    ),
    toml(
        "a mass that is true",
        DH + '[[link]]\njoint = "revolute"\nmass = true\n',
        ":5: link[1].mass is true; expected a finite number, in kg",
    ),
    toml(
        "a list for a mass",
        DH + '[[link]]\njoint = "revolute"\nmass = [1]\n',
        ":5: link[1].mass is [1]; expected a finite number, in kg",
    ),
    toml(
        "a negative mass",
        DH + '[[link]]\njoint = "revolute"\nmass = -1\n',
        ":5: link 'link1': mass -1 kg is negative; masses are in kg, zero or more",
    ),
    toml(
        "a com of 2 numbers",
        DH + LINK + "com = [0, 0]\n",
        ":7: link[1].com has 2 numbers; expected 3 finite numbers, in m",
    ),
    toml(
        "a com of 4 numbers",
        DH + LINK + "com = [0, 0, 0, 0]\n",
        ":7: link[1].com has 4 numbers; expected 3 finite numbers, in m",
    ),
    toml("a number for a com", DH + LINK + "com = 3\n", ":7: link[1].com is 3; expected 3 finite numbers, in m"),
    toml(
        "a word in a com",
        DH + LINK + 'com = [0, 0, "x y"]\n',
        ":7: link[1].com[3] is 'x y'; expected 3 finite numbers, in m",
    ),
    toml(
        "an inertia of 4 numbers",
        DH + LINK + "inertia = [1, 1, 1, 0]\n",
        ":7: link[1].inertia is [1, 1, 1, 0]; expected 3 numbers (the diagonal) or 6 (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2",
    ),
    toml(
        "a word in an inertia",
        DH + LINK + 'inertia = [1, 1, "x y"]\n',
        ":7: link[1].inertia[3] is 'x y'; expected 3 numbers (the diagonal) or 6 (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2",
    ),
    toml(
        "a number for an inertia",
        DH + LINK + "inertia = 3\n",
        ":7: link[1].inertia is 3; expected 3 numbers (the diagonal) or 6 (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2",
    ),
    toml(
        "inertia without a word on mass",
        DH + '[[link]]\njoint = "revolute"\ninertia = [1, 1, 1]\n',
        ":5: link[1] has inertia but no mass; give mass, in kg",
    ),
    toml(
        "a broken triangle inequality",
        DH + LINK + "inertia = [1, 1, 3]\n",
        ":7: link 'link1': principal moments (1, 1, 3) kg m^2 break the triangle inequality: 3 > 1 + 1; allow_nonphysical = true accepts published data as it is",
    ),
    toml(
        "an indefinite inertia",
        DH + LINK + "inertia = [1, 1, 1, 2, 0, 0]\n",
        ":7: link 'link1': inertia is not positive semidefinite: principal moments (-1, 1, 3) kg m^2; allow_nonphysical = true accepts published data as it is",
    ),
    toml(
        "inertia of no mass",
        DH + '[[link]]\njoint = "revolute"\nmass = 0\ninertia = [1, 1, 1]\n',
        ":6: link 'link1': inertia (1, 1, 1) kg m^2 without mass; allow_nonphysical = true accepts published data as it is",
    ),
    toml(
        "a link without a joint",
        DH + "[[link]]\nmass = 1\n",
        ":3: missing link[1].joint; expected one of revolute, continuous, prismatic, screw, fixed",
    ),
    toml(
        "an unknown kind of joint",
        DH + '[[link]]\njoint = "rotary"\n',
        ":4: link[1].joint is 'rotary'; it must be 'revolute', 'continuous', 'prismatic', 'screw' or 'fixed'",
    ),
    toml(
        "a number for a joint",
        DH + "[[link]]\njoint = 3\n",
        ":4: link[1].joint is 3; it must be 'revolute', 'continuous', 'prismatic', 'screw' or 'fixed'",
    ),
    toml(
        "an unknown convention",
        'name = "arm"\nframes = "dh"\n' + LINK,
        ":2: frames is 'dh'; it must be 'standard-dh', 'modified-dh', 'screws' or 'placements'",
    ),
    toml(
        "no convention",
        'name = "arm"\n' + LINK,
        ":1: missing frames; expected one of standard-dh, modified-dh, screws, placements",
    ),
    toml("no name", 'frames = "standard-dh"\n' + LINK, ":1: missing name; expected a text"),
    toml(
        "an empty name",
        'name = ""\nframes = "standard-dh"\n' + LINK,
        ':1: the arm has no name; give it one: name = "my-arm"',
    ),
    toml("a number for a name", 'name = 3\nframes = "standard-dh"\n' + LINK, ":1: name is 3; expected a text"),
    toml(
        "a name that rings",
        'name = "a\\u0007b"\nframes = "standard-dh"\n' + LINK,
        ":1: arm name 'a\\x07b' cannot be printed; use letters, digits and signs",
    ),
    toml("no links", DH, ":1: missing link; expected one [[link]] table for each link"),
    toml(
        "one table for all links",
        DH + '[link]\njoint = "revolute"\n',
        ":3: link is { joint = 'revolute' }; expected one [[link]] table for each link",
    ),
    toml("a number for the links", DH + "link = 3\n", ":3: link is 3; expected one [[link]] table for each link"),
    toml("numbers for links", DH + "link = [1, 2]\n", ":3: link[1] is 1; expected one [[link]] table for each link"),
    toml(
        "nothing that moves",
        DH + '[[link]]\njoint = "fixed"\n',
        ":3: arm 'arm' has no joint that moves; all its joints are fixed or mimics",
    ),
    toml(
        "two links of one name",
        DH + '[[link]]\nname = "a"\njoint = "revolute"\n[[link]]\nname = "a"\njoint = "revolute"\n',
        ":7: two links are named 'a'; names must be unique",
    ),
    toml(
        "two joints of one name",
        DH + '[[link]]\njoint_name = "a"\njoint = "revolute"\n[[link]]\njoint_name = "a"\njoint = "revolute"\n',
        ":7: two joints are named 'a'; names must be unique",
    ),
    toml(
        "two frames of one name",
        DH + LINK + '[[frame]]\nname = "c"\nlink = "link1"\n[[frame]]\nname = "c"\nlink = "link1"\n',
        ":11: two frames are named 'c'; names must be unique",
    ),
    toml(
        "a frame named like a link",
        DH + LINK + '[[frame]]\nname = "link1"\nlink = "link1"\n',
        ":8: a frame and a link are both named 'link1'; names must be unique",
    ),
    toml(
        "a link named base",
        DH + '[[link]]\nname = "base"\njoint = "revolute"\n',
        ":4: a link and the base are both named 'base'; names must be unique",
    ),
    toml(
        "a link named tool that is not the tool",
        DH + '[[link]]\nname = "tool"\njoint = "revolute"\n' + LINK,
        ":4: link 'tool' is not where the tool is; the name tool belongs to the tool frame: rename it, or put the tool there",
    ),
    toml(
        "a link named world",
        DH + '[[link]]\nname = "world"\njoint = "revolute"\n',
        ":4: no link may be named 'world'; that is the frame of gravity and base",
    ),
    toml(
        "an unknown parent",
        DH + '[[link]]\nparent = "nowhere"\njoint = "revolute"\n',
        ":4: link[1].parent is 'nowhere', which is no link; known: base, link1",
    ),
    toml(
        "parents in a circle",
        DH + '[[link]]\nparent = "link2"\njoint = "revolute"\n[[link]]\njoint = "revolute"\n',
        ":4: link 'link1' never reaches the base: its parents form a circle; close loops with [[loop]], not with parents",
    ),
    toml(
        "a link that is its own parent",
        DH + '[[link]]\nparent = "link1"\njoint = "revolute"\n',
        ":4: link 'link1' never reaches the base: its parents form a circle; close loops with [[loop]], not with parents",
    ),
    toml(
        "an axis of zero",
        PLACED + '[[link]]\njoint = "revolute"\naxis = [0, 0, 0]\n',
        ":5: link[1].axis is zero; give a direction such as [0, 0, 1]",
    ),
    toml(
        "both twist and axis",
        SCREWS + '[[link]]\njoint = "revolute"\naxis = [0, 0, 1]\ntwist = [0, 0, 0, 0, 0, 1]\n',
        ":6: link[1] has both a twist and an axis; give one of them",
    ),
    toml(
        "neither twist nor axis",
        SCREWS + '[[link]]\njoint = "revolute"\n',
        ":3: link[1] has neither axis nor twist; screws need one of them",
    ),
    toml(
        "a twist that is not of unit length",
        SCREWS + '[[link]]\njoint = "revolute"\ntwist = [0, 0, 0, 0, 0, 2]\n',
        ":5: link[1].twist has an angular part of length 2; a turning joint has a unit axis (vx, vy, vz, wx, wy, wz)",
    ),
    toml(
        "a revolute twist that slides",
        SCREWS + '[[link]]\njoint = "revolute"\ntwist = [0, 0, 1, 0, 0, 1]\n',
        ':5: link[1].twist slides 1 m/rad along its axis; say joint = "screw"',
    ),
    toml(
        "a twist of 5 numbers",
        SCREWS + '[[link]]\njoint = "revolute"\ntwist = [0, 0, 0, 0, 1]\n',
        ":5: link[1].twist has 5 numbers; expected 6 numbers (vx, vy, vz, wx, wy, wz)",
    ),
    toml(
        "Denavit-Hartenberg among screws",
        SCREWS + '[[link]]\njoint = "revolute"\naxis = [0, 0, 1]\na = 1\n',
        ':6: link[1].a does not go with frames = "screws"; there the geometry is in axis, home, point, twist',
    ),
    toml(
        "an axis among Denavit-Hartenberg",
        DH + '[[link]]\njoint = "revolute"\naxis = [0, 0, 1]\n',
        ':5: link[1].axis does not go with frames = "standard-dh"; there the geometry is in a, alpha, d, offset, theta',
    ),
    toml(
        "pitch of a revolute joint",
        DH + LINK + "pitch = 0.1\n",
        ':7: link[1].pitch is given but its joint is revolute; say joint = "screw"',
    ),
    toml(
        "a screw without pitch",
        DH + '[[link]]\njoint = "screw"\n',
        ":3: screw joint 'joint1' has no pitch; give pitch in m/rad, or make it revolute",
    ),
    toml(
        "a mimic of itself",
        DH + LINK + LINK + 'mimic = { joint = "joint2" }\n',
        ":11: joint 'joint2' follows itself: joint2 -> joint2; one joint of the chain must move by itself",
    ),
    toml(
        "mimics in a circle",
        DH + LINK + LINK + 'mimic = { joint = "joint3" }\n' + LINK + 'mimic = { joint = "joint2" }\n',
        ":11: joint 'joint2' follows itself: joint2 -> joint3 -> joint2; one joint of the chain must move by itself",
    ),
    toml(
        "a mimic of nothing",
        DH + LINK + LINK + 'mimic = { joint = "joint9" }\n',
        ":11: joint 'joint2' follows 'joint9', which does not exist; did you mean 'joint1'? known: joint1",
    ),
    toml(
        "a mimic of a fixed joint",
        DH + LINK + '[[link]]\njoint = "fixed"\n' + LINK + 'mimic = { joint = "joint2" }\n',
        ":13: joint 'joint3' follows 'joint2', which is fixed; a joint can only follow one that moves",
    ),
    toml(
        "a fixed joint that mimics",
        DH + LINK + '[[link]]\njoint = "fixed"\nmimic = { joint = "joint1" }\n',
        ":9: fixed joint 'joint2' cannot follow another; remove its mimic",
    ),
    toml(
        "a mimic without a joint",
        DH + LINK + LINK + "mimic = { factor = 2 }\n",
        ":11: missing link[2].mimic.joint; expected the name of the joint it follows",
    ),
    toml(
        "limits the wrong way round",
        DH + LINK + 'limits = { position = ["90 deg", "-90 deg"] }\n',
        ":7: joint 'joint1' has position limits [1.5708, -1.5708]; lower comes first",
    ),
    toml(
        "a negative speed limit",
        DH + LINK + "limits = { speed = -1 }\n",
        ":7: the speed limit of joint 'joint1' is -1; it is a size: zero or more",
    ),
    toml(
        "one position limit",
        DH + LINK + "limits = { position = [1] }\n",
        ":7: link[1].limits.position has 1 number; expected 2 numbers, lower and upper",
    ),
    toml(
        "a speed in an unknown unit",
        DH + LINK + 'limits = { speed = "3 rps" }\n',
        ":7: link[1].limits.speed is '3 rps'; expected a number, or a text with rad/s, deg/s, rpm, m/s or mm/s, such as \"90 deg/s\"",
    ),
    toml(
        "a number for limits",
        DH + LINK + "limits = 3\n",
        ":7: link[1].limits is 3; expected a table with position, speed, acceleration, torque",
    ),
    toml(
        "negative friction",
        DH + LINK + "friction = { viscous = -1 }\n",
        ":7: the viscous friction of joint 'joint1' is -1; friction takes energy: zero or more",
    ),
    toml(
        "starting friction below moving friction",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\nfriction = { coulomb = 2, starting = 1 }\n",
        ":8: drive 'motor1' starts at [1.0, 1.0] N m but moves at [2.0, 2.0] N m; starting friction is at least the "
        "moving one",
    ),
    toml(
        "two drives on one joint motion",
        DH + LINK + LINK + "[[drive]]\nratio = [1, 2]\nrotor = { inertia = 1 }\n" * 2,
        ":15: the ratios of the drives are not independent: some motion of the joints turns no motor; the matrix N of "
        "all ratios must be invertible",
    ),
    toml(
        "more continuous than peak torque",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\nmotor = { torque = 1, continuous = 2 }\n",
        ":8: drive 'motor1' can give 2 N m for ever but 1 N m at most; the continuous torque is below the peak",
    ),
    toml(
        "a torque that the current cannot give",
        DH
        + LINK
        + "[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\n"
        + "motor = { torque = 5, current = 2, torque_constant = 1 }\n",
        ":8: drive 'motor1' reaches 2 N m with its current, not 5 N m; lower torque, or check kt",
    ),
    toml(
        "a transmission that is a program",
        DH + LINK + "[[drive]]\nrotor = { inertia = 1 }\ntransmission = { formula = \"__import__('os')\" }\n",
        ":9: drive[1].transmission: the formula \"__import__('os')\" has something else: \"__import__('os')\"; a formula has "
        "numbers, joints, + - * / **, pi and sin, cos, sqrt, exp, atan2, acos, asin",
    ),
    toml(
        "a transmission of an unknown joint",
        DH + LINK + '[[drive]]\nrotor = { inertia = 1 }\ntransmission = { formula = "2 * joint9" }\n',
        ":9: drive[1].transmission: the formula '2 * joint9' has no meaning for 'joint9'; did you mean 'joint1'? known: "
        "joint1",
    ),
    toml(
        "an unknown key with signs in its name",
        DH + LINK + '"a b<" = 1\n',
        ":7: unknown key link[1].a b<; known: mass, com, inertia, about, shape, name, parent, joint, joint_name, pitch, limits, mimic, friction, beam, compliance, a, alpha, d, theta, offset, point, twist, home, position, rpy, rotation, after, axis, visual, collision",
    ),
    toml(
        "a formula nested without end",
        DH + LINK + f'[[drive]]\nrotor = {{ inertia = 1 }}\ntransmission = {{ formula = "1{"+1" * 999}" }}\n',
        ":9: drive[1].transmission: the formula is nested hundreds deep; use a table",
    ),
    toml(
        "a formula with an integer of hundreds of digits",
        DH + LINK + f'[[drive]]\nrotor = {{ inertia = 1 }}\ntransmission = {{ formula = "{"9" * 400} * joint1" }}\n',
        ":9: drive[1].transmission: the formula has the number 99999999999999999999; up to 1e+12 makes sense",
    ),
    toml(
        "a formula that divides by zero",
        DH + LINK + '[[drive]]\nrotor = { inertia = 1 }\ntransmission = { formula = "joint1 / 0" }\n',
        ":7: drive 'motor1' is not finite; NaN and infinity cannot describe an arm",
    ),
    toml(
        "a transmission table that falls back",
        DH
        + LINK
        + "[[drive]]\nrotor = { inertia = 1 }\n"
        + 'transmission = { joint = "joint1", positions = [0, 2, 1, 3], angles = [0, 1, 2, 3] }\n',
        ":9: drive[1].transmission has 4 positions and 4 angles; give at least 4 rising positions and an angle for each",
    ),
    toml(
        "both ratio and transmission",
        DH + LINK + '[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\ntransmission = { formula = "joint1" }\n',
        ":8: drive[1] has both a ratio and a transmission; give one of them",
    ),
    toml(
        "too many ratios",
        DH + LINK + "[[drive]]\nratio = [1, 2]\nrotor = { inertia = 1 }\n",
        ":8: drive[1].ratio has 2 numbers for 1 joint; give one for each of joint1, or a table joint = number",
    ),
    toml(
        "a ratio for an unknown joint",
        DH + LINK + "[[drive]]\nratio = { joint7 = 1 }\nrotor = { inertia = 1 }\n",
        ":8: drive[1] drives joint 'joint7', which does not exist; did you mean 'joint1'? known: joint1",
    ),
    toml(
        "a single ratio",
        DH + LINK + "[[drive]]\nratio = 100\nrotor = { inertia = 1 }\n",
        ":8: drive[1].ratio is 100; expected a number for each joint, or a table joint = number",
    ),
    toml(
        "a word for a ratio",
        DH + LINK + '[[drive]]\nratio = ["x"]\nrotor = { inertia = 1 }\n',
        ":8: drive[1].ratio is ['x']; expected a number for each joint, or a table joint = number",
    ),
    toml(
        "a word in a table of ratios",
        DH + LINK + '[[drive]]\nratio = { joint1 = "x" }\nrotor = { inertia = 1 }\n',
        ":8: drive[1].ratio is { joint1 = 'x' }; expected a number for each joint, or a table joint = number",
    ),
    toml(
        "a drive that drives nothing",
        DH + LINK + "[[drive]]\nratio = [0]\nrotor = { inertia = 1 }\n",
        ":8: drive 'motor1' drives nothing: all its ratios are zero; give motor turns per joint turn",
    ),
    toml(
        "a drive without ratio",
        DH + LINK + "[[drive]]\nrotor = { inertia = 1 }\n",
        ":7: drive[1] has no ratio; give ratio, or transmission for a linkage",
    ),
    toml(
        "a drive without rotor",
        DH + LINK + "[[drive]]\nratio = [1]\n",
        ":7: missing drive[1].rotor; expected a table with inertia, and with carrier and axis where the motor does not sit on its joint",
    ),
    toml(
        "a rotor without inertia",
        DH + LINK + '[[drive]]\nratio = [1]\nrotor = { carrier = "base" }\n',
        ":9: missing drive[1].rotor.inertia; expected a finite number, in kg m^2",
    ),
    toml(
        "a rotor of negative inertia",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = -1 }\n",
        ":8: the rotor inertia of drive 'motor1' is -1 kg m^2; it is zero or more",
    ),
    toml(
        "an unknown carrier",
        DH + LINK + '[[drive]]\nratio = [1]\nrotor = { inertia = 1, carrier = "lnk1" }\n',
        ":9: drive[1].rotor.carrier is 'lnk1', which is no link; did you mean 'link1'? known: base, link1",
    ),
    toml(
        "a rotor axis of zero",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1, axis = [0, 0, 0] }\n",
        ":9: drive[1].rotor.axis is zero; give a direction such as [0, 0, 1]",
    ),
    toml(
        "two drives of one name",
        DH
        + LINK
        + '[[drive]]\nname = "m"\nratio = [1]\nrotor = { inertia = 1 }\n[[drive]]\nname = "m"\nratio = [1]\nrotor = { inertia = 1 }\n',
        ":13: two drives are named 'm'; names must be unique",
    ),
    toml(
        "three Coulomb torques",
        DH + LINK + "[[drive]]\nratio = [1]\nrotor = { inertia = 1 }\nfriction = { coulomb = [1, 2, 3] }\n",
        ":10: drive[1].friction.coulomb has 3 numbers; expected a number, or 2 numbers (forward, backward)",
    ),
    toml(
        "a loop driven by an unknown joint",
        DH
        + LINK
        + '[[loop]]\njoint = "hinge"\nfirst = { link = "link1" }\nsecond = { link = "base" }\ndriven = ["joint9"]\n',
        ":11: loop 'loop1' is driven by joint 'joint9', which does not exist; did you mean 'joint1'? known: joint1",
    ),
    toml(
        "a loop put together far away",
        DH
        + LINK
        + '[[loop]]\njoint = "hinge"\nfirst = { link = "link1" }\nsecond = { link = "base" }\ndriven = ["joint1"]\nnear = { joint1 = 1e5 }\n',
        ":11: near of loop 'loop1' has joint 'joint1' at 100000; close to how it is put together: -1000 to 1000 m or rad",
    ),
    toml(
        "a loop on an unknown link",
        DH
        + LINK
        + '[[loop]]\njoint = "hinge"\nfirst = { link = "link9" }\nsecond = { link = "base" }\ndriven = ["joint1"]\n',
        ":9: loop[1].first.link is 'link9', which is no link; did you mean 'link1'? known: base, link1",
    ),
    toml(
        "an unknown kind of loop",
        DH
        + LINK
        + '[[loop]]\njoint = "revolute"\nfirst = { link = "link1" }\nsecond = { link = "base" }\ndriven = ["joint1"]\n',
        ":8: loop[1].joint is 'revolute'; it must be 'hinge', 'ball', 'slider', 'rigid' or 'distance'",
    ),
    toml(
        "a loop with one end",
        DH + LINK + '[[loop]]\njoint = "hinge"\nfirst = { link = "link1" }\ndriven = ["joint1"]\n',
        ':7: missing loop[1].second; expected a table such as { link = "link2", position = [0, 0, 0] }',
    ),
    toml(
        "a tool on an unknown link",
        DH + LINK + '[tool]\nlink = "hand"\n',
        ":8: tool.link is 'hand', which is no link; known: base, link1",
    ),
    toml(
        "a frame on an unknown link",
        DH + LINK + '[[frame]]\nname = "cam"\nlink = "hand"\n',
        ":9: frame[1].link is 'hand', which is no link; known: base, link1",
    ),
    toml(
        "a frame without a name",
        DH + LINK + '[[frame]]\nlink = "link1"\n',
        ":7: missing frame[1].name; expected a text",
    ),
    toml(
        "a payload of negative mass",
        DH + LINK + "[tool]\npayload = { mass = -1 }\n",
        ":8: the payload: mass -1 kg is negative; masses are in kg, zero or more",
    ),
    toml(
        "a nonphysical payload",
        DH + LINK + "[tool]\npayload = { mass = 1, inertia = [1, 1, 3] }\n",
        ":8: the payload: principal moments (1, 1, 3) kg m^2 break the triangle inequality: 3 > 1 + 1; allow_nonphysical = true accepts published data as it is",
    ),
    toml(
        "a number for gravity",
        DH + "gravity = 9.81\n" + LINK,
        ":3: gravity is 9.81; expected 3 finite numbers, in m/s^2",
    ),
    toml(
        "gravity of 2 numbers",
        DH + "gravity = [0, -9.81]\n" + LINK,
        ":3: gravity has 2 numbers; expected 3 finite numbers, in m/s^2",
    ),
    toml(
        "gravity of NaN",
        DH + "gravity = [0, 0, nan]\n" + LINK,
        ":3: gravity[3] is nan; expected 3 finite numbers, in m/s^2",
    ),
    toml(
        "a word for true",
        DH + 'allow_nonphysical = "yes"\n' + LINK,
        ":3: allow_nonphysical is 'yes'; expected true or false",
    ),
    toml(
        "an angle in quotes",
        PLACED + '[[link]]\njoint = "revolute"\nrpy = [0, 0, "90"]\n',
        ":5: link[1].rpy[3] is '90'; expected roll, pitch and yaw in rad, or texts such as \"90 deg\"",
    ),
    toml(
        "inertia about something else",
        DH + LINK + 'about = "centre"\n',
        ":7: link[1].about is 'centre'; it must be 'com' or 'origin'",
    ),
    toml("a text for a list", DH + 'corrections = "x"\n' + LINK, ":3: corrections is 'x'; expected a list of texts"),
    toml(
        "an integer too large",
        DH + '[[link]]\njoint = "revolute"\nmass = ' + "9" * 400 + "\n",
        ":5: link[1].mass is an integer of too many digits; expected a finite number, in kg",
    ),
    toml(
        "a date for a mass",
        DH + '[[link]]\njoint = "revolute"\nmass = 2020-01-01\n',
        ":5: link[1].mass is 2020-01-01; expected a finite number, in kg",
    ),
]

SOLID = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
HEAD = '<robot name="arm">\n<link name="base"/>\n'
BODY = f'<link name="a">{SOLID}</link>\n'
END = "</robot>\n"


def joint(inner: str = "", name: str = "j", parent: str = "base", child: str = "a", kind: str = "continuous") -> str:
    return f'<joint name="{name}" type="{kind}">\n<parent link="{parent}"/>\n<child link="{child}"/>\n{inner}</joint>\n'


def inertial(inner: str) -> str:
    return HEAD + f'<link name="a">\n<inertial>\n{inner}\n</inertial>\n</link>\n' + joint() + END


BAD_URDFS = [
    urdf("an empty file", "", ': the file is empty; a URDF begins with <robot name="...">'),
    urdf("a blank file", "\n  \n", ': the file is empty; a URDF begins with <robot name="...">'),
    urdf("no XML", "hello", ':1:1: this is not XML: syntax error; a URDF begins with <robot name="...">'),
    urdf(
        "a file cut off between tags",
        HEAD + BODY + '<joint name="j" type="revolute">\n<parent link="base"/>\n',
        ":6:1: the file ends too early; joint 'j' of line 4 is still open",
    ),
    urdf(
        "a file cut off in a tag",
        HEAD + BODY + '<joint name="j" type="revo',
        ":4:1: the file ends too early; <robot> of line 1 is still open",
    ),
    urdf(
        "a wrong closing tag",
        HEAD + '<link name="a"></joint>\n' + END,
        ":3:18: this closes a tag that is not open; link 'a' of line 3 is still open",
    ),
    urdf(
        "two robots",
        HEAD + BODY + joint() + END + "<robot/>",
        ":9:1: something follows the end of the robot; a URDF is one <robot> ... </robot>",
    ),
    urdf(
        "an attribute given twice",
        '<robot name="a" name="b"/>',
        ':1:17: this is not XML: duplicate attribute; a URDF begins with <robot name="...">',
    ),
    urdf(
        "a bare ampersand",
        HEAD + '<link name="a & b"/>' + END,
        ":3:16: this is not XML: not well-formed (invalid token); in names and texts write &amp; for & and &lt; for <",
    ),
    urdf(
        "an undefined entity",
        HEAD + '<link name="&what;"/>' + END,
        ":3:1: this is not XML: undefined entity; in names and texts write &amp; for & and &lt; for <",
    ),
    urdf("a web page", "<html><body/></html>", ':1:1: the root tag is <html>; a URDF begins with <robot name="...">'),
    urdf(
        "an SDF file",
        '<sdf version="1.6"><model/></sdf>',
        ':1:1: the root tag is <sdf>; a URDF begins with <robot name="...">',
    ),
    urdf(
        "a robot without a name",
        '<robot><link name="a"/></robot>',
        ':1:1: <robot> has no name; write <robot name="...">',
    ),
    urdf(
        "a billion laughs",
        '<?xml version="1.0"?>\n<!DOCTYPE lolz [\n<!ENTITY lol "lol">\n<!ENTITY lol2 "&lol;&lol;">\n]>\n<robot name="&lol2;"/>',
        ":2:16: the file declares a document type; remove <!DOCTYPE ...>: a URDF needs none, and entities are never expanded",
    ),
    urdf(
        "an external entity",
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<robot name="&x;"/>',
        ":1:13: the file declares a document type; remove <!DOCTYPE ...>: a URDF needs none, and entities are never expanded",
    ),
    urdf(
        "a xacro file",
        '<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:macro name="m"/>\n</robot>',
        ":2:1: <xacro:macro> is no URDF; this is a xacro file: run xacro first (xacro robot.urdf.xacro > robot.urdf)",
    ),
    urdf(
        "a xacro file without its namespace",
        '<robot name="a">\n<xacro:macro name="m"/>\n</robot>',
        ":2:1: this tag or attribute has an undeclared prefix; if this is a xacro file: run xacro first (xacro robot.urdf.xacro > robot.urdf)",
    ),
    urdf(
        "a xacro expression",
        HEAD + BODY + joint('<origin xyz="0 0 ${h}"/>\n') + END,
        ":7:1: xyz of <origin> of joint 'j' is '${h}'; this is a xacro file: run xacro first (xacro robot.urdf.xacro > robot.urdf)",
    ),
    urdf("no links", '<robot name="arm"/>', ':1:1: the robot has no links; describe them with <link name="...">'),
    urdf(
        "no joints",
        '<robot name="arm">\n<link name="a"/></robot>',
        ":1:1: the robot has no joints; an arm needs at least one that moves",
    ),
    urdf(
        "nothing that moves",
        HEAD + BODY + joint(kind="fixed") + END,
        ":1:1: arm 'arm' has no joint that moves; all its joints are fixed",
    ),
    urdf(
        "a circle without root",
        '<robot name="arm">\n<link name="a"/>\n<link name="b"/>\n'
        + joint(parent="a", child="b")
        + joint(name="k", parent="b", child="a")
        + END,
        ":4:1: the joints form a circle: a -> b -> a; a URDF is a tree that begins at one root link",
    ),
    urdf(
        "a circle beside the root",
        HEAD
        + BODY
        + '<link name="b"/>\n'
        + joint(parent="a", child="b")
        + joint(name="k", parent="b", child="a")
        + END,
        ":5:1: the joints form a circle: a -> b -> a; a URDF is a tree that begins at one root link",
    ),
    urdf(
        "a joint from a link to itself",
        HEAD + BODY + joint(parent="a", child="a") + END,
        ":4:1: the joints form a circle: a -> a; a URDF is a tree that begins at one root link",
    ),
    urdf(
        "two roots",
        HEAD + BODY + '<link name="c"/>\n' + joint() + END,
        ":4:1: there are 2 root links: 'base', 'c'; a URDF has one: join the others to it, with fixed joints where they do not move",
    ),
    urdf(
        "a link with two parents",
        HEAD + BODY + '<link name="b"/>\n' + joint() + joint(name="k", child="b") + joint(name="l", parent="b") + END,
        ":13:1: link 'a' is the child of two joints, 'j' and 'l'; a URDF is a tree; an arm file (.toml) can close loops with [[loop]]",
    ),
    urdf(
        "two links of one name",
        HEAD + BODY + BODY + joint() + END,
        ":4:1: two links are named 'a'; the first stands in line 3; names must be unique",
    ),
    urdf(
        "two joints of one name",
        HEAD + BODY + '<link name="b"/>\n' + joint() + joint(child="b") + END,
        ":9:1: two joints are named 'j'; the first stands in line 5; names must be unique",
    ),
    urdf("a link without a name", HEAD + "<link/>\n" + END, ':3:1: <link> has no name; write <link name="...">'),
    urdf(
        "a link with an empty name",
        HEAD + '<link name=""/>\n' + END,
        ":3:1: link '' has an empty name; write <link name=\"...\">",
    ),
    urdf(
        "a joint without a name",
        HEAD + BODY + '<joint type="fixed"/>\n' + END,
        ':4:1: <joint> has no name; write <joint name="...">',
    ),
    urdf(
        "a joint without a type",
        HEAD + BODY + '<joint name="j"><parent link="base"/><child link="a"/></joint>\n' + END,
        ":4:1: joint 'j' has no type; write <joint type=\"...\">",
    ),
    urdf(
        "an unknown type of joint",
        HEAD + BODY + joint(kind="revolut") + END,
        ":4:1: type of joint 'j' is 'revolut'; did you mean 'revolute'? known: revolute, continuous, prismatic, fixed",
    ),
    urdf(
        "a floating joint",
        HEAD + BODY + joint(kind="floating") + END,
        ":4:1: joint 'j' is floating; an arm stands on its base: remove the joint, or make it fixed, or use several revolute and prismatic ones",
    ),
    urdf(
        "a planar joint",
        HEAD + BODY + joint(kind="planar") + END,
        ":4:1: joint 'j' is planar; an arm stands on its base: remove the joint, or make it fixed, or use several revolute and prismatic ones",
    ),
    urdf(
        "a joint without parent",
        HEAD + BODY + '<joint name="j" type="fixed"><child link="a"/></joint>\n' + END,
        ":4:1: there is no <parent> in joint 'j'; write <parent link=\"...\"/>",
    ),
    urdf(
        "a parent without a link",
        HEAD + BODY + '<joint name="j" type="fixed"><parent/><child link="a"/></joint>\n' + END,
        ":4:30: <parent> of joint 'j' has no link; write <parent link=\"...\">",
    ),
    urdf(
        "an unknown parent",
        HEAD + BODY + joint(parent="bse") + END,
        ":5:1: parent of joint 'j' is 'bse', which does not exist; did you mean 'base'? known: base, a",
    ),
    urdf(
        "an unknown child",
        HEAD + BODY + joint(child="aa") + END,
        ":6:1: child of joint 'j' is 'aa', which does not exist; did you mean 'a'? known: base, a",
    ),
    urdf(
        "2 numbers for a position",
        HEAD + BODY + joint('<origin xyz="0 0"/>\n') + END,
        ":7:1: xyz of <origin> of joint 'j' has 2 numbers; 3 numbers separated by spaces are expected",
    ),
    urdf(
        "a word in a position",
        HEAD + BODY + joint('<origin xyz="0 0 up"/>\n') + END,
        ":7:1: xyz of <origin> of joint 'j' is 'up'; 3 numbers separated by spaces are expected",
    ),
    urdf(
        "commas between numbers",
        HEAD + BODY + joint('<origin xyz="0, 0, 1"/>\n') + END,
        ":7:1: xyz of <origin> of joint 'j' is '0,'; 3 numbers separated by spaces are expected",
    ),
    urdf(
        "an angle of NaN",
        HEAD + BODY + joint('<origin rpy="0 0 nan"/>\n') + END,
        ":7:1: rpy of <origin> of joint 'j' is 'nan'; a finite number is expected: NaN and infinity cannot describe an arm",
    ),
    urdf(
        "an infinite position",
        HEAD + BODY + joint('<origin xyz="0 0 inf"/>\n') + END,
        ":7:1: xyz of <origin> of joint 'j' is 'inf'; a finite number is expected: NaN and infinity cannot describe an arm",
    ),
    urdf(
        "a number too large",
        HEAD + BODY + joint('<origin xyz="0 0 1e999"/>\n') + END,
        ":7:1: xyz of <origin> of joint 'j' is '1e999', too large for a number; a finite number is expected: NaN and infinity cannot describe an arm",
    ),
    urdf(
        "an empty position",
        HEAD + BODY + joint('<origin xyz=""/>\n') + END,
        ":7:1: <origin> of joint 'j' has an empty xyz; write <origin xyz=\"...\">",
    ),
    urdf(
        "an axis of zero",
        HEAD + BODY + joint('<axis xyz="0 0 0"/>\n') + END,
        ":7:1: xyz of <axis> of joint 'j' is zero; give a direction such as 0 0 1",
    ),
    urdf(
        "two axes",
        HEAD + BODY + joint('<axis xyz="0 0 1"/>\n<axis xyz="1 0 0"/>\n') + END,
        ":8:1: there is a second <axis> in joint 'j'; the first stands in line 7",
    ),
    urdf(
        "an axis without direction",
        HEAD + BODY + joint("<axis/>\n") + END,
        ":7:1: <axis> of joint 'j' has no xyz; write <axis xyz=\"...\">",
    ),
    urdf(
        "a quaternion of zero",
        HEAD + BODY + joint('<origin quat_xyzw="0 0 0 0"/>\n') + END,
        ":7:1: quat_xyzw of <origin> of joint 'j' is zero; the unit quaternion is 0 0 0 1",
    ),
    urdf(
        "two rotations",
        HEAD + BODY + joint('<origin quat_xyzw="0 0 0 1" rpy="0 0 0"/>\n') + END,
        ":7:1: <origin> of joint 'j' has both rpy and quat_xyzw; give one of them",
    ),
    urdf(
        "limits the wrong way round",
        HEAD + BODY + joint('<limit lower="1" upper="-1" effort="1" velocity="1"/>\n', kind="revolute") + END,
        ":7:1: joint 'j' has position limits [1, -1]; lower comes first",
    ),
    urdf(
        "a negative effort",
        HEAD + BODY + joint('<limit lower="-1" upper="1" effort="-1" velocity="1"/>\n', kind="revolute") + END,
        ":7:1: the torque limit of joint 'j' is -1; it is a size: zero or more",
    ),
    urdf(
        "a word for a limit",
        HEAD + BODY + joint('<limit lower="-1" upper="1" effort="big" velocity="1"/>\n', kind="revolute") + END,
        ":7:1: effort of <limit> of joint 'j' is 'big'; a number is expected",
    ),
    urdf(
        "negative damping",
        HEAD + BODY + joint('<dynamics damping="-1"/>\n') + END,
        ":7:1: the viscous friction of joint 'j' is -1; friction takes energy: zero or more",
    ),
    urdf(
        "a mimic without a joint",
        HEAD + BODY + joint('<mimic multiplier="1"/>\n') + END,
        ":7:1: <mimic> of joint 'j' has no joint; write <mimic joint=\"...\">",
    ),
    urdf(
        "a mimic of itself",
        HEAD + BODY + joint('<mimic joint="j"/>\n') + END,
        ":7:1: joint 'j' follows itself: j -> j; one joint of the chain must move by itself",
    ),
    urdf(
        "a mimic of nothing",
        HEAD
        + BODY
        + '<link name="b"/>\n'
        + joint()
        + joint('<mimic joint="jj"/>\n', name="k", parent="a", child="b")
        + END,
        ":12:1: joint 'k' follows 'jj', which does not exist; did you mean 'j'? known: j",
    ),
    urdf(
        "a mimic of a fixed joint",
        HEAD
        + BODY
        + '<link name="b"/>\n'
        + joint(kind="fixed")
        + joint('<mimic joint="j"/>\n', name="k", parent="a", child="b")
        + END,
        ":12:1: joint 'k' follows 'j', which is fixed; a joint can only follow one that moves",
    ),
    urdf(
        "a negative mass",
        inertial('<mass value="-1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
        ":5:1: the mass of link 'a' is -1 kg; masses are in kg, zero or more",
    ),
    urdf(
        "an inertial without mass",
        inertial('<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
        ":4:1: there is no <mass> in <inertial> of link 'a'; write <mass value=\"...\"/>",
    ),
    urdf(
        "a mass without value",
        inertial('<mass/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
        ":5:1: <mass> of link 'a' has no value; write <mass value=\"...\">",
    ),
    urdf(
        "a mass with a unit",
        inertial('<mass value="1kg"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
        ":5:1: value of <mass> of link 'a' is '1kg'; a number is expected",
    ),
    urdf(
        "an inertial without inertia",
        inertial('<mass value="1"/>'),
        ':4:1: there is no <inertia> in <inertial> of link \'a\'; write <inertia ixx="..." ixy="..." ixz="..." iyy="..." iyz="..." izz="..."/>',
    ),
    urdf(
        "an inertia of 3 numbers",
        inertial('<mass value="1"/><inertia ixx="1" iyy="1" izz="1"/>'),
        ":5:18: <inertia> of link 'a' has no ixy; write <inertia ixy=\"...\">",
    ),
    urdf(
        "an inertia of NaN",
        inertial('<mass value="1"/><inertia ixx="NaN" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
        ":5:18: ixx of <inertia> of link 'a' is 'NaN'; a finite number is expected: NaN and infinity cannot describe an arm",
    ),
    urdf(
        "a broken triangle inequality",
        inertial('<mass value="1"/>\n<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/>'),
        ":6:1: link 'a': principal moments (1, 1, 3) kg m^2 break the triangle inequality: 3 > 1 + 1; allow_nonphysical=True (--allow-nonphysical) accepts published data as it is",
    ),
    urdf(
        "inertia of no mass",
        inertial('<mass value="0"/>\n<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
        ":6:1: link 'a': inertia (1, 1, 1) kg m^2 without mass; allow_nonphysical=True (--allow-nonphysical) accepts published data as it is",
    ),
    urdf(
        "two inertials",
        HEAD + f'<link name="a">\n{SOLID}\n{SOLID}\n</link>\n' + joint() + END,
        ":5:1: there is a second <inertial> in link 'a'; the first stands in line 4",
    ),
    urdf(
        "a transmission of an unknown joint",
        HEAD + BODY + joint() + '<transmission name="t"><joint name="jj"/><actuator name="m"/></transmission>\n' + END,
        ":8:24: transmission 't' drives joint 'jj', which does not exist; did you mean 'j'? known: j",
    ),
    urdf(
        "a reduction of 0",
        HEAD
        + BODY
        + joint()
        + '<transmission name="t"><joint name="j"/><actuator name="m"><mechanicalReduction>0</mechanicalReduction></actuator></transmission>\n'
        + END,
        ":8:1: mechanicalReduction of transmission 't' is 0; give motor turns per joint turn",
    ),
    urdf(
        "a reduction in words",
        HEAD
        + BODY
        + joint()
        + '<transmission name="t"><joint name="j"/><actuator name="m"><mechanicalReduction>fifty</mechanicalReduction></actuator></transmission>\n'
        + END,
        ":8:60: the content of <mechanicalReduction> of transmission 't' is 'fifty'; a number is expected",
    ),
    urdf(
        "two motors of one name",
        HEAD
        + BODY
        + joint()
        + '<transmission name="t"><joint name="j"/><actuator name="m"/></transmission>\n<transmission name="u"><joint name="j"/><actuator name="m"/></transmission>\n'
        + END,
        ":9:1: two drives are named 'm'; names must be unique",
    ),
    urdf(
        "a scale of 2 numbers",
        HEAD
        + '<link name="a"><visual><geometry><mesh filename="x" scale="1 1"/></geometry></visual></link>'
        + joint()
        + END,
        ":3:34: scale of <mesh> of link 'a' has 2 numbers; 3 numbers separated by spaces are expected",
    ),
    urdf(
        "a name with a tab",
        HEAD + '<link name="a&#9;b"/>\n' + joint(child="a&#9;b") + END,
        ":3:1: link name 'a\\tb' cannot be printed; use letters, digits and signs",
    ),
    urdf(
        "a zero byte",
        "<robot\0/>",
        ':1:7: this is not XML: not well-formed (invalid token); a URDF begins with <robot name="...">',
    ),
    urdf(
        "tags nested without end",
        '<robot name="a">' + "<x>" * 100000,
        ":1:300017: the file ends too early; <x> of line 1 is still open",
    ),
]

BAD_FILES = [
    *BAD_ARM_FILES,
    *BAD_URDFS,
    raw(
        "Latin-1",
        ".toml",
        b'name = "arm"\nsource = "M\xfcller"\n',
        ":2: byte 0xfc is not UTF-8; save the file as UTF-8",
    ),
    raw("Latin-1", ".urdf", b'<robot name="M\xfcller"/>', ":1: byte 0xfc is not UTF-8; save the file as UTF-8"),
    raw("UTF-16", ".toml", 'name = "arm"'.encode("utf-16"), ":1: byte 0xff is not UTF-8; save the file as UTF-8"),
    raw(
        "UTF-16",
        ".urdf",
        '<robot name="arm"/>'.encode("utf-16")[:-1],
        ":1: byte 0xff is not UTF-8; save the file as UTF-8",
    ),
    BadFile("100 MB", ".toml", ": the file has 100 MB; arm descriptions are read up to 17 MB", huge),
    BadFile("100 MB", ".urdf", ": the file has 100 MB; arm descriptions are read up to 17 MB", huge),
    BadFile("a folder", ".toml", ": this is a folder; give the path of a .toml or .urdf file", Path.mkdir),
    BadFile("a folder", ".urdf", ": this is a folder; give the path of a .toml or .urdf file", Path.mkdir),
]
