"""What an arm holds as its program has it: the one meaning of a payload, for all who follow programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.errors import ShapeError, TorsorError
from torsor.model import ranges
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Payload
from torsor.motion.planning.piece import placed


def holding(own: Arm, payload: Payload | None, T_flange_tool: Floats | None = None) -> Arm:
    """The arm with what a program has it hold, instead of all that it held; a mass of 0 is nothing.

    Without a payload in the program it is the arm as it is, with what its file has it hold. The place of a payload is
    in the frame of the tool that the program has mounted, ``T_flange_tool``, unless it says that of the flange. Who
    holds nothing before and after is the same arm.

    >>> import torsor
    >>> from torsor.motion.commands import Place
    >>> arm = torsor.load("planar2").with_payload(2.0)
    >>> [holding(arm, Payload(mass, Place("a.irl", 1, 1))).model.payload is None for mass in (0.0, 1.0)]
    [True, False]
    """
    if payload is None:
        return own
    require_sensible(payload, "the mass of the payload", payload.mass, ranges.PAYLOAD)
    require_sensible(payload, "the place of the payload", payload.com, ranges.PLACE)
    if payload.mass == 0.0 and own.model.payload is None:
        return own
    place, inertia = np.array(payload.com), payload.inertia
    if T_flange_tool is not None and payload.frame == "tool":
        R = T_flange_tool[:3, :3]
        place = R @ place + T_flange_tool[:3, 3]
        inertia = None if inertia is None else R @ inertia @ R.T
    return own.with_payload(payload.mass, place, inertia)


def require_sensible(command: Command, name: str, values: ArrayLike, most: ranges.SensibleRange) -> None:
    """Refuses numbers of a command that make none, at its place in the program."""
    try:
        most.refuse(name, values)
    except ShapeError as error:
        raise placed(TorsorError(error.problem, hint=error.hint), command.place) from None
