"""An arm of Torsor as a Drake plant, built link by link: no code of torsor.mechanics, and no file in between."""

from __future__ import annotations

import numpy as np
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    JacobianWrtVariable,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    SpatialInertia,
    UnitInertia,
    WeldJoint,
)

from torsor.model import BASE, Mass, Model


def placed(T: np.ndarray) -> RigidTransform:
    return RigidTransform(RotationMatrix(np.array(T[:3, :3])), np.array(T[:3, 3]))


def inertia_of(mass: Mass | None) -> SpatialInertia:
    if mass is None or mass.mass == 0.0:
        return SpatialInertia.Zero()
    I = mass.inertia_about_origin / mass.mass
    unit = UnitInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    # published data, as the RL15's, need not be what a body can have
    return SpatialInertia(mass.mass, np.array(mass.com), unit, skip_validity_check=True)


def drake_can(model: Model) -> bool:
    """Drake has no body with inertia and without mass, as the PUMA's first link, of which only Izz is known."""
    return all(link.mass is None or link.mass.mass > 0.0 or not link.mass.inertia.any() for link in model.links)


class DrakeArm:
    """Results for one state at a time, in the base axes of the model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.plant = plant = MultibodyPlant(0.0)
        plant.mutable_gravity_field().set_gravity_vector(np.array(model.gravity))
        self.frames = {BASE: self._fixed("base", plant.world_frame(), model.base)}
        waiting = list(range(len(model.links)))
        while waiting:  # a file may list children first
            index = next(i for i in waiting if model.links[i].parent in self.frames)
            waiting.remove(index)
            self._add(index)
        self.tool = self._fixed("tool", self.frames[model.tool.link], model.tool.placement)
        if model.payload is not None:
            body = plant.AddRigidBody("payload", inertia_of(model.payload))
            plant.AddJoint(WeldJoint("payload", self.tool, body.body_frame(), RigidTransform()))
        plant.Finalize()
        self.context = plant.CreateDefaultContext()
        self.K, self.shift = self._coupling()

    def _fixed(self, name: str, parent: object, T: np.ndarray) -> FixedOffsetFrame:
        return self.plant.AddFrame(FixedOffsetFrame(f"{name} frame", parent, placed(T)))

    def _add(self, index: int) -> None:
        plant, link = self.plant, self.model.links[index]
        joint = link.joint
        body = plant.AddRigidBody(link.name, inertia_of(link.mass))
        self.frames[index] = body.body_frame()
        before = self._fixed(f"{joint.name} before", self.frames[link.parent], joint.before)
        after = self._fixed(f"{joint.name} after", body.body_frame(), np.linalg.inv(joint.after))
        axis = np.array(joint.axis)
        if joint.kind == "fixed":
            plant.AddJoint(WeldJoint(joint.name, before, after, RigidTransform()))
        elif joint.kind == "prismatic":
            plant.AddJoint(PrismaticJoint(joint.name, before, after, axis))
        elif joint.kind == "screw":  # Drake's pitch is that of a turn
            plant.AddJoint(ScrewJoint(joint.name, before, after, axis, 2.0 * np.pi * joint.pitch, 0.0))
        else:
            plant.AddJoint(RevoluteJoint(joint.name, before, after, axis))

    def _coupling(self) -> tuple[np.ndarray, np.ndarray]:
        """Drake's velocities are K qd, its positions K q + shift: a joint that follows another is free there."""
        names = {name: k for k, name in enumerate(self.model.joint_names)}
        K, shift = np.zeros((self.plant.num_velocities(), self.model.n)), np.zeros(self.plant.num_positions())
        moving = {link.joint.name: link.joint for link in self.model.links if link.joint.kind != "fixed"}
        for name, joint in moving.items():
            factor, offset = 1.0, 0.0
            while joint.mimic is not None:
                offset += factor * joint.mimic.offset
                factor *= joint.mimic.factor
                joint = moving[joint.mimic.joint]
            row = self.plant.GetJointByName(name).velocity_start()
            K[row, names[joint.name]], shift[row] = factor, offset
        return K, shift

    def _at(self, q: np.ndarray, qd: np.ndarray | None = None) -> None:
        self.plant.SetPositions(self.context, self.K @ q + self.shift)
        self.plant.SetVelocities(self.context, self.K @ (np.zeros(self.model.n) if qd is None else qd))

    def inverse_dynamics(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        self._at(q, qd)
        M = self.plant.CalcMassMatrixViaInverseDynamics(self.context)
        bias = self.plant.CalcBiasTerm(self.context) - self.plant.CalcGravityGeneralizedForces(self.context)
        return self.K.T @ (M @ (self.K @ qdd) + bias)

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        self._at(q)
        return self.K.T @ self.plant.CalcMassMatrix(self.context) @ self.K

    def forward_dynamics(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """M^-1 (tau - bias): Drake's own articulated bodies know nothing of joints that follow others."""
        return np.linalg.solve(self.mass_matrix(q), tau - self.inverse_dynamics(q, qd, np.zeros_like(q)))

    def gravity(self, q: np.ndarray) -> np.ndarray:
        self._at(q)
        return -self.K.T @ self.plant.CalcGravityGeneralizedForces(self.context)

    def pose(self, q: np.ndarray) -> np.ndarray:
        self._at(q)
        seen = self.tool.CalcPose(self.context, self.frames[BASE])
        return seen.GetAsMatrix4()

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Linear over angular, in base axes."""
        self._at(q)
        world, base = self.plant.world_frame(), self.frames[BASE]
        J = self.plant.CalcJacobianSpatialVelocity(
            self.context, JacobianWrtVariable.kV, self.tool, np.zeros(3), world, base
        )
        return np.concatenate([J[3:], J[:3]]) @ self.K
