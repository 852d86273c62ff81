"""Pinocchio with the arm's own numbers, as fast as it goes: one body a joint, each joint its special one about z."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.bench.peers import PeerMissing, peer
from torsor.mechanics.tree import lower
from torsor.model import Model
from torsor.model.transforms import Floats


class Pinocchio:
    """``model``, ``data`` and the id of the tool's ``frame``; states are those of torsor, in its order."""

    def __init__(self, model: Model) -> None:
        pin = self.pin = peer("pin")
        tree = lower(model)
        if not tree.is_direct or any(body.turn and body.slide for body in tree.bodies):
            raise PeerMissing(f"{model.name!r} has a screw or a joint that follows another, which is not compared")
        self.model: Any = pin.Model()
        self.model.gravity.linear = tree.gravity
        for body in tree.bodies:
            kind = pin.JointModelRZ() if body.turn else pin.JointModelPZ()
            joint = self.model.addJoint(body.parent + 1, kind, pin.SE3(body.rotation, body.position), body.name)
            com = body.moment / (body.mass or 1.0)  # a body may have inertia alone
            inertia = body.inertia - body.mass * (com @ com * np.eye(3) - np.outer(com, com))
            self.model.appendBodyToJoint(joint, pin.Inertia(body.mass, com, inertia), pin.SE3.Identity())
        mount = tree.mount("tool")
        placed = pin.SE3(mount.rotation, mount.position)
        self.frame: int = self.model.addFrame(pin.Frame("tool", mount.body + 1, placed, pin.FrameType.OP_FRAME))
        self.data: Any = self.model.createData()
        self.pool: Any = pin.ModelPool(self.model, 1)
        self.world: Any = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    @property
    def names(self) -> dict[str, Any]:
        """What the timed statements speak of."""
        return {"pin": self.pin, "model": self.model, "data": self.data, "frame": self.frame, "WORLD": self.world}

    def inverse_dynamics(self, q: Floats, qd: Floats, qdd: Floats, out: Floats) -> None:
        """A batch of rows, one thread. Rows of ours are columns of theirs in the same memory."""
        self.pin.rneaInParallel(1, self.pool, q.T, qd.T, qdd.T, out.T)

    def forward_dynamics(self, q: Floats, qd: Floats, tau: Floats, out: Floats) -> None:
        self.pin.abaInParallel(1, self.pool, q.T, qd.T, tau.T, out.T)

    def mass_matrix(self, q: Floats) -> Floats:
        return _whole(self.pin.crba(self.model, self.data, q))

    def jacobian(self, q: Floats) -> Floats:
        return np.array(self.pin.computeFrameJacobian(self.model, self.data, q, self.frame, self.world))

    def pose(self, q: Floats) -> Floats:
        self.pin.framesForwardKinematics(self.model, self.data, q)
        return np.array(self.data.oMf[self.frame].homogeneous)

    def inverse_dynamics_derivatives(self, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, ...]:
        self.pin.computeRNEADerivatives(self.model, self.data, q, qd, qdd)
        return np.array(self.data.dtau_dq), np.array(self.data.dtau_dv), _whole(self.data.M)

    def forward_dynamics_derivatives(self, q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
        self.pin.computeABADerivatives(self.model, self.data, q, qd, tau)
        return np.array(self.data.ddq_dq), np.array(self.data.ddq_dv), _whole(self.data.Minv)


def _whole(upper: Any) -> Floats:
    """A symmetric matrix of which only the upper half was computed."""
    M = np.triu(np.array(upper))
    return np.asarray(M + np.triu(M, 1).T)
