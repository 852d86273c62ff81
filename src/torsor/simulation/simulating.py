"""``Simulation``: an arm under a law, traced; ``simulate``, which makes one and runs it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.elastic.coupled_equations import coupled_equations
from torsor.emit.page import described
from torsor.emit.recent import Recent
from torsor.errors import ShapeError, Unsupported
from torsor.simulation import requests
from torsor.simulation.bending import bent_of, bent_too_far, loops_held, loops_open, with_bending
from torsor.simulation.choosing import Choice, again, chosen, stepper_of
from torsor.simulation.described_arm import FRICTION, GRASPED, PAYLOAD, HeldAs, described_for
from torsor.simulation.driving import Course, Progress, drive
from torsor.simulation.events import Event, Watch, unseen, watch_of
from torsor.simulation.gathering import run_of
from torsor.simulation.outcome import Run
from torsor.simulation.parameter_values import Payloads, Schedule, at_first, values_of, with_bodies, with_payload
from torsor.simulation.plant import Plant
from torsor.simulation.recorded import Recorded, recorded
from torsor.simulation.rollouts import judged, together
from torsor.simulation.setting import Setting, SettingWords
from torsor.simulation.stepper import Stepper
from torsor.simulation.stiffness import grown
from torsor.simulation.surroundings import WrenchLike, wrench_of
from torsor.simulation.torques import Torque, name_of, notice, spoken_of, torque_of

if TYPE_CHECKING:
    from torsor.simulation.fmu_export import FmiVersion

LOOKED_AT = 8  # starts of rollouts that are asked whether the loop is stiff


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Simulation:
    """An arm under a law, ready to run: d(q, qd, x)/dt = (qd, M^-1 (tau - C qd - g - friction + J^T wrench), xdot).

    ``law`` is motor torques (m,) that are held (joint torques where the arm has no drives); or a table (steps, m), each
    row held for ``dt``; or a function ``law(t, q, qd)``, or ``law(t, q, qd, x) -> (torques, xdot)`` of an object with
    ``states``; or `Sampled`. A law written with NumPy on its arguments, Arm methods and `torsor.algebra` is traced, and
    plant, law and integrator become one loop of machine code. Any other is called from Python, with a notice.

    - ``wrench`` on the tool: (6,), a function of t or of t, q and qd, `ContactSpring`, or a list of these;
    - ``events``: what to look for on the way, each an `Event`;
    - ``inertia`` (10 bodies,): instead of ``arm.parameters``; it may be written with `parameter`;
    - ``elastic=True``: links bend and joints give way, as the arm file describes it; q are the joints as their gears
      hold them, which is what motors see, and ``run.eta`` what springs and links do behind them; the last of
      ``run.notes`` says how closed the loops of an arm stayed;
    - ``drives=False`` simulates the links alone; ``torques``: "motor" or "joint", whose torques the law gives, without
      a word the motors', but of laws of `torsor.control` those they speak of (`law.gives`);
      ``saturation=False`` takes off the limits of motors (of joints where the arm has no drives);
    - ``gravity`` (3,): instead of the arm's, in world axes; ``by``: the formulation of forward dynamics;
    - ``limits``: where a joint reaches its position limit the run stops; or "report", "ignore", or `Buffers`;
    - ``integrator``: "rk4", "euler", "semi-implicit-euler" (teaching), "symplectic" (energy stays over long times),
      "dormand-prince" (steps to ``tolerance``), "rosenbrock" (stiff; with a ``tolerance`` it shortens its steps).
      Without a word it is rk4, or rosenbrock where the loop is too stiff for ``dt``, which it says.

    It is a value: law, wrench and events are traced when it is made, and stay as they were then. A gain that is changed
    later is in the next `Simulation`, not in this one. (Of a law that can only be called nothing is kept: it is asked
    on the way.) Two that simulate the same are equal, whoever made them; ``key`` says what by its content.

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> sim = torsor.Simulation(arm, torsor.control.pd_gravity(arm, 50.0, 20.0, [0.0, 0.0]), limits="ignore")
    >>> [bool(abs(sim.run(q0=[x, -0.2], until=3.0).q[-1]).max() < 5e-3) for x in (0.5, 0.6)]
    [True, True]
    """

    arm: Arm
    law: Any
    setting: Setting
    torque: Torque
    watch: Watch
    wrench: Recorded | None
    inertia: Recorded | None

    def __init__(
        self, arm: Arm, law: ArrayLike | Callable[..., Any], *, wrench: WrenchLike = None, events: Sequence[Event] = (),
        inertia: ArrayLike | None = None, **setting: Unpack[SettingWords],
    ) -> None:  # fmt: skip
        how = Setting(**setting)
        driven = bool(how.drives and arm.model.drives)
        m = len(arm.model.drives) if driven else arm.n
        whose = f"{arm.name!r} has {m} {'motors' if driven else 'joints'}"
        how = replace(how, torques=how.torques or (spoken_of(law) if driven else "motor"))
        if how.torques == "joint" and m != arm.n:
            raise Unsupported(f"{arm.name!r} has {m} motors for {arm.n} joints", hint="let the law speak of motors")
        torque = torque_of(law, arm, m, whose)
        if torque.note is not None:  # at once: such a run may take long
            notice(torque.note)
        bending = coupled_equations(arm.elastic, described_for(arm.model, how)) if how.elastic else None
        watch, push = watch_of(arm, how.limits, events), wrench_of(wrench, arm, bending)
        parts = arm, law, how, torque, watch, push, _bodies(arm, inertia)
        vars(self).update(zip(self.__dataclass_fields__, parts, strict=True))

    @cached_property
    def key(self) -> str:
        """What is simulated, by content: arm, setting, and all that was traced."""
        return blake2b(described(self._traced, self.torque.held), digest_size=20).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Simulation) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"law": self.torque.sent(self.law)}

    def __repr__(self) -> str:
        what = name_of(self.torque.law) if self.torque.law else "torques"
        return f"<Simulation of {self.arm.name} under {what}, {self.key[:8]}>"

    @cached_property
    def _traced(self) -> bytes:
        """All that plant and steppers are made from."""
        outside = [None if each is None else each.facts for each in (self.wrench, self.inertia)]
        return described(_facts_of(self.arm.model), self.setting, self.torque.facts, self.watch.facts, *outside)

    def plant(self, *, payload: HeldAs | None = None, friction: bool = False) -> Plant:
        """Its equations of motion, with what the tool holds or a factor of all friction as parameters of a run."""

        def make() -> Plant:
            parts = self.arm, self.torque, self.watch, self.setting, self.wrench, self.inertia
            return Plant(*parts, payload=payload, friction=friction)

        return _PLANTS.get((self._traced, payload, friction), make)

    def run(
        self, *, q0: ArrayLike, qd0: ArrayLike | None = None, eta0: ArrayLike | None = None,
        etad0: ArrayLike | None = None, until: float, dt: float = 1e-3, every: int = 1,
        payload: Payloads | None = None, parameters: Mapping[str, Any] | None = None,
        schedule: Schedule | None = None, threads: int | None = None, progress: Progress | None = None,
    ) -> Run:  # fmt: skip
        """The motion from a state on.

        - ``q0``, ``qd0`` (n,), in rad and rad/s; (N, n) for N rollouts at once, on so many ``threads``;
        - ``eta0``, ``etad0`` of an elastic arm (e,), or (N, e): how springs and links are bent at the start; without a
          word so that they carry the weight of the arm, and of what it holds, at rest in q0;
        - ``until``, ``dt`` in s; a state is kept ``every`` so many steps, and the last one is the nearest to ``until``;
        - ``payload``: what is held instead of the arm's payload, a mass in kg at the tool point, or a body with centre
          and inertia in tool axes, a `torsor.model.Mass`; or pairs (time, what is held from then on);
        - ``parameters``: values of what the law was written with (`parameter`), of "payload" (masses in kg, or
          `torsor.model.Mass`) and of "friction" (a factor), one for all rollouts or one for each;
        - ``schedule``: values of parameters that change on the way, name -> (times (k,) from 0 on, values (k, ...));
        - ``progress`` hears the time that was reached.

        Divergence, a limit or Ctrl-C end a run early: it keeps what was computed, and ``run.stopped`` says why.
        """
        arm, torque = self.arm, self.torque
        steps = requests.steps_of(dt, until, every, threads)
        if torque.held is not None and torque.held.shape not in ((torque.m,), (steps, torque.m)):
            hint = f"one for all, or one a step of dt: {(steps, torque.m)}"
            raise ShapeError(f"torque has shape {torque.held.shape}", hint=hint)
        if payload is not None and PAYLOAD in {**(parameters or {}), **(schedule or {})}:
            raise Unsupported("the payload is given twice", hint="payload=, or among parameters or schedule")
        changing = with_payload(schedule or {}, payload)
        given = {**with_bodies(parameters or {}), **at_first(changing)}
        q, qd = requests.states_of(arm, q0, qd0)
        held_as: HeldAs | None = "point" if PAYLOAD in given else "body" if GRASPED in given else None
        plant = self.plant(payload=held_as, friction=FRICTION in given)
        values = values_of(plant, given)
        bent = bent_of(plant, eta0, etad0)
        lanes = requests.rollouts_of(q, qd, values, bent)
        requests.check_memory(steps // every, lanes, 1 + plant.size + plant.many + plant.inputs + plant.guessed, every)
        q, qd = (np.broadcast_to(each, (lanes or 1, arm.n)) for each in (q, qd))
        y = plant.state(*with_bending(plant, q, qd, bent, values), torque.initial(q, qd)[:, : plant.k])
        mode = np.sign(y[:, plant.n : plant.n + plant.many])
        course = Course(y, mode, values, dt, steps, every, values.scheduled(changing, dt, steps), torque.held)

        notes = [] if plant.elastic is None else plant.elastic.notes
        notes += requests.beyond_at_start(arm.joint_names, q, *plant.position_limits, self.setting.limits)
        some = np.unique(np.linspace(0, len(y) - 1, LOOKED_AT).astype(int))
        p = np.broadcast_to(values.of(some), (len(some), values.flat.shape[-1]))
        choice = chosen(plant, dt, y[some], p, torque.held if torque.kind == "held" else None)
        notes += [choice.why] if choice.why else []
        if lanes is None:
            run = self._one(plant, choice, course, progress)
            settled = self.setting.integrator is not None or choice.integrator != "rk4"
            states = run.time, run._y, run._mode, run._u, run._p
            late = None if settled else grown(plant, *states, dt / choice.substeps)
            if late is not None:
                other = again(plant, dt, late)
                notes.append(str(other.why))
                run = self._one(plant, other, course, progress)
        else:
            run = self._many(plant, choice, course, threads, progress, notes)
        notes += bent_too_far(run) + loops_open(run) + (unseen(run) if lanes is None else [])
        for text in (*notes, *([str(run.stopped)] if run.stopped is not None else [])):
            notice(text)
        return replace(run, notes=(*([torque.note] if torque.note else []), *notes, *loops_held(run)))

    def to_fmu(
        self, path: str | os.PathLike[str], *, q0: ArrayLike, qd0: ArrayLike | None = None, dt: float = 1e-3,
        parameters: Mapping[str, ArrayLike] | None = None, inputs: Collection[str] = (), fmi: FmiVersion = "3.0",
    ) -> None:  # fmt: skip
        """Written as an FMU, for co-simulation and model exchange: for Simulink, Modelica, and whatever imports FMI.

        In co-simulation it takes the steps of ``run``: of ``dt``, or of what divides a communication step evenly.
        Torques that are held become inputs; a law that can be traced goes in, and ``parameters`` (its own, "payload",
        "friction") can be set, those that ``inputs`` names on the way. Position limits stop nothing, and events are not
        looked for. ``q0`` and ``qd0`` are start values that an importer may change.

        >>> import torsor
        >>> arm = torsor.load("planar2")
        >>> torsor.Simulation(arm, [0.0, 0.0]).to_fmu("planar2.fmu", q0=[0.3, 0.2])  # doctest: +SKIP
        """
        from torsor.simulation.fmu_export import write_fmu
        from torsor.simulation.fmu_model import FmuModel, require_exportable

        notes = []
        watches = self.setting.limits in ("stop", "report")
        if watches:
            notes.append("position limits stop nothing")
        if len(self.watch.thresholds) > len(watch_of(self.arm, self.setting.limits, ()).thresholds):
            notes.append("events are not looked for")
        limits = "ignore" if watches else self.setting.limits
        free: Simulation = object.__new__(Simulation)
        vars(free).update({name: getattr(self, name) for name in self.__dataclass_fields__})
        vars(free).update(setting=replace(self.setting, limits=limits), watch=watch_of(self.arm, limits, ()))
        given = dict(parameters or {})
        q, qd = requests.states_of(self.arm, q0, qd0)
        if q.ndim > 1 or qd.ndim > 1:
            raise ShapeError(f"q0 has shape {q.shape}", hint=f"one start, ({self.arm.n},)")
        requests.steps_of(dt, dt, 1, None)
        plant = free.plant(payload="point" if PAYLOAD in given else None, friction=FRICTION in given)
        values = values_of(plant, given)
        if values.flat.ndim > 1:
            raise ShapeError("parameters of several rollouts", hint="one value each")
        y = plant.state(q, qd, self.torque.initial(q, qd)[: plant.k])
        held = self.torque.held if self.torque.kind == "held" else None
        choice = chosen(plant, dt, y[None], values.flat[None], held)
        notes += [choice.why] if choice.why else []
        stepper = stepper_of(plant, choice, dt / choice.substeps, False)
        require_exportable(stepper, inputs)
        mode = np.sign(y[plant.n : plant.n + plant.many])
        row = stepper.start(y, mode, values.flat, held, stepper.dt, np.inf)
        write_fmu(FmuModel(stepper, row, q, qd, values, self.torque, tuple(inputs)), Path(path), fmi, notes)

    def _stepper(self, plant: Plant, choice: Choice, dt: float, *, lanes: bool = False) -> Stepper:
        """One for all runs: what they remember is in their workspaces."""
        how = replace(choice, why=None), dt / choice.substeps, lanes
        return _STEPPERS.get((plant, *how), lambda: stepper_of(plant, *how))

    def _one(self, plant: Plant, choice: Choice, course: Course, progress: Progress | None) -> Run:
        stepper = self._stepper(plant, choice, course.dt)
        course = _paced(plant, choice, course)
        journey = drive(stepper, course, progress=progress)
        kept = np.vstack(journey.rows)
        time = course.times(len(kept))
        if journey.stopped is not None and journey.stopped.reason != "interrupted":
            time[-1] = journey.stopped.time
        return run_of(stepper, self.torque, course, choice, time, kept, tuple(journey.happenings), journey.stopped)

    def _many(
        self, plant: Plant, choice: Choice, course: Course, threads: int | None, progress: Progress | None,
        notes: list[str],
    ) -> Run:  # fmt: skip
        stepper = self._stepper(plant, choice, course.dt)
        if stepper.many_lanes and stepper.law is None and not course.changes and not plant.guessed:
            stepper = self._stepper(plant, choice, course.dt, lanes=True)
        course = _paced(plant, choice, course)
        kept, complete, stopped = together(stepper, course, threads, progress)
        time = course.times(kept.shape[1])
        events = judged(plant, time, stepper.space.at(kept, "y"), complete, notes)
        return run_of(stepper, self.torque, course, choice, time, kept, events, stopped)


def simulate(
    arm: Arm, law: ArrayLike | Callable[..., Any], *, q0: ArrayLike, qd0: ArrayLike | None = None,
    eta0: ArrayLike | None = None, etad0: ArrayLike | None = None, until: float, dt: float = 1e-3, every: int = 1,
    wrench: WrenchLike = None, events: Sequence[Event] = (), inertia: ArrayLike | None = None,
    payload: Payloads | None = None, parameters: Mapping[str, Any] | None = None,
    schedule: Schedule | None = None, threads: int | None = None, progress: Progress | None = None,
    **setting: Unpack[SettingWords],
) -> Run:  # fmt: skip
    """The motion of an arm under a law from a state on: a `Simulation` that is made, and run once.

    `Simulation` tells what the arm, the law and the setting may be, and `Simulation.run` what a run takes.

    >>> import numpy as np, torsor
    >>> arm = torsor.load("planar2")
    >>> run = torsor.simulate(arm, lambda t, q, qd: arm.gravity(q) - 50 * q - 20 * qd, q0=[0.5, -0.2], until=3.0)
    >>> bool(np.abs(run.q[-1]).max() < 5e-3), run.integrator
    (True, 'rk4')
    """
    made = Simulation(arm, law, wrench=wrench, events=events, inertia=inertia, **setting)
    return made.run(
        q0=q0, qd0=qd0, eta0=eta0, etad0=etad0, until=until, dt=dt, every=every, payload=payload,
        parameters=parameters, schedule=schedule, threads=threads, progress=progress,
    )  # fmt: skip


def _paced(plant: Plant, choice: Choice, course: Course) -> Course:
    adapts = choice.integrator == "dormand-prince" and plant.torque.kind not in ("table", "sampled")
    return course.paced(choice.substeps, course.every if adapts and not course.changes else 1)


def _bodies(arm: Arm, inertia: ArrayLike | None) -> Recorded | None:
    if inertia is None:
        return None
    given = np.asarray(inertia, dtype=object)
    if given.shape != arm.parameters.shape:
        raise ShapeError(f"inertia has shape {given.shape}", hint=f"{arm.parameters.shape}, as arm.parameters has")
    return recorded(lambda t, q, qd: given, arm, 0, "inertia")


_facts_of = lru_cache(maxsize=64)(described)  # of a model, which does not change
_PLANTS: Recent[Plant] = Recent(32)
_STEPPERS: Recent[Stepper] = Recent(64)
