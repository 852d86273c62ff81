"""Exudyn on the models of large motion: elastic links as ANCF cables in the plane, steps of time fixed.

Two links that torques swing, and the beam of Simo and Vu-Quoc that is spun up. Its own adaptive step, which would make
it slower by a factor that depends on the machine, is off; loads that depend on time are compiled by Exudyn itself, so
that no Python runs while it steps.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from torsor.bench.peers import peer
from torsor.model.transforms import Floats


@dataclass(frozen=True)
class ExudynSteps:
    """How it steps: elements of a link, s, and the spectral radius of generalised-alpha."""

    elements: int
    dt: float
    radius: float = 0.8
    tolerance: float = 1e-6  # of Newton's method, relative; a hundredth of it absolute
    every: float = 0.05  # s between the samples that are kept
    modified: bool = True  # Newton's method keeps its slopes while that goes well, as Exudyn does without a word
    dense: bool = True  # its own linear solver, which is its fastest for few unknowns; else Eigen's sparse one

    def __str__(self) -> str:
        newton = f"{'modified' if self.modified else 'full'} Newton's method to {self.tolerance:g}"
        solver = f"{'its own dense' if self.dense else 'a sparse'} solver"
        return (
            f"steps of {1e3 * self.dt:g} ms, fixed; generalised-alpha {self.radius:g}, {newton}, {solver}, one thread"
        )


class ExudynModel:
    """A system ready to step; ``run`` begins anew each time."""

    def __init__(self, steps: ExudynSteps, until: float) -> None:
        self.exu: Any = peer("exudyn")
        from exudyn import beams, itemInterface

        self.beams, self.items = beams, itemInterface
        self.steps, self.until = steps, until
        self.container: Any = self.exu.SystemContainer()
        self.mbs: Any = self.container.AddSystem()
        self.sensors: list[Any] = []

    def cable(
        self, start: float, end: float, *, EI: float, EA: float, per_length: float, pinned: bool
    ) -> dict[str, Any]:
        """A beam along x; its elements and nodes."""
        template = self.items.ObjectANCFCable2D(
            physicsMassPerLength=per_length, physicsBendingStiffness=EI, physicsAxialStiffness=EA
        )
        fixed = [1, 1, 0, 0] if pinned else [0] * 4
        found: dict[str, Any] = self.beams.GenerateBeamElementsAlongLine(
            self.mbs, [start, 0, 0], [end, 0, 0], self.steps.elements, template,
            groundConstraintsStart=fixed, groundConstraintsEnd=[0] * 4,
        )  # fmt: skip
        return found

    def at_node(self, node: Any) -> Any:
        return self.mbs.AddMarker(self.items.MarkerNodePosition(nodeNumber=node))

    def on_element(self, element: Any, along: float) -> Any:
        marker = self.items.MarkerBodyRigid(bodyNumber=element, localPosition=[along, 0, 0])
        return self.mbs.AddMarker(marker)

    def hinge(self, *markers: Any) -> None:
        self.mbs.AddObject(self.items.RevoluteJoint2D(markerNumbers=list(markers)))

    def held(self, node: Any, coordinate: int, offset: Callable[..., Any] | None = None) -> None:
        """A coordinate of a node on the ground, or moved by a function of time."""
        ground = self.mbs.AddNode(self.items.NodePointGround())
        markers = [
            self.mbs.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=each, coordinate=k))
            for each, k in ((ground, 0), (node, coordinate))
        ]
        placed = self.mbs.AddObject(self.items.CoordinateConstraint(markerNumbers=markers))
        if offset is not None:
            from exudyn.advancedUtilities import CreateSymbolicUserFunction

            function = CreateSymbolicUserFunction(self.mbs, offset, "offsetUserFunction", placed)
            self.mbs.SetObjectParameter(placed, "offsetUserFunction", function)

    def torque(self, marker: Any, law: Callable[[Any], Any]) -> None:
        from exudyn.advancedUtilities import CreateSymbolicUserFunction

        symbolic = self.exu.symbolic

        def load(mbs: Any, t: Any, given: Any) -> Any:
            return symbolic.Vector([0, 0, law(t)])

        placed = self.mbs.AddLoad(
            self.items.LoadTorqueVector(markerNumber=marker, loadVector=[0, 0, 1], loadVectorUserFunction=0)
        )
        function = CreateSymbolicUserFunction(self.mbs, load, "loadVectorUserFunction", placed)
        self.mbs.SetLoadParameter(placed, "loadVectorUserFunction", function)

    def watch(self, *nodes: Any) -> None:
        kind = self.exu.OutputVariableType.Position
        sensors = [self.items.SensorNode(nodeNumber=k, storeInternal=True, outputVariableType=kind) for k in nodes]
        self.sensors = [self.mbs.AddSensor(sensor) for sensor in sensors]
        self.mbs.Assemble()

    @property
    def settings(self) -> Any:
        found = self.exu.SimulationSettings()
        time, steps = found.timeIntegration, self.steps
        time.numberOfSteps, time.endTime = round(self.until / steps.dt), self.until
        time.adaptiveStep, time.automaticStepSize = False, False
        time.generalizedAlpha.spectralRadius = steps.radius
        time.newton.useModifiedNewton = steps.modified
        time.newton.relativeTolerance, time.newton.absoluteTolerance = steps.tolerance, 1e-2 * steps.tolerance
        kinds = self.exu.LinearSolverType
        found.linearSolver.solverType = kinds.EXUdense if steps.dense else kinds.EigenSparse
        found.parallel.numberOfThreads = 1
        found.solution.sensors.writePeriod = steps.every
        found.solution.file.write = False
        return found

    def run(self) -> tuple[Floats, ...]:
        """Times, and where each of the nodes is that are watched, (times, 2)."""
        self.mbs.SolveDynamic(self.settings)
        found = [np.array(self.mbs.GetSensorStoredData(sensor)) for sensor in self.sensors]
        return found[0][:, 0], *(each[:, 1:3] for each in found)


def two_links(
    steps: ExudynSteps,
    until: float,
    *,
    EI: float,
    EA: float,
    per_length: float,
    tip_mass: float,
    torques: Sequence[float],
) -> ExudynModel:
    """Two links of 1 m with point masses at elbow and tip; torques are sines of one period a second, for a second."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = ExudynModel(steps, until)
        mbs, items = model.mbs, model.items
        of = {"EI": EI, "EA": EA, "per_length": per_length}
        first, second = model.cable(0.0, 1.0, pinned=True, **of), model.cable(1.0, 2.0, pinned=False, **of)
        model.hinge(model.at_node(first["nodes"][-1]), model.at_node(second["nodes"][0]))
        for beam, x in ((first, 1.0), (second, 2.0)):
            point = mbs.AddNode(items.NodePoint2D(referenceCoordinates=[x, 0]))
            mbs.AddObject(items.MassPoint2D(nodeNumber=point, mass=tip_mass))
            model.hinge(model.at_node(point), model.at_node(beam["nodes"][-1]))
        length = 1.0 / steps.elements
        base, elbow = model.on_element(first["elements"][0], 0.0), model.on_element(second["elements"][0], 0.0)
        reaction = model.on_element(first["elements"][-1], length)
        symbolic = model.exu.symbolic
        for marker, size in ((base, torques[0]), (elbow, torques[1]), (reaction, -torques[1])):

            def law(t: Any, size: float = size) -> Any:
                swung = symbolic.Real(size) * symbolic.sin(symbolic.Real(2.0 * pi) * t)
                return symbolic.IfThenElse(t < symbolic.Real(1.0), swung, symbolic.Real(0.0))

            model.torque(marker, law)
        model.watch(second["nodes"][-1])
        return model


def spun_up(
    steps: ExudynSteps,
    until: float,
    *,
    length: float,
    EI: float,
    EA: float,
    per_length: float,
    speed: float,
    rise: float,
) -> ExudynModel:
    """A beam clamped to a hub that is brought to a speed (rad/s) in a time (s), as Simo and Vu-Quoc have it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = ExudynModel(steps, until)
        mbs, items, symbolic = model.mbs, model.items, model.exu.symbolic
        hub = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[0, 0, 0]))
        body = mbs.AddObject(items.ObjectRigidBody2D(nodeNumber=hub, mass=1, inertia=1))
        model.held(hub, 0)
        model.held(hub, 1)

        def turned(mbs: Any, t: Any, item: Any, offset: Any) -> Any:
            real, W, T = symbolic.Real, speed, rise
            wave = real((T / (2.0 * pi)) ** 2) * (symbolic.cos(real(2.0 * pi / T) * t) - real(1.0))
            rising = real(W / T) * (real(0.5) * t * t + wave)
            return symbolic.IfThenElse(t < real(T), rising, real(W) * t - real(0.5 * W * T))

        model.held(hub, 2, turned)
        beam = model.cable(0.0, length, EI=EI, EA=EA, per_length=per_length, pinned=False)
        ends = [
            mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, 0])),
            model.on_element(beam["elements"][0], 0.0),
        ]
        mbs.AddObject(items.GenericJoint(markerNumbers=ends, constrainedAxes=[1, 1, 0, 0, 0, 1]))
        model.watch(beam["nodes"][-1])
        return model


def elastic_rod(
    steps: ExudynSteps, until: float, *, crank: float, length: float, EI: float, EA: float, per_length: float,
    speed: float, rise: float,
) -> ExudynModel:  # fmt: skip
    """The rod of a slider-crank that is brought to a speed (rad/s) in a time (s): ends and middle are watched."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = ExudynModel(steps, until)
        rod = model.cable(crank, crank + length, EI=EI, EA=EA, per_length=per_length, pinned=False)
        nodes, symbolic = rod["nodes"], model.exu.symbolic
        real, W, T = symbolic.Real, speed, rise

        def angle(t: Any) -> Any:
            rising = real(0.5 * W) * (t - real(T / pi) * symbolic.sin(real(pi / T) * t))
            return symbolic.IfThenElse(t < real(T), rising, real(W) * (t - real(0.5 * T)))

        def along(mbs: Any, t: Any, item: Any, offset: Any) -> Any:
            return real(crank) * symbolic.cos(angle(t)) - real(crank)

        def across(mbs: Any, t: Any, item: Any, offset: Any) -> Any:
            return real(crank) * symbolic.sin(angle(t))

        model.held(nodes[0], 0, along)
        model.held(nodes[0], 1, across)
        model.held(nodes[-1], 1)
        model.watch(nodes[0], nodes[steps.elements // 2], nodes[-1])
        return model


def spin_angle(t: Floats, speed: float, rise: float) -> Floats:
    """How far the hub has turned, rad."""
    rising = speed / rise * (0.5 * t * t + (rise / (2.0 * pi)) ** 2 * (np.cos(2.0 * pi * t / rise) - 1.0))
    return np.where(t < rise, rising, speed * (t - 0.5 * rise))
