"""MuJoCo with the arm's own numbers: rigid links only, contacts and constraints off."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

from torsor.bench.peers import PeerMissing, peer
from torsor.errors import Unsupported
from torsor.model import Limits, Model
from torsor.model.mjcf_writer import write_mjcf
from torsor.model.parts import JointFriction
from torsor.model.transforms import Floats


class MuJoCo:
    """``model`` and ``data``. The order of joints is that of the bodies in depth, which is ours for a serial arm."""

    def __init__(self, model: Model) -> None:
        self.mujoco: Any = peer("mujoco")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the bare arm loses is no news
            try:
                text = write_mjcf(_bare(model))
            except Unsupported as error:
                raise PeerMissing(str(error)) from error
        self.model: Any = self.mujoco.MjModel.from_xml_string(text)
        off = self.mujoco.mjtDisableBit
        self.model.opt.disableflags |= int(off.mjDSBL_CONSTRAINT | off.mjDSBL_CONTACT)
        self.data: Any = self.mujoco.MjData(self.model)
        names = tuple(self.model.joint(i).name for i in range(self.model.njnt))
        if names != model.joint_names:
            raise PeerMissing(f"MuJoCo orders the joints of {model.name!r} in another way")

    @property
    def names(self) -> dict[str, Any]:
        return {"mujoco": self.mujoco, "model": self.model, "data": self.data}

    def inverse_dynamics(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        self.data.qpos[:], self.data.qvel[:], self.data.qacc[:] = q, qd, qdd
        self.mujoco.mj_inverse(self.model, self.data)
        found: Floats = self.data.qfrc_inverse.copy()
        return found

    def forward_dynamics(self, q: Floats, qd: Floats, tau: Floats) -> Floats:
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = q, qd, tau
        self.mujoco.mj_forward(self.model, self.data)
        found: Floats = self.data.qacc.copy()
        return found


def _bare(model: Model) -> Model:
    links = tuple(
        replace(link, joint=replace(link.joint, limits=Limits(), friction=JointFriction()), visuals=(), collisions=())
        for link in model.links
    )
    return replace(model, links=links, drives=(), base_visuals=(), base_collisions=())
