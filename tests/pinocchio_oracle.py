"""The dynamics of a torsor Model by Pinocchio, built link by link through its API.

Shares no code with torsor.mechanics: base placement, fixed links, tails of joints and mimics are treated in other ways
(everything in the world frame, mimics as independent joints projected by K).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE


def se3(T: np.ndarray) -> pin.SE3:
    return pin.SE3(np.array(T[:3, :3]), np.array(T[:3, 3]))


def inertia_of(mass: Mass) -> pin.Inertia:
    return pin.Inertia(mass.mass, np.array(mass.com), np.array(mass.inertia))


class PinocchioArm:
    """Results for one state at a time, in the base axes of the model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.pin = pin.Model()
        self.pin.gravity.linear = np.array(model.gravity)
        self.joint_of: dict[int, int] = {}  # moving link -> Pinocchio joint
        self.at: dict[int, tuple[int, pin.SE3]] = {BASE: (0, se3(model.base))}  # link -> (joint, placement on it)
        for child in model.children(BASE):
            self._add(child)
        frames = {link.name: self.at[i] for i, link in enumerate(model.links)}
        frames |= {name: self._on(f.link, f.placement) for name, f in model.frames.items()}
        frames["tool"] = self._on(model.tool.link, model.tool.placement)
        if model.payload is not None:
            joint, placement = frames["tool"]
            self.pin.appendBodyToJoint(joint, inertia_of(model.payload), placement)
        kind = pin.FrameType.OP_FRAME
        self.frame_id = {
            name: self.pin.addFrame(pin.Frame(f"frame {name}", joint, placement, kind))
            for name, (joint, placement) in frames.items()
        }
        self.data = self.pin.createData()
        self.K, self.shift = self._coupling()
        self.R = np.array(model.base[:3, :3])

    def _on(self, link: int, placement: np.ndarray) -> tuple[int, pin.SE3]:
        joint, T = self.at[link]
        return joint, T * se3(placement)

    def _add(self, index: int) -> None:
        link = self.model.links[index]
        joint = link.joint
        carrier, T = self.at[link.parent]
        start, tail = T * se3(joint.before), se3(joint.after)
        if joint.kind == "fixed":
            self.at[index] = carrier, start * tail
        else:
            axis = np.array(joint.axis)
            kinds: dict[str, Any] = {
                "revolute": lambda: pin.JointModelRevoluteUnaligned(axis),
                "continuous": lambda: pin.JointModelRevoluteUnaligned(axis),  # unbounded has cos and sin as its q
                "prismatic": lambda: pin.JointModelPrismaticUnaligned(axis),
                "screw": lambda: pin.JointModelHelicalUnaligned(axis, joint.pitch),
            }
            self.joint_of[index] = self.pin.addJoint(carrier, kinds[joint.kind](), start, joint.name)
            self.at[index] = self.joint_of[index], tail
        if link.mass is not None:
            self.pin.appendBodyToJoint(self.at[index][0], inertia_of(link.mass), self.at[index][1])
        for child in self.model.children(index):
            self._add(child)

    def _coupling(self) -> tuple[np.ndarray, np.ndarray]:
        """q_pinocchio = K q + shift."""
        by_name = {link.joint.name: (i, link.joint) for i, link in enumerate(self.model.links)}

        def of(name: str) -> tuple[np.ndarray, float]:
            _, joint = by_name[name]
            if joint.mimic is None:
                return np.eye(self.model.n)[self.model.joint_names.index(name)], 0.0
            row, shift = of(joint.mimic.joint)
            return joint.mimic.factor * row, joint.mimic.factor * shift + joint.mimic.offset

        K, shift = np.zeros((self.pin.nv, self.model.n)), np.zeros(self.pin.nv)
        for name, (i, _) in by_name.items():
            if i in self.joint_of:
                v = self.pin.joints[self.joint_of[i]].idx_v
                K[v], shift[v] = of(name)
        return K, shift

    def q(self, q: np.ndarray) -> np.ndarray:
        return self.K @ q + self.shift

    def pose(self, q: np.ndarray, frame: str = "tool") -> np.ndarray:
        pin.framesForwardKinematics(self.pin, self.data, self.q(q))
        return (se3(self.model.base).inverse() * self.data.oMf[self.frame_id[frame]]).homogeneous

    def jacobian(self, q: np.ndarray, frame: str = "tool") -> np.ndarray:
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = pin.computeFrameJacobian(self.pin, self.data, self.q(q), self.frame_id[frame], world)
        return self._in_base(J.reshape(6, -1) @ self.K)  # (6,) for a single joint

    def jacobian_dot_qd(self, q: np.ndarray, qd: np.ndarray, frame: str = "tool") -> np.ndarray:
        pin.forwardKinematics(self.pin, self.data, self.q(q), self.K @ qd, np.zeros(self.pin.nv))
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        acceleration = pin.getFrameClassicalAcceleration(self.pin, self.data, self.frame_id[frame], world)
        return self._in_base(acceleration.vector[:, None])[:, 0]

    def inverse_dynamics(
        self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, wrench: np.ndarray | None = None
    ) -> np.ndarray:
        return self.K.T @ self._rnea(q, qd, qdd, wrench)

    def bearing_loads(
        self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, wrench: np.ndarray | None = None
    ) -> dict[str, np.ndarray]:
        """Link name -> force over moment on the joint's origin, in link axes."""
        self._rnea(q, qd, qdd, wrench)
        loads = {}
        for i, j in self.joint_of.items():
            link, f = self.model.links[i], self.data.f[j]
            R = link.joint.after[:3, :3].T
            loads[link.name] = np.concatenate([R @ f.linear, R @ f.angular])
        return loads

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        M = pin.crba(self.pin, self.data, self.q(q))
        return self.K.T @ (np.triu(M) + np.triu(M, 1).T) @ self.K

    def gravity(self, q: np.ndarray) -> np.ndarray:
        return self.K.T @ pin.computeGeneralizedGravity(self.pin, self.data, self.q(q))

    def coriolis_matrix(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return self.K.T @ pin.computeCoriolisMatrix(self.pin, self.data, self.q(q), self.K @ qd) @ self.K

    def energy(self, q: np.ndarray, qd: np.ndarray) -> tuple[float, float]:
        kinetic = pin.computeKineticEnergy(self.pin, self.data, self.q(q), self.K @ qd)
        potential = pin.computePotentialEnergy(self.pin, self.data, self.q(q))
        # Pinocchio counts from the world's origin, torsor from the base's
        moving = sum(inertia.mass for inertia in self.pin.inertias.tolist()[1:])
        return kinetic, potential + moving * float(self.model.gravity @ self.model.base[:3, 3])

    def _rnea(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, wrench: np.ndarray | None) -> np.ndarray:
        state = self.q(q), self.K @ qd, self.K @ qdd
        if wrench is None:
            return pin.rnea(self.pin, self.data, *state)
        pin.framesForwardKinematics(self.pin, self.data, state[0])
        joint, p = self.at[self.model.tool.link][0], self.data.oMf[self.frame_id["tool"]].translation
        force, moment = self.R @ wrench[:3], self.R @ wrench[3:]
        external = [pin.Force.Zero() for _ in range(self.pin.njoints)]
        external[joint] = self.data.oMi[joint].actInv(pin.Force(force, moment + np.cross(p, force)))
        return pin.rnea(self.pin, self.data, *state, external)

    def _in_base(self, twist: np.ndarray) -> np.ndarray:
        return np.concatenate([self.R.T @ twist[:3], self.R.T @ twist[3:]])
