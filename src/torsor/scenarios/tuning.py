"""A law whose gains can be turned while it runs: they are parameters of one compiled loop, not numbers folded into it.

A gain that is folded in asks for a new loop, a second of compiling; as a parameter it costs nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from torsor.control.law import Law
from torsor.errors import ShapeError, TorsorError, did_you_mean
from torsor.model.transforms import Floats
from torsor.scenarios.scenario import Scenario
from torsor.scenarios.streamed import Streamed
from torsor.simulation import Run, Simulation, parameter

TURNED = ("rows", "each")  # forms of fields that are gains


@dataclass(frozen=True)
class Knob:
    """A gain that can be turned: ``values`` are those of the text, one for each joint where ``diagonal``."""

    name: str
    unit: str
    expected: str
    values: Any
    diagonal: bool


class Tuned:
    """A scenario and its one `Simulation`, in which gains are parameters.

    >>> from torsor.scenarios import parse
    >>> tuned = Tuned(parse('''
    ... name = "a step"
    ... arm = "planar2"
    ... duration = 3
    ... start = { q = [0.5, 0] }
    ... law = { kind = "pd-gravity", Kp = 50, Kd = 20 }
    ... reference = { kind = "point", q = [0, 0] }
    ... '''))
    >>> [knob.name for knob in tuned.knobs], bool(abs(tuned.run({"Kp": 80.0}).q[-1]).max() < 1e-2)
    (['Kp', 'Kd'], True)
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self._law = _inside(scenario.law)

    @cached_property
    def knobs(self) -> list[Knob]:
        """The gains that the loop reads: a boundary of disturbances that are none is nothing to turn."""
        if not _gains(self._law):
            return []
        read = {node.name for node in self.simulation.plant().parameters}
        found = []
        for name, field in _gains(self._law).items():
            value = np.asarray(getattr(self._law, name))
            entries = {getattr(entry, "name", None) for entry in np.ravel(_as_parameter(name, value))}
            if entries & read:
                found.append(Knob(name, field.unit, field.expected, _shown(value), _is_diagonal(value)))
        return found

    @cached_property
    def simulation(self) -> Simulation:
        """The one that is kept."""
        law = copy.copy(self._law)
        for name in _gains(law):
            value = np.asarray(getattr(law, name))
            vars(law)[name] = _as_parameter(name, value)  # the law itself would ask whether it is definite
        return self._under(law).simulation

    def _under(self, law: Any) -> Scenario:
        return replace(self.scenario, law=_around(self.scenario.law, law))

    def with_gains(self, gains: Mapping[str, Any]) -> Scenario:
        """The scenario with other gains, each checked by its law."""
        if not gains:
            return self.scenario
        known = [knob.name for knob in self.knobs]
        law = copy.copy(self._law)
        for name, value in gains.items():
            if name not in known:
                raise TorsorError(f"there is no gain {name!r} to turn", hint=did_you_mean(name, known))
            try:
                setattr(law, name, value)
            except (TypeError, ValueError) as error:
                raise error if isinstance(error, TorsorError) else ShapeError(f"{name}: {error}") from None
        return self._under(law)

    def run(self, gains: Mapping[str, Any] = {}) -> Run:
        scenario = self.with_gains(gains)
        if not self.knobs:
            return scenario.run()
        law = _inside(scenario.law)
        values = {}
        for knob in self.knobs:
            value = np.asarray(getattr(law, knob.name))
            if knob.diagonal and not _is_diagonal(value):
                return scenario.run()  # a matrix where the loop has a number for each joint: it is made anew
            values[knob.name] = np.diag(value) if knob.diagonal else value
        reference = scenario.reference
        return self.simulation.run(
            q0=scenario.q0,
            qd0=scenario.qd0,
            until=scenario.duration,
            dt=scenario.dt,
            every=scenario.every,
            payload=scenario.payload,
            schedule=reference.schedule if isinstance(reference, Streamed) else None,
            parameters=values,
        )


def _inside(law: Any) -> Any:
    """The law itself, without what samples it, cuts it off or watches it."""
    return _inside(law.law) if hasattr(law, "law") else law


def _around(outer: Any, law: Any) -> Any:
    """What stands around a law, around another one."""
    if not hasattr(outer, "law"):
        return law
    made = copy.copy(outer)
    object.__setattr__(made, "law", _around(outer.law, law))
    return made


def _gains(law: Any) -> dict[str, Any]:
    """Fields of a law that are numbers to turn; none of torques that are held."""
    if not isinstance(law, Law):
        return {}
    return {
        name: field for name, field in law.fields.items() if field.form in TURNED and getattr(law, name) is not None
    }


def _is_diagonal(value: Floats) -> bool:
    return value.ndim == 2 and not (value - np.diag(np.diag(value))).any()


def _shown(value: Floats) -> Any:
    return (np.diag(value) if _is_diagonal(value) else value).tolist()


def _as_parameter(name: str, value: Floats) -> Any:
    if not _is_diagonal(value):
        return parameter(name, value.shape)
    entries = np.zeros(value.shape, dtype=object)
    np.fill_diagonal(entries, parameter(name, len(value)))
    return entries
