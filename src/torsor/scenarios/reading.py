"""Reads scenario files: TOML, checked by the schema and against the arm, every error with file, line and key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from torsor import loading
from torsor.arm import Arm
from torsor.control.fields import Situation
from torsor.control.law import Law
from torsor.control.reference import Reference
from torsor.errors import ScenarioError, TorsorError, did_you_mean
from torsor.model.files import read_text
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.model.transforms import Floats
from torsor.scenarios.disturbances import Push, touched, wall
from torsor.scenarios.laws import LawTable, OpenLoop, law_tables
from torsor.scenarios.references import REFERENCES, ReferenceFollower, ReferenceTable
from torsor.scenarios.scenario import Scenario
from torsor.scenarios.scenario_schema import WORDING, BuffersTable, ScenarioFile
from torsor.scenarios.streamed import ROUNDING
from torsor.simulation import Buffers, Encoder, FilteredDifference, Sampled

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
    text: str,
    file: str = "<text>",
    *,
    folder: str | os.PathLike[str] = ".",
    laws: Iterable[type[Law]] = (),
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

    def scenario(self) -> Scenario:
        table = self.table
        with self._placed(("arm",)):
            arm = loading.load(self._arm_path())
        law_table = self._kind("law", self.laws)
        q0 = self._joints("q", arm)
        reference, reference_table = self._reference(law_table, arm, q0)
        q0, qd0 = self._start(arm, q0, reference, law_table)
        duration = self._duration(reference)
        pushes = self._pushes(duration)
        walls = []
        for k, contact in enumerate(table.contact):
            with self._placed(("contact", k)):
                walls.append(wall(contact))
        knows = arm if law_table.known_payload is None else arm.with_payload(law_table.known_payload)
        situation = Situation(
            knows,
            q0,
            reference if law_table.follows != "nothing" else None,
            None if reference_table is None else reference_table.rotation,
            touched(pushes, tuple(walls)),
        )
        with self._placed(("law",)):
            law = law_table.made(situation)
        motors = isinstance(law_table, OpenLoop) and law_table.of == "motors"
        if isinstance(law_table, OpenLoop):
            self._held(law, arm, motors=motors)
        limits = table.limits
        return Scenario(
            name=table.name,
            source=table.source,
            notes=table.notes,
            file=self.toml.file,
            arm=arm,
            kind=law_table.kind,
            law=self._sampled(law),
            reference=reference,
            tool=law_table.follows == "tool",
            q0=q0,
            qd0=qd0,
            duration=duration,
            dt=table.dt,
            every=table.every,
            integrator=table.integrator,
            tolerance=table.tolerance,
            drives=table.drives,
            torques="motor" if motors else "joint",
            saturation=table.saturation,
            gravity=table.gravity,
            limits=Buffers(limits.stiffness, limits.damping) if isinstance(limits, BuffersTable) else limits,
            wrench=(*pushes, *walls),
            payload=self._payload(arm, duration),
            settled=table.output.settled,
            csv=None if table.output.csv is None else self.folder / table.output.csv,
            plot=None if table.output.plot is None else self.folder / table.output.plot,
        )

    def _arm_path(self) -> str | Path:
        given = self.table.arm
        if given in loading.robots() or not Path(given).suffix:
            return given
        return self.folder / given

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

    def _joints(self, key: str, arm: Arm) -> Floats | None:
        given = getattr(self.table.start, key)
        if given is None:
            return None
        if len(given) != arm.n:
            problem = f"start.{key} has {len(given)} number{'s' * (len(given) != 1)}"
            raise self.toml.error(("start", key), problem, f"{arm.name!r} has {arm.n} joints")
        return np.array(given)

    def _reference(
        self, law: LawTable | OpenLoop, arm: Arm, q0: Floats | None
    ) -> tuple[Reference | None, ReferenceTable | None]:
        if self.table.reference is None:
            if law.follows == "nothing":
                return None, None
            raise self.toml.error((), "missing reference", 'expected a table with kind = "...", what the law follows')
        table: ReferenceTable = self._kind("reference", REFERENCES)
        who = ReferenceFollower(arm, law.follows == "tool", q0, self.table.dt, self.folder)
        with self._placed(("reference",)):
            reference = table.made(who)
        if reference.n != len(who.names):
            of = "the tool has x, y and z" if who.tool else f"{arm.name!r} has {arm.n} joints"
            raise self.toml.error(("reference",), f"reference is of {reference.n} numbers", of)
        return reference, table

    def _start(
        self, arm: Arm, q0: Floats | None, reference: Reference | None, law: LawTable | OpenLoop
    ) -> tuple[Floats, Floats]:
        """At rest where it is said; without a word where a motion begins, moving as it does."""
        qd0 = self._joints("qd", arm)
        if q0 is None:
            if reference is None or law.follows == "tool" or reference.duration == 0.0:
                raise self.toml.error(
                    ("start",), "missing start.q", f"{arm.name!r} has {arm.n} joints: where are they?"
                )
            q0, rate, _ = reference.at(0.0)
            qd0 = np.array(rate) if qd0 is None else qd0
        q0 = np.array(q0)
        if self.table.limits in ("stop", "report"):
            limits = {link.joint.name: link.joint.limits.position for link in arm.model.links}
            for name, q in zip(arm.joint_names, q0.tolist(), strict=True):
                low, high = limits[name] or (-np.inf, np.inf)
                if not low <= q <= high:
                    beyond = low if q < low else high
                    problem = f"the arm starts with {name} at {q:.6g}, beyond its limit of {beyond:.6g}"
                    raise self.toml.error(("start", "q"), problem, 'limits = "ignore" does not look at limits')
        return q0, np.zeros(arm.n) if qd0 is None else qd0

    def _duration(self, reference: Reference | None) -> float:
        table = self.table
        duration = table.duration
        if duration is None:
            duration = 0.0 if reference is None else reference.duration
            if not 0.0 < duration < np.inf:
                raise self.toml.error((), "missing duration", 'how long to simulate, in s or as a text such as "5 s"')
        states = duration / (table.dt * table.every)
        if round(states) < 1:
            problem = f"duration is {duration:g} s"
            raise self.toml.error(("duration",), problem, f"at least {table.every} steps of dt, {table.dt:g} s")
        if states > MOST_STATES:
            key = "every" if "every" in self.toml.document else "dt" if "dt" in self.toml.document else "duration"
            least = table.every * int(np.ceil(states / MOST_STATES))
            raise self.toml.error((key,), f"{states:.3g} states would be kept", f"every = {least} keeps fewer")
        return duration

    def _pushes(self, duration: float) -> tuple[Push, ...]:
        found = []
        for k, wrench in enumerate(self.table.wrench):
            place = ("wrench", k)
            needs = {"pulse": "duration", "sine": "frequency"}.get(wrench.kind)
            if needs is not None and getattr(wrench, needs) is None:
                raise self.toml.error(place, f"missing wrench[{k + 1}].{needs}", f"a {wrench.kind} has one")
            if wrench.kind != "sine" and wrench.frequency is not None:
                problem = f"wrench[{k + 1}].frequency does not belong to a {wrench.kind}"
                raise self.toml.error((*place, "frequency"), problem, 'kind = "sine" has one')
            if wrench.start >= duration:
                problem = f"wrench[{k + 1}].start is {wrench.start:g} s"
                raise self.toml.error((*place, "start"), problem, f"the scenario ends at {duration:g} s")
            found.append(Push(wrench))
        return tuple(found)

    def _payload(self, arm: Arm, duration: float) -> list[tuple[float, float]] | None:
        """Pairs (time, mass); before the first it is what the arm file says."""
        if not self.table.payload:
            return None
        pairs: list[tuple[float, float]] = []
        for k, payload in enumerate(self.table.payload):
            place, problem = ("payload", k, "time"), f"payload[{k + 1}].time is {payload.time:g} s"
            if payload.time >= duration:
                raise self.toml.error(place, problem, f"the scenario ends at {duration:g} s")
            if pairs and payload.time <= pairs[-1][0]:
                raise self.toml.error(place, problem, f"later than {pairs[-1][0]:g} s, the one before it")
            pairs.append((payload.time, payload.mass))
        if pairs[0][0] > 0.0:
            pairs.insert(0, (0.0, 0.0 if arm.model.payload is None else arm.model.payload.mass))
        return pairs

    def _held(self, torque: Any, arm: Arm, *, motors: bool) -> None:
        m = len(arm.model.drives) if motors else arm.n
        if motors and not (m and self.table.drives):
            raise self.toml.error(("law", "of"), f"{arm.name!r} has no motors here", 'of = "joints"')
        if np.shape(torque) != (m,):
            problem = f"law.torque has {np.size(torque)} number{'s' * (np.size(torque) != 1)}"
            raise self.toml.error(
                ("law", "torque"), problem, f"{arm.name!r} has {m} {'motors' if motors else 'joints'}"
            )

    def _sampled(self, law: Any) -> Any:
        table = self.table.controller
        if table is None:
            return law
        if not callable(law):
            raise self.toml.error(("controller",), "a controller samples a law", "held torques need none")
        for word in ("period", "delay"):
            steps = getattr(table, word) / self.table.dt
            if abs(steps - round(steps)) > ROUNDING:
                problem = f"controller.{word} is {getattr(table, word):g} s"
                raise self.toml.error(("controller", word), problem, f"a multiple of dt, {self.table.dt:g} s")
        encoder = None
        if table.encoder is not None:
            for word in ("resolution", "noise"):
                value = getattr(table.encoder, word)
                if np.ndim(value) and len(value) != law.n:
                    problem = f"controller.encoder.{word} has {len(value)} numbers"
                    raise self.toml.error(("controller", "encoder", word), problem, f"one, or {law.n}")
                if np.min(value) < 0.0:
                    problem = f"controller.encoder.{word} is negative"
                    raise self.toml.error(("controller", "encoder", word), problem, "zero or more, in rad")
            encoder = Encoder(table.encoder.resolution, table.encoder.noise, table.encoder.seed)
        velocity = None if table.velocity_cutoff is None else FilteredDifference(table.velocity_cutoff)
        return Sampled(law, table.period, table.delay, encoder, velocity)
