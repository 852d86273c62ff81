"""``simulate``: an arm under a law from a state on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.simulation import requests
from torsor.simulation import rollouts as many_at_once
from torsor.simulation.choosing import STIFF, chosen, stepper_of
from torsor.simulation.driving import Journey, drive
from torsor.simulation.events import Event, Limits, guards_of
from torsor.simulation.laws import SimulationNotice, Torque, initial_states, torque_of
from torsor.simulation.outcome import Run
from torsor.simulation.parameters import Schedule, Values, at_first, values_of
from torsor.simulation.plant import FRICTION, PAYLOAD, Plant, Setting
from torsor.simulation.recall import recalled
from torsor.simulation.stepping import Stepper
from torsor.simulation.stiffness import grown, pole_text
from torsor.simulation.surroundings import Buffers, WrenchLike, wrenches_of

Integrator = Literal["euler", "semi-implicit-euler", "rk4", "symplectic", "dormand-prince", "rosenbrock"]


def simulate(
    arm: Arm,
    law: ArrayLike | Callable[..., Any],
    *,
    q0: ArrayLike,
    qd0: ArrayLike | None = None,
    until: float,
    dt: float = 1e-3,
    every: int = 1,
    integrator: Integrator | None = None,
    tolerance: float | None = None,
    drives: bool = True,
    torques: Literal["motor", "joint"] = "motor",
    saturation: bool = True,
    wrench: WrenchLike = None,
    gravity: ArrayLike | None = None,
    payload: ArrayLike | None = None,
    limits: Limits | Buffers = "stop",
    events: Sequence[Event] = (),
    parameters: Mapping[str, ArrayLike] | None = None,
    schedule: Schedule | None = None,
    by: str | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Run:
    """The motion of an arm under a law: d(q, qd, x)/dt = (qd, M^-1 (tau - C qd - g - friction + J^T wrench), xdot).

    ``law`` is motor torques (m,) that are held (joint torques where the arm has no drives); or a table (steps, m), each
    row held for ``dt``; or a function ``law(t, q, qd)``, or ``law(t, q, qd, x) -> (torques, xdot)`` of an object with
    ``states``; or `Sampled`. A law written with NumPy on its arguments, Arm methods and `torsor.algebra` is traced, and
    plant, law and integrator become one loop of machine code. Any other is called from Python, with a notice.

    - ``q0``, ``qd0`` (n,), in rad and rad/s; (N, n) for N rollouts at once;
    - ``until``, ``dt`` in s; a state is kept ``every`` so many steps, and the last one is the nearest to ``until``;
    - ``integrator``: "rk4", "euler", "semi-implicit-euler" (teaching), "symplectic" (energy stays over long times),
      "dormand-prince" (steps to ``tolerance``), "rosenbrock" (stiff; with a ``tolerance`` it shortens its steps).
      Without a word it is rk4, or rosenbrock where the loop is too stiff for ``dt``, which it says;
    - ``drives=False`` simulates the links alone; ``torques="joint"`` lets the law speak of joint torques;
      ``saturation=False`` takes off the limits of motors (of joints where the arm has no drives);
    - ``wrench`` on the tool: (6,), a function of t or of t, q and qd, `ContactSpring`, or a list of these;
    - ``payload``: a mass in kg, or pairs (time, mass) from when on it is held, instead of the arm's payload;
    - ``limits``: where a joint reaches its position limit the run stops; or "report", "ignore", or `Buffers`;
    - ``parameters``: values of what the law was written with (`parameter`), of "payload" and of "friction" (a factor),
      one for all rollouts or one for each;
    - ``schedule``: values of parameters that change on the way, name -> (times (k,) from 0 on, values (k, ...)).

    Divergence, a limit or Ctrl-C end a run early: it keeps what was computed, and ``run.stopped`` says why.

    >>> import numpy as np, torsor
    >>> arm = torsor.load("planar2")
    >>> run = torsor.simulate(arm, lambda t, q, qd: arm.gravity(q) - 50 * q - 20 * qd, q0=[0.5, -0.2], until=3.0)
    >>> bool(np.abs(run.q[-1]).max() < 5e-3), run.integrator
    (True, 'rk4')
    """
    steps = requests.steps_of(dt, until, every)
    requests.check_words(integrator, torques, tolerance, limits, threads)
    events = requests.events_of(events)
    changes, held = requests.payloads_of(payload, dt, steps)
    schedule = schedule or {}
    given = {**(parameters or {}), **at_first(schedule)}
    q, qd = requests.states_of(arm, q0, qd0)
    if held is not None:
        if PAYLOAD in given:
            raise Unsupported("the payload is given twice", hint="payload=, or among parameters or schedule")
        given[PAYLOAD] = held
    weight = requests.weight_of(arm, gravity)

    def understood() -> Plant:
        m = len(arm.model.drives) if arm.model.drives and drives else arm.n
        whose = f"{arm.name!r} has {m} {'motors' if drives and arm.model.drives else 'joints'}"
        if torques == "joint" and m != arm.n:
            raise Unsupported(f"{arm.name!r} has {m} motors for {arm.n} joints", hint="let the law speak of motors")
        torque = torque_of(law, arm.n, m, whose, steps)
        if torque.note is not None:  # once, and at once: such a run may take long
            warnings.warn(torque.note, SimulationNotice, stacklevel=4)
        setting = Setting(
            drives, torques == "joint", saturation, weight, wrenches_of(wrench, arm),
            limits if isinstance(limits, Buffers) else None, PAYLOAD in given, FRICTION in given, by,
        )  # fmt: skip
        return Plant(arm, torque, setting, dt)

    kind = "callable" if callable(law) else f"array{np.ndim(law)}"
    facts = kind, drives, torques, saturation, weight, PAYLOAD in given, FRICTION in given, by, dt
    things = [arm, law if callable(law) else None, wrench, limits if isinstance(limits, Buffers) else None]
    plant = recalled("plant", facts, things, understood)
    torque = (
        plant.torque if callable(law) else torque_of(law, arm.n, plant.m, f"{arm.name!r} has {plant.m} motors", steps)
    )
    if not callable(law) and torque.kind != plant.torque.kind:
        plant = Plant(arm, torque, plant.setting, dt)
    values = values_of(plant, given)
    for step, named in values.scheduled(schedule, dt, steps).items():
        changes.setdefault(step, {}).update(named)
    lanes = many_at_once.count(q, qd, values)
    requests.check_memory(steps // every, lanes, 1 + plant.size + plant.many + plant.inputs, every)
    notes = [] if torque.note is None else [torque.note]
    told = len(notes)
    notes += requests.beyond_at_start(arm.joint_names, q, *plant.position_limits, limits)
    starts = []
    for lane in np.unique(np.linspace(0, (lanes or 1) - 1, 8).astype(int)).tolist():
        own = q if q.ndim == 1 else q[lane], qd if qd.ndim == 1 else qd[lane]
        starts.append((*own, _initial(law, torque, *own), values.of(lane)))
    held_now = torque.held if torque.kind == "held" else None
    name, reach, substeps = chosen(plant, integrator, tolerance, dt, starts, held_now, notes)
    guards_key = (name, reach, substeps, limits if isinstance(limits, str) else "buffers", lanes is not None)

    def stepper(wide: bool) -> Stepper:
        def make() -> Stepper:
            return stepper_of(name, plant, guards_of(plant, limits, events), wide, reach)

        return recalled("stepper", (*guards_key, wide), [plant, *events], make)

    whole = every if name == "dormand-prince" and torque.kind not in ("table", "sampled") and not changes else 1
    pace = _Pace(dt * whole / substeps, steps // whole * substeps, every // whole * substeps)
    if torque.kind == "sampled" and substeps > 1:
        raise Unsupported("a sampled law is stepped at dt", hint=f"choose dt below {dt / substeps:.2g} s")
    table = None if torque.kind != "table" or torque.held is None else np.repeat(torque.held, substeps, axis=0)
    job = many_at_once.Job(plant, law, torque, q, qd, values, pace.dt, pace.steps, pace.every, table,
                           {k * substeps // whole: v for k, v in changes.items()}, progress, until)  # fmt: skip
    if lanes is None:
        y, mode = many_at_once.start_of(job, None)
        one = stepper(False)
        journey = drive(one, many_at_once.workspace(one, job, y, mode, 0), pace.steps, pace.every, table=table,
                        changes=many_at_once.parameter_changes(job, 0), progress=progress)  # fmt: skip
        run = _one(arm, plant, one, job, journey, y, mode, name, notes)
    else:
        run = many_at_once.together(arm, job, stepper, lanes, name, notes, limits, threads)
    if integrator is None and name == "rk4" and lanes is None:
        late = grown(plant, run.time, run._y, run._mode, run._u, run._p, pace.dt)
        if late is not None:
            why = f"the loop becomes stiff on its way, with a pole at {pole_text(late)} 1/s"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SimulationNotice)  # what it has to say is said below
                again = simulate(
                    arm, law, q0=q0, qd0=qd0, until=until, dt=dt, every=every, integrator="rosenbrock",
                    tolerance=STIFF, drives=drives, torques=torques, saturation=saturation, wrench=wrench,
                    gravity=gravity, payload=payload, limits=limits, events=events, parameters=parameters,
                    schedule=schedule, by=by, progress=progress,
                )  # fmt: skip
            notes.append(f"{why}; it was stepped again by the implicit rosenbrock")
            run = replace(again, notes=tuple(dict.fromkeys((*notes, *again.notes))))
    for text in (*notes[told:], *([str(run.stopped)] if run.stopped is not None else [])):
        warnings.warn(text, SimulationNotice, stacklevel=2)
    return run


class _Pace:
    """Steps as they are made: several for one dt where the loop is stiff, one for several where it adapts."""

    def __init__(self, dt: float, steps: int, every: int) -> None:
        self.dt, self.steps, self.every = dt, steps, every


def _initial(law: Any, torque: Torque, q: Floats, qd: Floats) -> Floats:
    return initial_states(law, q, qd) if torque.states and torque.kind != "sampled" else np.zeros(0)


def _one(
    arm: Arm, plant: Plant, stepper: Stepper, job: many_at_once.Job, journey: Journey, y: Floats, mode: Floats,
    name: str, notes: list[str],
) -> Run:  # fmt: skip
    begin = np.zeros((1, stepper.loop.kept[1]))
    values: Values = job.values
    stepper.space.at(begin, "y")[:] = y
    if plant.many:
        stepper.space.at(begin, "mode")[:] = mode
    rows = np.vstack([begin, *journey.rows])
    u = stepper.space.at(rows, "u")
    if len(rows) > 1:
        u[0] = u[1]
    stretch = job.dt * job.every
    time = np.asarray(stretch * np.arange(len(rows)), dtype=np.float64)
    if journey.stopped is not None and journey.stopped.reason != "interrupted":
        time[-1] = journey.stopped.time
    ys, modes = stepper.space.at(rows, "y"), stepper.space.at(rows, "mode")
    if plant.torque.kind == "called":
        u = many_at_once.called_along(job, time, ys)
    ps = values.along(time, job.changes, job.dt)
    return many_at_once.outcome(
        arm, plant, time, ys, modes, u, ps, tuple(journey.happenings), tuple(notes), journey.stopped, name, values
    )
