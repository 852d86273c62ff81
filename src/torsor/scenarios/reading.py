"""Reads scenario files: TOML, checked by the schema and against the arm, every error with file, line and key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from torsor import loading
from torsor.arm import Arm
from torsor.control.fields import Situation
from torsor.control.law import Law
from torsor.control.reference import Reference
from torsor.elastic.coupled_equations import require_coupled_motion
from torsor.errors import ScenarioError, TorsorError, did_you_mean
from torsor.mechanics.formulations import formulations_of, refusal
from torsor.model.build_bodies import body_mass
from torsor.model.files import read_text
from torsor.model.limits import position_limits
from torsor.model.mass import Mass
from torsor.model.ranges import DURATION
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.model.transforms import Floats
from torsor.scenarios.disturbances import Push, touched
from torsor.scenarios.laws import LawTable, law_tables
from torsor.scenarios.open_loop import OpenLoop, TimedTorques
from torsor.scenarios.references import REFERENCES, ReferenceFollower, ReferenceTable
from torsor.scenarios.scenario import Scenario
from torsor.scenarios.scenario_schema import WORDING, BuffersTable, ScenarioFile
from torsor.scenarios.streamed import ROUNDING
from torsor.simulation import Buffers, ContactSpring, Encoder, FilteredDifference, Sampled

MOST_STATES = 5_000_000  # that a run may keep


def read(path: str | os.PathLike[str], *, laws: Iterable[type[Law]] = ()) -> Scenario:
    """The scenario in a file. Paths in it are relative to it. ``laws`` are of your own, to be known in it.

    >>> read("examples/scenarios/nowhere.toml")
    Traceback (most recent call last):
    torsor.errors.ScenarioError: examples/scenarios/nowhere.toml: cannot read the file: No such file or directory
    """
    file = Path(path)
    text = read_text(file, what="scenarios", suffixes=".toml", kind=ScenarioError)
    return parse(text, str(path), folder=file.parent, laws=laws)


def parse(
    text: str, file: str = "<text>", *, folder: str | os.PathLike[str] = ".", laws: Iterable[type[Law]] = ()
) -> Scenario:
    """The scenario in a text; ``file`` is what errors call it, ``folder`` where its paths begin.

    >>> scenario = parse('''
    ... name = "a step"
    ... arm = "planar2"
    ... duration = 3
    ... start = { q = ["30 deg", 0] }
    ... law = { kind = "pd-gravity", Kp = 50, Kd = 20 }
    ... reference = { kind = "point", q = [0, 0] }
    ... ''')
    >>> run = scenario.run()
    >>> scenario.figures(run).settling_time.round(2)
    array([0.91, 0.32])
    """
    toml = TomlFile(text, file, WORDING)
    return _Reading(toml, toml.checked(ScenarioFile), Path(folder), law_tables(laws)).scenario()


@dataclass(frozen=True, eq=False)
class _Reading:
    toml: TomlFile
    table: ScenarioFile
    folder: Path
    laws: Mapping[str, type[LawTable] | type[OpenLoop]]

    @cached_property
    def arm(self) -> Arm:
        given = self.table.arm
        with self._placed(("arm",)):
            return loading.load(given if given in loading.robots() or not Path(given).suffix else self.folder / given)

    @cached_property
    def law(self) -> LawTable | OpenLoop:
        return self._kind("law", self.laws)  # type: ignore[no-any-return]

    def scenario(self) -> Scenario:
        table, arm, law_table = self.table, self.arm, self.law
        if table.elastic:
            with self._placed(("elastic",)):
                require_coupled_motion(arm.elastic)
        q0 = self._joints("q")
        reference, rotation = self._reference(q0)
        q0, qd0 = self._start(q0, reference)
        given = self._given(law_table, q0) if isinstance(law_table, OpenLoop) else None
        duration = self._duration(reference, given)
        pushes = self._pushes(duration)
        walls = []
        for k, contact in enumerate(table.contact):
            with self._placed(("contact", k)):
                walls.append(ContactSpring(**dict(contact)))
        knows = arm if law_table.known_payload is None else arm.with_payload(law_table.known_payload)
        followed = reference if law_table.follows != "nothing" else None
        motors = isinstance(law_table, OpenLoop) and law_table.motors
        if isinstance(law_table, LawTable):
            with self._placed(("law",)):
                law = law_table.made(Situation(knows, q0, followed, rotation, touched(pushes, tuple(walls))))
        else:
            law = given.steps(table.dt, duration) if isinstance(given, TimedTorques) else given
            self._held(law, law_table.word, motors=motors)
        settings = table.model_dump(include={"drives", "elastic", "saturation", "gravity", "integrator", "tolerance"})
        self._formulated()
        settings["limits"] = Buffers(**dict(table.limits)) if isinstance(table.limits, BuffersTable) else table.limits
        output = {word: given and self.folder / given for word, given in table.output if word != "settled"}
        return Scenario(
            **table.model_dump(include={"name", "source", "notes", "dt", "every"}),
            file=self.toml.file,
            arm=arm,
            kind=law_table.kind,
            by=table.by,
            law=self._sampled(law),
            reference=reference,
            tool=law_table.follows == "tool",
            q0=q0,
            qd0=qd0,
            duration=duration,
            wrench=(*pushes, *walls),
            settings=settings | {"torques": "motor" if motors else "joint"},
            payload=self._payload(duration),
            settled=table.output.settled,
            **output,
        )

    def _formulated(self) -> None:
        """Refuses formulations that there are not, or that this arm as it is simulated has none of."""
        table, solved = self.table, formulations_of("forward_dynamics")
        known = {**solved, **formulations_of("inverse_dynamics")}
        for name in table.by:
            if name not in known:
                raise self._wrong(("by",), f"names {name!r}", did_you_mean(name, known))
            used = "forward_dynamics" if name in solved else "inverse_dynamics"
            reason = refusal(known[name], self.arm._trees, used)
            if reason is not None:
                raise self._wrong(("by",), f"is {name!r}: {reason}", "torsor compare lists what there is")
        if len(set(table.by)) < len(table.by):
            raise self._wrong(("by",), "names a formulation twice", "each once")
        joints = [link.joint.friction for link in self.arm.model.links]
        rubs = bool(self.arm.model.drives) or any(each.viscous or each.coulomb for each in joints)
        if table.by and table.drives and rubs:
            hint = "drives = false leaves them out"
            raise self._wrong(("by",), "is for links without drives and friction", hint)
        for word in ("elastic", "payload"):
            if table.by and getattr(table, word):
                raise self._wrong(("by",), f"does not go with {word}", "formulations are of rigid links as described")

    def _given(self, law: OpenLoop, q0: Floats) -> Floats | TimedTorques:
        """Torques that no law finds; what holds the arm is what it knows of it."""
        knows = self.arm if law.known_payload is None else self.arm.with_payload(law.known_payload)
        with self._placed(("law",)):
            return law.made(knows, q0, self.folder)

    def _wrong(self, place: KeyPath, problem: str, hint: str) -> TorsorError:
        """An error that begins with its key."""
        return self.toml.error(place, f"{spelled(place)} {problem}", hint)

    @contextmanager
    def _placed(self, place: KeyPath) -> Iterator[None]:
        """Errors that know no file get that of the scenario, and the key that they begin with where there is one."""
        try:
            yield
        except TorsorError as error:
            if error.file is not None:
                raise
            word, problem = error.problem.split(" ")[0], error.problem
            table: Any = self.toml.document
            for part in place:
                table = table[part]
            if isinstance(table, Mapping) and word in table:
                place, problem = (*place, word), f"{spelled((*place, word))}{problem.removeprefix(word)}"
            elif isinstance(table, Mapping):
                problem = f"{spelled(place)}: {problem}"
            raise self.toml.error(place, problem, error.hint) from None

    def _kind(self, word: str, kinds: Mapping[str, Any]) -> Any:
        """The table of a law or a reference, by the schema of its kind."""
        kind = self.toml.document[word].get("kind")
        if kind is None:
            raise self.toml.error((word,), f"missing {word}.kind", f"known: {', '.join(kinds)}")
        if not isinstance(kind, str) or kind not in kinds:
            raise self.toml.error((word, "kind"), f"there is no {word} {kind!r}", did_you_mean(str(kind), kinds))
        return self.toml.checked(kinds[kind], (word,))

    def _joints(self, key: str) -> Floats | None:
        given = getattr(self.table.start, key)
        if given is None:
            return None
        if len(given) != self.arm.n:
            raise self._wrong(("start", key), f"has {_numbers(given)}", f"{self.arm.name!r} has {self.arm.n} joints")
        return np.array(given)

    def _reference(self, q0: Floats | None) -> tuple[Reference | None, Floats | None]:
        """What is followed, and the rotation (3, 3) of the tool where that is said."""
        if self.table.reference is None:
            if self.law.follows == "nothing":
                return None, None
            raise self.toml.error((), "missing reference", 'expected a table with kind = "...", what the law follows')
        table: ReferenceTable = self._kind("reference", REFERENCES)
        who = ReferenceFollower(self.arm, self.law.follows == "tool", q0, self.table.dt, self.folder)
        with self._placed(("reference",)):
            reference = table.made(who)
        if reference.n != len(who.names):
            of = "the tool has x, y and z" if who.tool else f"{self.arm.name!r} has {self.arm.n} joints"
            raise self._wrong(("reference",), f"is of {reference.n} numbers", of)
        return reference, table.rotation

    def _start(self, q0: Floats | None, reference: Reference | None) -> tuple[Floats, Floats]:
        """At rest where it is said; without a word where a motion begins, moving as it does."""
        arm, qd0 = self.arm, self._joints("qd")
        if q0 is None:
            if reference is None or self.law.follows == "tool" or reference.duration == 0.0:
                hint = f"{arm.name!r} has {arm.n} joints: where are they?"
                raise self.toml.error(("start",), "missing start.q", hint)
            q0, rate, _ = reference.at(0.0)
            qd0 = np.array(rate) if qd0 is None else qd0
        q0 = np.array(q0)
        if self.table.limits in ("stop", "report"):
            low, high = position_limits(arm.model.links_on(arm.joint_names))
            for name, q, beyond in zip(arm.joint_names, q0, np.clip(q0, low, high), strict=True):
                if q != beyond:
                    problem = f"the arm starts with {name} at {q:.6g}, beyond its limit of {beyond:.6g}"
                    raise self.toml.error(("start", "q"), problem, 'limits = "ignore" does not look at limits')
        return q0, np.zeros(arm.n) if qd0 is None else qd0

    def _duration(self, reference: Reference | None, given: Floats | TimedTorques | None) -> float:
        table, duration = self.table, self.table.duration
        if duration is None:
            duration = 0.0 if reference is None else reference.duration
            if reference is None and isinstance(given, TimedTorques):
                duration = float(given.time[-1])
            if not 0.0 < duration < np.inf:
                raise self.toml.error((), "missing duration", 'how long to simulate, in s or as a text such as "5 s"')
        if duration > DURATION.most:
            raise self._wrong(("duration",), f"is {duration:g} s", f"at most {DURATION.most:g} s")
        states = duration / (table.dt * table.every)
        if round(states) < 1:
            hint = f"at least {table.every} steps of dt, {table.dt:g} s"
            raise self._wrong(("duration",), f"is {duration:g} s", hint)
        if states > MOST_STATES:
            key = "every" if "every" in self.toml.document else "dt" if "dt" in self.toml.document else "duration"
            least = table.every * int(np.ceil(states / MOST_STATES))
            raise self.toml.error((key,), f"{states:.3g} states would be kept", f"every = {least} keeps fewer")
        return duration

    def _pushes(self, duration: float) -> tuple[Push, ...]:
        for k, wrench in enumerate(self.table.wrench):
            place = ("wrench", k)
            needs = {"pulse": "duration", "sine": "frequency"}.get(wrench.kind)
            if needs is not None and getattr(wrench, needs) is None:
                raise self.toml.error(place, f"missing wrench[{k + 1}].{needs}", f"a {wrench.kind} has one")
            if wrench.kind != "sine" and wrench.frequency is not None:
                problem = f"does not belong to a {wrench.kind}"
                raise self._wrong((*place, "frequency"), problem, 'kind = "sine" has one')
            if wrench.start >= duration:
                ends = f"the scenario ends at {duration:g} s"
                raise self._wrong((*place, "start"), f"is {wrench.start:g} s", ends)
        return tuple(map(Push, self.table.wrench))

    def _payload(self, duration: float) -> list[tuple[float, float]] | list[tuple[float, Mass]] | None:
        """Pairs (time, mass), or bodies where one has more than a mass; before the first what the arm file says."""
        if not self.table.payload:
            return None
        pairs: list[tuple[float, float]] = []
        bodies: list[tuple[float, Mass]] = []
        for k, payload in enumerate(self.table.payload):
            place, problem = ("payload", k, "time"), f"is {payload.time:g} s"
            if payload.time >= duration:
                raise self._wrong(place, problem, f"the scenario ends at {duration:g} s")
            if pairs and payload.time <= pairs[-1][0]:
                raise self._wrong(place, problem, f"later than {pairs[-1][0]:g} s, the one before it")
            body = body_mass(payload, ("payload", k), self.toml)
            if body is None:
                raise self.toml.error(
                    ("payload", k), f"missing payload[{k + 1}].mass", "in kg, or a shape of a density"
                )
            if problems := list(body.impossibilities()):
                raise self.toml.error(("payload", k), f"payload[{k + 1}]: {problems[0]}", "no body can have that")
            pairs.append((payload.time, body.mass))
            bodies.append((payload.time, body))
        if pairs[0][0] > 0.0:
            held = self.arm.model.payload
            pairs.insert(0, (0.0, 0.0 if held is None else held.mass))
            bodies.insert(0, (0.0, Mass.none() if held is None else held))
        points = all({"com", "inertia", "shape"}.isdisjoint(each.model_fields_set) for each in self.table.payload)
        return pairs if points else bodies

    def _held(self, torque: Any, word: str, *, motors: bool) -> None:
        name, m = self.arm.name, len(self.arm.model.drives) if motors else self.arm.n
        if motors and not (m and self.table.drives):
            raise self.toml.error(("law", "of"), f"{name!r} has no motors here", 'of = "joints"')
        if np.shape(torque)[-1:] != (m,):
            hint = f"{name!r} has {m} {'motors' if motors else 'joints'}"
            raise self._wrong(("law", word), f"has {_numbers(torque)}", hint)

    def _sampled(self, law: Any) -> Any:
        table = self.table.controller
        if table is None:
            return law
        if not callable(law):
            raise self.toml.error(("controller",), "a controller samples a law", "held torques need none")
        for word in ("period", "delay"):
            steps = getattr(table, word) / self.table.dt
            if abs(steps - round(steps)) > ROUNDING:
                hint = f"a multiple of dt, {self.table.dt:g} s"
                raise self._wrong(("controller", word), f"is {getattr(table, word):g} s", hint)
        seen = {} if table.encoder is None else dict(table.encoder)
        for word in ("resolution", "noise") if seen else ():
            place, value = ("controller", "encoder", word), seen[word]
            if np.ndim(value) and len(value) != law.n:
                raise self._wrong(place, f"has {len(value)} numbers", f"one, or {law.n}")
            if np.min(value) < 0.0:
                raise self._wrong(place, "is negative", "zero or more, in rad")
        encoder = Encoder(**seen) if seen else None
        velocity = None if table.velocity_cutoff is None else FilteredDifference(table.velocity_cutoff)
        return Sampled(law, table.period, table.delay, encoder, velocity)


def _numbers(value: Any) -> str:
    return f"{np.size(value)} number{'s' * (np.size(value) != 1)}"
