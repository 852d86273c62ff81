"""Laws as tables of a scenario. The tables are made from the laws of ``torsor.control``: their fields are the keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, PlainValidator, StrictBool, create_model

from torsor.control import fields
from torsor.control.composition import DisturbanceObserver, RateLimited, Saturated
from torsor.control.fields import Situation
from torsor.control.law import Law, laws_of_files
from torsor.model.schema import Table
from torsor.model.units import PlainNumber, number
from torsor.scenarios.open_loop import CurrentLoop, OpenLoop, TorqueLoop
from torsor.scenarios.scenario_schema import NotNegative, Numbers

WhatFollows = Literal["joints", "tool", "nothing"]


def _rows(value: object) -> Any:
    if isinstance(value, list | tuple):
        if len({isinstance(row, list | tuple) for row in value}) > 1:
            raise ValueError("expected a number, a list, or a list of rows")
        return [_rows(row) for row in value]
    return number(value)


OBSERVER, SATURATED = DisturbanceObserver.fields["gain"], Saturated.fields["limits"]
RATE = RateLimited.fields["rate"]
GainRows = Annotated[Any, PlainValidator(_rows)]
FORMS: dict[str | None, Any] = {
    "rows": GainRows,
    "each": Numbers,
    "pair": tuple[PlainNumber, PlainNumber],
    "number": PlainNumber,
    "flag": StrictBool,
}


class LawTable(Table):
    """Keys of every law: what it holds for the payload, and what stands behind it."""

    law: ClassVar[type[Law]]
    follows: ClassVar[WhatFollows]

    kind: str
    known_payload: NotNegative | None = None
    saturated: Numbers | None = Field(None, description=SATURATED.expected)
    observer: GainRows | None = Field(None, description=OBSERVER.expected)
    rate_limit: Numbers | None = Field(None, description=RATE.expected)

    def made(self, now: Situation) -> Any:
        """The law, with an observer around it and its torques cut off and slowed down, where asked for."""
        given = {key: getattr(self, key) for key in fields.keys_of(self.law.fields)}
        law = self.law(**{name: field.said_by(name, given, now) for name, field in self.law.fields.items()})
        # checked here by the names that files have for these gains
        if self.observer is not None:
            law = DisturbanceObserver(now.arm, law, OBSERVER.kept("observer", self.observer, law))
        if self.saturated is not None:
            law = Saturated(law, SATURATED.kept("saturated", self.saturated, law))
        if self.rate_limit is not None:
            law = RateLimited(now.arm, law, RATE.kept("rate_limit", self.rate_limit, law))
        return law


def table_of(law: type[Law]) -> type[LawTable]:
    """The table of a scenario that makes a law."""
    keys: dict[str, Any] = {}
    for key, field in fields.keys_of(law.fields).items():
        default = field.default if field.unsaid is fields.REQUIRED else field.unsaid
        form = FORMS[field.form] if default is not None else FORMS[field.form] | None
        keys[key] = (form, Field(... if default is fields.REQUIRED else default, description=field.expected))
    made: type[LawTable] = create_model(law.__name__, __base__=LawTable, **keys)
    made.law, made.follows = law, law.follows()
    return made


def law_tables(others: Iterable[type[Law]] = ()) -> dict[str, type[LawTable] | type[OpenLoop]]:
    """Of every kind of law that there is, and of ``others``, a user's own."""
    given: dict[str, type[LawTable] | type[OpenLoop]] = {"torque": TorqueLoop, "current": CurrentLoop}
    return given | {kind: table_of(law) for kind, law in laws_of_files(others).items()}
