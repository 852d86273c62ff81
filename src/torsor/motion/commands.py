"""What a robot program asks for, whatever its language: the list between ``programs/`` and the planner.

SI and radians; poses are T_base_tool of the tool that is mounted at that moment. Every command knows the place in the
program that it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from numbers import Real
from pathlib import PurePath
from typing import Any, Literal, get_args

import numpy as np

from torsor.errors import ShapeError
from torsor.model.transforms import Floats


class _Checked:
    """A command, or a part of one, whose fields are what their types say."""

    __slots__ = ()

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, fits, meaning in _fields(kind):
            value = getattr(self, name)
            if not fits(value):
                what = type(value).__name__
                told = f"an array {value.shape}" if what == "ndarray" else f"{value!r:.60}"
                told = f"a {what}" if isinstance(value, _Checked) else told
                raise ShapeError(f"{name} of {kind.__name__} is {told}", hint=f"give {meaning}")


@cache
def _fields(kind: Any) -> list[tuple[str, Callable[[Any], bool], str]]:
    """Of a command: names, whether a value is right, what to give."""
    return [(each.name, *_KINDS[each.metadata.get("kind", each.type)]) for each in fields(kind)]


class FileLine(int):
    """The number of a line in another file of a program than the one that was asked for: in print it says which.

    >>> f"{FileLine.of(12, 'cell/tools.mod')}", FileLine.of(12, "a.mod") == FileLine.of(12, "b.mod")
    ('12 of tools.mod', False)
    """

    file: str

    @classmethod
    def of(cls, line: int, file: str) -> FileLine:
        made = cls(line)
        made.file = file
        return made

    def __eq__(self, other: object) -> bool:
        return int(self) == other and getattr(other, "file", self.file) == self.file

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((int(self), self.file))

    def __str__(self) -> str:
        return f"{int(self)} of {PurePath(self.file).name}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec) if not spec else format(int(self), spec)


@dataclass(frozen=True, slots=True)
class Place(_Checked):
    """Where in a program: file, line and column (from 1), and the line itself."""

    file: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{int(self.line)}:{self.column}"


@dataclass(frozen=True, slots=True, eq=False)
class Joints(_Checked):
    """A target in joints. Joints beyond those given stay where they are.

    ``relative``: by so much from where they are.
    """

    q: tuple[float, ...]
    name: str = ""
    relative: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Pose(_Checked):
    """A target of the tool. Without a rotation the target is a point, and the orientation follows from the move."""

    position: tuple[float, float, float]
    rotation: Floats | None = field(default=None, metadata={"kind": "rotation"})  # (3, 3)
    name: str = ""
    branch: str = ""  # as `arm.inverse_kinematics` names them; "": the nearest; "keep, back": as it is, but for this
    status: int | None = None  # a number that the language keeps with a pose, kept as it is
    within: tuple[tuple[int, float, float], ...] = ()  # configuration: (joint, lowest, highest) that it is to have
    beside: float = 0.0  # rad: so far beside these a joint may be where nothing meets them, which is noted


Target = Joints | Pose


@dataclass(frozen=True, slots=True)
class Pace(_Checked):
    """How fast. What is None is left to the arm's limits; where several are given the slowest holds."""

    share: float | None = None  # of the joints' speed limits
    acceleration_share: float | None = None  # of the joints' acceleration limits
    speed: float | None = None  # of the tool, m/s
    acceleration: float | None = None  # of the tool, m/s^2
    turn: float | None = None  # of the tool, rad/s
    duration: float | None = None  # of the whole move, s
    axis_speed: float | None = None  # of the joint that has farthest to go, rad/s, in a joint move
    axis_acceleration: float | None = None  # of the same, rad/s^2


BlendKind = Literal["stop", "zone", "speed", "joint"]


@dataclass(frozen=True, slots=True)
class Blend(_Checked):
    """How a move goes over into the next one: it stops; or rounds the corner.

    ``zone``: leaves the path at this distance (m) before its end. ``speed``: keeps the tool's speed through the corner
    as far as the next move allows. ``joint``: joint moves overlap their braking and starting.
    """

    kind: BlendKind = "stop"
    radius: float | None = None


MoveKind = Literal["joint", "line", "circle"]
Orientation = Literal["variable", "constant", "path", "path-variable"]
# variable: turned evenly from start to end; constant: kept from the start; path: kept relative to the path's tangent;
# path-variable: relative to the path's tangent it turns evenly, so that the target's rotation is met at the end


@dataclass(frozen=True, slots=True, eq=False)
class Move(_Checked):
    """A joint-interpolated move, a line, or a circle through one via point. Other vias are passed, not touched."""

    kind: MoveKind
    target: Target
    place: Place
    via: tuple[Target, ...] = ()
    pace: Pace = field(default_factory=Pace)
    blend: Blend = field(default_factory=Blend)
    orientation: Orientation = "variable"


@dataclass(frozen=True, slots=True, eq=False)
class Follow(_Checked):
    """Joints at given times, to be followed as they are. Joined by straight lines, with speeds by cubics, with
    accelerations too by quintics; ``smooth`` makes speeds of positions alone."""

    times: tuple[float, ...]  # from 0 on, rising
    q: Floats = field(metadata={"kind": "table"})  # (k, n)
    place: Place
    qd: Floats | None = field(default=None, metadata={"kind": "table or none"})
    qdd: Floats | None = field(default=None, metadata={"kind": "table or none"})
    smooth: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Start(_Checked):
    """Where the arm is when the program begins: no motion. At most once, before the first move."""

    target: Target
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Dwell(_Checked):
    """The arm rests."""

    seconds: float
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Gripper(_Checked):
    """Open or close the gripper, and wait so long."""

    closed: bool
    place: Place
    seconds: float = 0.0


PayloadFrame = Literal["tool", "flange"]


@dataclass(frozen=True, slots=True, eq=False)
class Payload(_Checked):
    """What the arm holds from now on, in the tool frame or that of the flange; mass 0 is nothing.

    ``inertia`` (3, 3) is about its centre of mass, in axes of that frame; none for a point.
    """

    mass: float
    place: Place
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: Floats | None = field(default=None, metadata={"kind": "rotation"})  # (3, 3)
    frame: PayloadFrame = "tool"


@dataclass(frozen=True, slots=True, eq=False)
class Tool(_Checked):
    """From now on poses mean this frame, T_flange_tool: relative to the arm's own tool frame."""

    T: Floats = field(metadata={"kind": "pose"})  # (4, 4)
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Signal(_Checked):
    """An event with no motion, kept for the time line: an output set, an input waited for."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Endless(Signal):
    """A loop that never ends was left, after so many cycles; ``place`` is where it begins."""

    cycles: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Assumed(Signal):
    """Something that the program does not say, and what was taken for it; ``cure`` tells how to give it."""

    cure: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Lacking(Assumed):
    """Something that the program moves and the arm has not, such as an axis beside it: the arm cannot do this."""


NOTHING_MOVES = "with what is assumed nothing moves"  # how an `Assumed` of a program begins that makes no move
NOTHING_IN_IT = "nothing moves; there is no"  # and of one that has none in it, whatever is assumed

Command = Start | Move | Follow | Dwell | Gripper | Payload | Tool | Signal


def _is_number(value: Any) -> bool:
    return type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))


def _is_whole(value: Any) -> bool:
    return _is_number(value) and float(value).is_integer()


def _are_numbers(value: Any, shape: tuple[int, ...] | None = None) -> bool:
    """Whether these are so many; without a shape, any in a row."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return False
    return (array.dtype.kind in "fiu" or not array.size) and (
        array.ndim == 1 if shape is None else array.shape == shape
    )


def _is_table(value: Any) -> bool:
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return False
    return array.ndim == 2 and array.dtype.kind in "fiu"


def _one_of(kind: Any) -> tuple[Callable[[Any], bool], str]:
    words = get_args(kind)
    return (lambda v: isinstance(v, str) and v in words), "one of " + ", ".join(f'"{word}"' for word in words)


def _a(*kinds: type) -> Callable[[Any], bool]:
    return lambda v: isinstance(v, kinds)


# by the types of fields, as they are written: whether a value is one, and what to give
_KINDS: dict[Any, tuple[Callable[[Any], bool], str]] = {
    "str": (_a(str), "a text"),
    "int": (_is_whole, "a whole number"),
    "int | None": (lambda v: v is None or _is_whole(v), "a whole number, or None"),
    "float": (_is_number, "a number"),
    "float | None": (lambda v: v is None or _is_number(v), "a number, or None"),
    "bool": (_a(bool, np.bool_), "True or False"),
    "tuple[float, ...]": (_are_numbers, "numbers, one for each joint"),
    "tuple[float, float, float]": (lambda v: _are_numbers(v, (3,)), "three numbers"),
    "rotation": (lambda v: v is None or _are_numbers(v, (3, 3)), "a rotation (3, 3), or None"),
    "table": (lambda v: _is_table(v), "a row of joints for each time"),
    "table or none": (lambda v: v is None or _is_table(v), "a row of joints for each time, or None"),
    "pose": (lambda v: _are_numbers(v, (4, 4)), "a pose (4, 4)"),
    "Target": (_a(Joints, Pose), "a Joints or a Pose"),
    "tuple[Target, ...]": (
        lambda v: isinstance(v, tuple | list) and all(isinstance(each, Joints | Pose) for each in v),
        "a tuple of targets, such as (Pose((0.4, 0.1, 0.5)),)",
    ),
    "Place": (_a(Place), 'a Place, such as Place("tour", 1, 1)'),
    "Pace": (_a(Pace), "a Pace, such as Pace(speed=0.2)"),
    "Blend": (_a(Blend), 'a Blend, such as Blend("zone", 0.01)'),
    "BlendKind": _one_of(BlendKind),
    "MoveKind": _one_of(MoveKind),
    "Orientation": _one_of(Orientation),
    "PayloadFrame": _one_of(PayloadFrame),
    "tuple[tuple[int, float, float], ...]": (
        lambda v: isinstance(v, tuple) and all(_are_numbers(each, (3,)) for each in v),
        "conditions on joints: (joint, lowest, highest) each",
    ),
}


def checked_commands(commands: Iterable[Command]) -> Iterator[Command]:
    """The same, one by one; what is no command is refused."""
    if not isinstance(commands, Iterable) or isinstance(commands, str):
        raise ShapeError(f"commands are {commands!r:.60}", hint="give a list of them, such as [Move(...)]")
    for command in commands:
        if not isinstance(command, Command):
            known = ", ".join(kind.__name__ for kind in get_args(Command))
            raise ShapeError(f"{command!r:.60} is no command", hint=f"give {known}")
        yield command


def pose_matrix(pose: Pose, rotation: Floats) -> Floats:
    """T_base_tool (4, 4) of a pose, with the rotation that the move gives it."""
    T = np.eye(4)
    T[:3, :3] = rotation if pose.rotation is None else pose.rotation
    T[:3, 3] = pose.position
    return T
