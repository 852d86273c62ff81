"""Pinocchio with the arm's own numbers, as fast as it goes: its special joints where the axis is x, y or z."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.bench.peers import PeerMissing, peer
from torsor.model import BASE, Mass, Model
from torsor.model.transforms import Floats

KINDS = {"revolute": "Revolute", "continuous": "Revolute", "prismatic": "Prismatic"}
SHORT = {"revolute": "R", "continuous": "R", "prismatic": "P"}


class Pinocchio:
    """``model``, ``data`` and the id of the tool's ``frame``; states are those of torsor, in its order."""

    def __init__(self, model: Model) -> None:
        self.pin: Any = peer("pin")
        self.model: Any = self.pin.Model()
        self.model.gravity.linear = np.array(model.gravity)
        self._at: dict[int, tuple[int, Any]] = {BASE: (0, self._se3(model.base))}  # link -> joint, placement on it
        self._names: list[str] = []
        for child in model.children(BASE):
            self._add(model, child)
        if tuple(self._names) != model.joint_names:
            raise PeerMissing(f"Pinocchio has the joints of {model.name!r} in another order, or independent")
        joint, T = self._at[model.tool.link]
        T = T * self._se3(model.tool.placement)
        if model.payload is not None:
            self.model.appendBodyToJoint(joint, self._inertia(model.payload), T)
        self.frame: int = self.model.addFrame(self.pin.Frame("tool", joint, T, self.pin.FrameType.OP_FRAME))
        self.base: Floats = np.array(model.base)
        self.data: Any = self.model.createData()
        self.pool: Any = self.pin.ModelPool(self.model, 1)
        self.world: Any = self.pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

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
        M = np.array(self.pin.crba(self.model, self.data, q))
        return np.asarray(np.triu(M) + np.triu(M, 1).T)

    def jacobian(self, q: Floats) -> Floats:
        J = self.pin.computeFrameJacobian(self.model, self.data, q, self.frame, self.world)
        R = self.base[:3, :3].T
        return np.concatenate([R @ J[:3], R @ J[3:]])

    def pose(self, q: Floats) -> Floats:
        self.pin.framesForwardKinematics(self.model, self.data, q)
        return np.asarray(np.linalg.inv(self.base) @ self.data.oMf[self.frame].homogeneous)

    def inverse_dynamics_derivatives(self, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, ...]:
        self.pin.computeRNEADerivatives(self.model, self.data, q, qd, qdd)
        M = np.array(self.data.M)
        return np.array(self.data.dtau_dq), np.array(self.data.dtau_dv), np.triu(M) + np.triu(M, 1).T

    def forward_dynamics_derivatives(self, q: Floats, qd: Floats, tau: Floats) -> tuple[Floats, ...]:
        self.pin.computeABADerivatives(self.model, self.data, q, qd, tau)
        inverse = np.array(self.data.Minv)
        return np.array(self.data.ddq_dq), np.array(self.data.ddq_dv), np.triu(inverse) + np.triu(inverse, 1).T

    def _add(self, model: Model, index: int) -> None:
        link = model.links[index]
        joint = link.joint
        carrier, T = self._at[link.parent]
        start, tail = T * self._se3(joint.before), self._se3(joint.after)
        if joint.kind == "fixed":
            self._at[index] = carrier, start * tail
        else:
            if joint.kind not in KINDS:
                raise PeerMissing(f"{model.name!r} has a {joint.kind} joint, which is not compared")
            number = self.model.addJoint(carrier, self._joint(joint.kind, joint.axis), start, joint.name)
            self._names.append(joint.name)
            self._at[index] = number, tail
        if link.mass is not None:
            self.model.appendBodyToJoint(self._at[index][0], self._inertia(link.mass), self._at[index][1])
        for child in model.children(index):
            self._add(model, child)

    def _joint(self, kind: str, axis: Floats) -> Any:
        for letter, unit in zip("XYZ", np.eye(3), strict=True):
            if np.array_equal(axis, unit):
                return getattr(self.pin, f"JointModel{SHORT[kind]}{letter}")()
        return getattr(self.pin, f"JointModel{KINDS[kind]}Unaligned")(np.array(axis))

    def _se3(self, T: Floats) -> Any:
        return self.pin.SE3(np.array(T[:3, :3]), np.array(T[:3, 3]))

    def _inertia(self, mass: Mass) -> Any:
        return self.pin.Inertia(mass.mass, np.array(mass.com), np.array(mass.inertia))
