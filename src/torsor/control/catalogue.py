"""Which laws there are: those that ``torsor.control`` exports."""

from __future__ import annotations

from collections.abc import Iterable

from torsor.control.fields import REQUIRED, keys_of
from torsor.control.law import Law


def laws() -> dict[str, type[Law]]:
    """By their names in Python."""
    from torsor import control

    exported = ((name, getattr(control, name)) for name in dir(control))
    return {name: law for name, law in exported if isinstance(law, type) and issubclass(law, Law) and law is not Law}


def laws_of_files(others: Iterable[type[Law]] = ()) -> dict[str, type[Law]]:
    """Those that a scenario can say all of, by their kind there; ``others`` are of a user's own."""
    found = [*laws().values(), *others]
    return {law.name().replace("_", "-"): law for law in found if _in_files(law)}


def _in_files(law: type[Law]) -> bool:
    said = all(field.in_files or field.default is not REQUIRED for field in law.fields.values())
    return said and law.follows() != "nothing" and bool(keys_of(law.fields))
