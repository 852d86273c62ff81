"""Simulations as a base of studies: a scenario whose gains, payload, friction and start vary, in rollouts.

Runs are stepped together, by one integrator for all: it is chosen once, for the study, so that what a run gives does
not depend on who is stepped beside it.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from torsor.errors import StudyError, TorsorError
from torsor.model.transforms import Floats
from torsor.scenarios import Scenario, read
from torsor.scenarios.streamed import Streamed
from torsor.scenarios.tuning import Knob, Tuned
from torsor.simulation import Run, SimulationNotice, measures
from torsor.simulation.described_arm import FRICTION, PAYLOAD
from torsor.study.base import ChunkOutcome, Portions, RunColumns, StudyOutput, arm_digest, digest

START, FACTOR = "start.", ".factor"
LANES = 64  # runs that are stepped together
MOMENTS = 100  # at which signals are kept, without a word
STIFF = 1e-8  # tolerance where stiffness chose the implicit steps, as single runs have it
SIGNALS = {"q": "rad (m)", "qd": "rad/s (m/s)", "tau": "N m (N)"}


@dataclass(frozen=True, eq=False)
class SimulationBase:
    """A scenario. ``signals`` of "q", "qd" and "tau" are kept at so many ``moments`` besides the figures.

    Gains vary by their names: ``Kp`` is one number for all joints, ``Kp.joint2`` that of one, ``Kp.factor`` multiplies
    what the scenario says; ``start.joint1`` is where a joint begins.
    """

    scenario: Scenario
    signals: tuple[str, ...] = ()
    moments: int = MOMENTS
    is_settled: bool = False

    kind: ClassVar[str] = "simulation"

    @classmethod
    def of(cls, scenario: str | os.PathLike[str] | Scenario, **settings: Any) -> SimulationBase:
        return cls(scenario if isinstance(scenario, Scenario) else read(scenario), **settings)

    def __post_init__(self) -> None:
        for name in self.signals:
            if name not in SIGNALS:
                raise StudyError(f"there is no signal {name!r}", hint=f"known: {', '.join(SIGNALS)}")
        if self.moments < 2:
            raise StudyError(f"moments is {self.moments}", hint="two or more")

    def __reduce__(self) -> tuple[Any, ...]:
        """Without what was compiled here: it is compiled there anew."""
        return type(self), (self.scenario, self.signals, self.moments, self.is_settled)

    @cached_property
    def _tuned(self) -> Tuned:
        return Tuned(self.scenario)

    @cached_property
    def _knobs(self) -> dict[str, Knob]:
        """Gains that are numbers, one for each of something."""
        return {knob.name: knob for knob in self._tuned.knobs if np.ndim(knob.values) <= 1}

    @cached_property
    def variable(self) -> dict[str, str]:
        arm, found = self.scenario.arm, {PAYLOAD: "kg, held at the tool point", FRICTION: "factor, of all friction"}
        for name, knob in self._knobs.items():
            found |= {name: f"gain, {knob.unit}", f"{name}{FACTOR}": "factor, of the scenario's gain"}
            if np.ndim(knob.values) == 1 and len(knob.values) == arm.n:
                found |= {f"{name}.{joint}": f"gain of {joint}, {knob.unit}" for joint in arm.joint_names}
        return found | {f"{START}{joint}": "rad (m), where it begins" for joint in arm.joint_names}

    @cached_property
    def _motors(self) -> tuple[str, ...]:
        plant = self._tuned.simulation.plant() if self._knobs else self.scenario.simulation.plant()
        return tuple(self.scenario.arm.joint_names if plant.is_direct else plant.drives.names)

    @cached_property
    def outputs(self) -> dict[str, StudyOutput]:
        of = "tool" if self.scenario.tool else "joints"
        found = {
            "good": StudyOutput("", "1 where the motion stayed finite and within limits to its end, 0 where not"),
            "settling_time": StudyOutput("s", f"until all {of} stay within the scenario's band; NaN where they do not"),
            "overshoot": StudyOutput("rad (m)", f"the most that one of the {of} goes beyond its target"),
            "rms_error": StudyOutput("rad (m)", f"root mean square error of the worst of the {of}"),
            "final_error": StudyOutput("rad (m)", f"the largest error at the end, of the {of}"),
            "peak_torque": StudyOutput("N m (N)", "the largest torque of a motor"),
            "work": StudyOutput("J", "of all motors, what they gave and took back"),
        }
        found |= {f"peak_torque.{name}": StudyOutput("N m (N)", f"largest torque of {name}") for name in self._motors}
        for name in self.signals:
            count = len(self._motors) if name == "tau" else self.scenario.arm.n
            dims = ("moment", len(self._kept)), ("motor" if name == "tau" else "joint", count)
            found[name] = StudyOutput(SIGNALS[name], f"{name} at {len(self._kept)} moments", dims)
        return found

    @property
    def usual(self) -> tuple[str, ...]:
        errors = ("settling_time", "overshoot", "rms_error", "final_error") if self.scenario.reference else ()
        return ("good", *errors, "peak_torque", "work", *self.signals)

    @cached_property
    def _kept(self) -> NDArray[np.intp]:
        """Which of the states are kept as signals."""
        states = round(self.scenario.duration / (self.scenario.dt * self.scenario.every)) + 1
        return np.unique(np.linspace(0, states - 1, min(self.moments, states)).round().astype(np.intp))

    @property
    def contents(self) -> dict[str, str]:
        """The scenario by what its simulation is, which holds arm, law, reference and setting."""
        s = self.scenario
        simulation = self._tuned.simulation if self._knobs else s.simulation
        gains = {name: knob.values for name, knob in self._knobs.items()}
        followed = None if s.reference is None else np.asarray(s.target(np.linspace(0.0, s.duration, 1001)))
        asked = digest(simulation.key, gains, followed, s.q0, s.qd0, s.duration, s.dt, s.every, s.payload, s.settled)
        return {"arm": arm_digest(s.arm), "scenario": asked, "settings": digest(self.signals, self.moments)}

    # runs

    def portions(self, varied: tuple[str, ...], outputs: tuple[str, ...]) -> Portions:
        return Portions(512)

    def settled(self, inputs: RunColumns) -> SimulationBase:
        """With the integrator that suits the loop, where the scenario leaves it open: seen at some of the runs."""
        s = self.scenario
        if self.is_settled or s.settings.get("integrator") is not None:
            return replace(self, is_settled=True)
        short = replace(self, scenario=replace(s, duration=s.dt, every=1, payload=None))
        run = short._run({name: values for name, values in inputs.items() if name != PAYLOAD or s.payload is None})
        if any("steps of rk4 are made" in note for note in run.notes):
            said = next(note for note in run.notes if "steps of rk4" in note)
            raise StudyError(f"dt = {s.dt:g} s is too long for a study: {said}", hint="a shorter dt in the scenario")
        chosen: dict[str, Any] = {"integrator": run.integrator}
        if run.integrator == "rosenbrock":
            chosen["tolerance"] = s.settings.get("tolerance") or STIFF
        return replace(self, scenario=replace(s, settings={**s.settings, **chosen}), is_settled=True)

    def evaluate(self, inputs: RunColumns, outputs: tuple[str, ...]) -> ChunkOutcome:
        count = len(next(iter(inputs.values())))
        sizes = {name: tuple(size for _, size in self.outputs[name].dims) for name in outputs}
        found = ChunkOutcome({name: np.full((count, *sizes[name]), np.nan) for name in outputs})
        refused = self._refused(inputs, count)
        found.failures.update(refused)
        whole = np.array([row for row in range(count) if row not in refused], dtype=np.intp)
        for start in range(0, len(whole), LANES):
            rows = whole[start : start + LANES]
            try:
                run = self._run({name: values[rows] for name, values in inputs.items()})
            except TorsorError as error:
                found.failures.update((int(row), str(error)) for row in rows)
                continue
            figures = self._figures(run)
            for name in outputs:
                found.values[name][rows] = figures[name]
        return found

    def _refused(self, inputs: RunColumns, count: int) -> dict[int, str]:
        """Runs with values that no law or arm has."""
        refused: dict[int, str] = {}
        for name, values in inputs.items():
            wrong = ~np.isfinite(values)
            if not name.startswith(START):
                wrong |= values < 0.0
            if name.split(".")[0] in self._knobs:
                wrong |= values <= 0.0
            for row in np.flatnonzero(wrong).tolist():
                refused.setdefault(row, f"{name} is {values[row]:g}")
        return refused

    def _run(self, inputs: RunColumns) -> Run:
        s, count = self.scenario, len(next(iter(inputs.values())))
        q0 = np.tile(s.q0, (count, 1))
        for k, joint in enumerate(s.arm.joint_names):
            if f"{START}{joint}" in inputs:
                q0[:, k] = inputs[f"{START}{joint}"]
        parameters: dict[str, Any] = {word: inputs[word] for word in (PAYLOAD, FRICTION) if word in inputs}
        if PAYLOAD in parameters and s.payload is not None:
            hint = "leave one of them out"
            raise StudyError("the payload varies, and the scenario has it change on the way", hint=hint)
        for name, knob in self._knobs.items():
            parameters[name] = self._gain(name, knob, inputs, count)
        simulation = self._tuned.simulation if self._knobs else s.simulation
        schedule = s.reference.schedule if isinstance(s.reference, Streamed) and callable(s.law) else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SimulationNotice)
            return simulation.run(
                q0=q0, qd0=np.tile(s.qd0, (count, 1)), until=s.duration, dt=s.dt, every=s.every, payload=s.payload,
                parameters=parameters, schedule=schedule, threads=1,
            )  # fmt: skip

    def _gain(self, name: str, knob: Knob, inputs: RunColumns, count: int) -> Floats:
        """(runs, ...) values of a gain."""
        nominal = np.asarray(knob.values, dtype=np.float64)
        value = np.repeat(nominal[None], count, axis=0)

        def each(column: Floats) -> Floats:
            return column.reshape(-1, *(1,) * nominal.ndim)

        if name in inputs:
            value = np.broadcast_to(each(inputs[name]), value.shape).copy()
        if f"{name}{FACTOR}" in inputs:
            value = value * each(inputs[f"{name}{FACTOR}"])
        for k, joint in enumerate(self.scenario.arm.joint_names):
            if f"{name}.{joint}" in inputs:
                value[:, k] = inputs[f"{name}.{joint}"]
        return value

    def _figures(self, run: Run) -> RunColumns:
        """Of all rollouts, by name; NaN of those that did not come to their end."""
        whole = np.asarray(np.isfinite(run.q[:, -1]).all(axis=-1))
        left = {event.name for event in run.events}
        good = whole & ~np.array([any(name.startswith(f"rollout {k}:") for name in left) for k in range(len(whole))])
        with np.errstate(all="ignore"):
            size = np.abs(measures.peak(run.tau))
            found: RunColumns = {"good": good.astype(float), "peak_torque": size.max(axis=-1)}
            found["work"] = _total(measures.work(run.time, run.tau, run.rates))
            found |= {f"peak_torque.{name}": size[:, k] for k, name in enumerate(run.motors)}
            found |= self._errors(run)
            found |= {name: getattr(run, name)[:, self._kept] for name in self.signals}
        for name in found:
            if name != "good":
                found[name] = np.where(whole.reshape(-1, *(1,) * (found[name].ndim - 1)), found[name], np.nan)
        return found

    def _errors(self, run: Run) -> RunColumns:
        words = ("settling_time", "overshoot", "rms_error", "final_error")
        target = self.scenario.target(run.time)
        if target is None:
            return {word: np.full(len(run.q), np.nan) for word in words}
        at = run.arm.pose(run.q)[..., :3, 3] if self.scenario.tool else run.q
        if (target == target[0]).all():
            over = measures.overshoot(at, target)
        else:
            beyond = np.maximum(at.max(axis=-2) - target.max(axis=0), target.min(axis=0) - at.min(axis=-2))
            over = np.maximum(beyond, 0.0)
        each = (
            measures.settling_time(run.time, at, target, self.scenario.settled), over,
            measures.rms_error(run.time, at, target), np.abs(at[:, -1] - target[-1]),
        )  # fmt: skip
        return {word: values.max(axis=-1) for word, values in zip(words, each, strict=True)}


def _total(each: Floats) -> Floats:
    """Sums (runs,) of columns, one after the other: the same to the last bit however many runs there are."""
    total = np.zeros(len(each))
    for column in each.T:
        total = total + column
    return total
