"""Many tool paths followed at once, for programs of thousands of short moves: nodes of all of them in a few steps.

Each is as `Followed` finds it alone, but for rounding; what is not found here is left to that, which says why.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.paths.chain import Chain, apart, corrected, solved
from torsor.motion.paths.following import INTERVALS, MET, Followed, between_nodes
from torsor.motion.paths.many_paths import chosen, make_of_numbers, stacked
from torsor.motion.paths.tool_paths import ToolPath

_STRIDE = 0.25  # rad or m of a joint: targets that are no farther are found at once
_STRAIGHT = 0.25  # rad or m of a joint: what bends away farther from its first slope is not followed at once
_QUARTER = 1.0  # trace of a turn by a quarter of one: targets that are turned more are not found at once


def joints_along(chain: Chain, poses: Floats, q: Floats) -> Floats:
    """Joints (m, n) at the first m of poses (k, 4, 4), each near those before, from q (n,) at the first on.

    They end before what cannot be reached in this way; whether two of them are on one branch is not asked.
    """
    found = [q[None]]
    at, last = 1, len(poses)
    while at < last:
        T, J = chain.where(q[None])
        turn = np.einsum("kij,ij->k", poses[at:, :3, :3], T[0, :3, :3])
        step = solved(np.repeat(J, last - at, axis=0), apart(poses[at:], T))
        near = (np.abs(step).max(axis=1) < _STRIDE) & (turn > _QUARTER)  # NaN is not near
        count = max(int(np.argmin(near)) if not near.all() else len(near), 1)
        joints, _, met = corrected(chain, slice(None), poses[at : at + count], q + step[:count])
        if not met:
            break
        found.append(joints)
        q, at = joints[-1], at + count
    return np.concatenate(found)


def followed_between(
    chain: Chain, tools: Sequence[ToolPath], first: Floats, last: Floats, *, arm: AnyArm
) -> list[Followed | None]:
    """Tool paths whose joints are known at both ends, (paths, n) each; None for one that is not found in this way."""
    found: list[Followed | None] = [None] * len(tools)
    makes: dict[Hashable, list[int]] = {}
    for k, tool in enumerate(tools):
        if chain.n <= 6 and (make := make_of_numbers(tool)) is not None:
            makes.setdefault(make, []).append(k)
    for members in makes.values():
        alike = [tools[k] for k in members]
        for k, path in zip(members, _of_one_make(chain, alike, first[members], last[members], arm), strict=True):
            found[k] = path
    return found


def _of_one_make(
    chain: Chain, tools: Sequence[ToolPath], first: Floats, last: Floats, arm: AnyArm
) -> list[Followed | None]:
    count, nodes = len(tools), INTERVALS[0] + 1
    lengths, u = np.array([tool.length for tool in tools]), np.linspace(0.0, 1.0, nodes)
    which = np.repeat(np.arange(count), nodes)
    s = np.tile(u, count) * lengths[which]
    along = chosen(stacked(tools), which).at(s)
    twist = along.rates[0]
    ends = twist.reshape(count, nodes, -1)[:, [0, -1]]  # (paths, 2, 6)
    q = np.stack([first, last], axis=1)
    slopes = solved(chain.where(q.reshape(-1, chain.n))[1], ends.reshape(2 * count, -1)).reshape(q.shape)
    guess = between_nodes(s, lengths[which], q, slopes, which)
    joints, J, met = corrected(chain, slice(None), along.T, guess)
    if not met:
        if count == 1:
            return [None]
        half = count // 2
        halves = (slice(half), slice(half, None))
        return [path for part in halves for path in _of_one_make(chain, tools[part], first[part], last[part], arm)]
    found = joints.reshape(count, nodes, -1)
    dq = solved(J, twist).reshape(found.shape)
    with np.errstate(invalid="ignore"):
        missed = np.maximum(np.abs(found[:, 0] - first), np.abs(found[:, -1] - last)).max(axis=1)
        short = np.abs(dq[:, 0] * lengths[:, None]).max(axis=1) < 1.0
        ahead = found[:, :1] + (u * lengths[:, None])[..., None] * dq[:, :1]
        straight = np.abs(found - ahead).max(axis=(1, 2)) < _STRAIGHT
    good = (missed < MET) & short & straight
    return [
        Followed.through(chain, tool, found[k], dq[k], arm=arm) if good[k] else None for k, tool in enumerate(tools)
    ]
