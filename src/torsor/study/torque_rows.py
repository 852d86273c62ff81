"""What a motion takes, sample by sample and by parts: of the arm as it is, and of one unit more of what varies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.checking.sampling import SampleBlock
from torsor.drives.friction import moving
from torsor.model.transforms import Floats
from torsor.study.peak_search import FINER


@dataclass(frozen=True, eq=False)
class TorquePart:
    """What a motion takes, by what it is proportional to."""

    torque: Floats  # (m, rows) at motors
    load: Floats  # (contacts, rows)
    joint_torque: Floats  # (n, rows)


@dataclass(frozen=True, eq=False)
class Rows:
    """Samples in a row and what is known of them. Rows come last: a motor's are neighbours in memory."""

    fixed: TorquePart
    parts: tuple[TorquePart, ...]  # for one unit of each thing that varies
    dry: Floats  # (contacts, rows) friction without load
    rubs: Floats  # (contacts, rows) of the load: mu sign(v)
    way: Floats  # (contacts, m, rows) from a contact's force to motor torques
    lower: Floats  # (m, rows) what motors give at their rates
    upper: Floats


def joined(parts: list[Any]) -> Any:
    return np.concatenate(parts) if parts else np.zeros(0)


def smooth_steps(block: SampleBlock) -> NDArray[np.bool_]:
    """(samples,) whether the motion is smooth from each sample to the next of its block."""
    same = (block.smooth[:-1] == block.smooth[1:]) & (block.owner[:-1] == block.owner[1:])
    return np.append(same & (np.diff(block.local) > 0.0), False)


def lines_of(block: SampleBlock) -> NDArray[np.intp]:
    return np.array([section.piece.command.place.line for section in block.sections])[block.owner]


def divided(block: SampleBlock) -> SampleBlock:
    """The block at times between its samples; where these are not of one smooth stretch, at the sample again."""
    smooth = smooth_steps(block)
    step = np.where(smooth, np.diff(block.local, append=block.local[-1]), 0.0)
    share = np.arange(1, FINER) / FINER
    local = (block.local[:, None] + step[:, None] * share).ravel()
    owner = np.repeat(block.owner, FINER - 1)
    q, qd, qdd = block.motion(owner, local)
    return replace(block, owner=owner, local=local, q=q, qd=qd, qdd=qdd)


def rows_of(sampled: Mapping[str, list[SampleBlock]]) -> Rows:
    """Of blocks, by the name of what is one unit more."""
    words = tuple(TorquePart.__dataclass_fields__)

    def whole(found: list[SampleBlock]) -> TorquePart:
        """All of it: what is one unit's is the difference of two."""
        parts = [_part(block) for block in found]
        return TorquePart(*(_last(joined([getattr(part, word) for part in parts])) for word in words))

    together = {name: whole(found) for name, found in sampled.items()}
    fixed = together.pop("")
    parts = [TorquePart(*(getattr(each, word) - getattr(fixed, word) for word in words)) for each in together.values()]
    friction = [_friction(block) for block in sampled[""]]
    return Rows(fixed, tuple(parts), *(_last(joined([each[k] for each in friction])) for k in range(5)))


def _last(rows: Floats) -> Floats:
    """(rows, ...) with rows as the last dimension."""
    return np.ascontiguousarray(np.moveaxis(rows, 0, -1))


def _part(block: SampleBlock) -> TorquePart:
    """Rows first, as blocks have them."""
    machine, motion = block.machine, (block.q, block.qd, block.qdd)
    drives = machine.driven.drives
    wrench = machine.wrench
    kernel = drives.kernel("split", wrench=wrench is not None)
    given = motion if wrench is None else (*motion, wrench)
    links, rotors = drives.called(kernel, *given)
    torque = drives.gearing.to_motors(block.q, links + rotors)
    at_motors = drives.gearing.to_motors(block.q, links)
    load = [contact.pick(at_motors, links) for contact in drives.contacts]
    joint_torque = machine.arm.inverse_dynamics(*motion, wrench=wrench)
    return TorquePart(torque, np.stack(load, axis=-1) if load else np.zeros((len(block.q), 0)), joint_torque)


def _friction(block: SampleBlock) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Friction without load, what it takes of the load, the way to motors, what motors give; rows first."""
    drives = block.machine.driven.drives
    rates = drives.rates(block.q, block.qd)
    count, n, m = len(block.q), len(block.machine.joints), drives.m
    dry, rubs = np.zeros((2, count, len(drives.contacts)))
    way = np.zeros((count, len(drives.contacts), m))
    for c, contact in enumerate(drives.contacts):
        v = np.asarray(contact.pick(rates, block.qd))
        dry[:, c] = moving(contact.law, v, np.sign(v), 0.0)
        rubs[:, c] = contact.law.load * np.sign(v)
        if contact.motor is None:
            way[:, c] = drives.gearing.to_motors(block.q, np.broadcast_to(np.eye(n)[contact.joint], (count, n)))
        else:
            way[:, c, contact.motor] = 1.0
    return dry, rubs, way, *drives.available(rates)
