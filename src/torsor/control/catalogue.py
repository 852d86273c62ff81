"""Which laws there are: those that ``torsor.control`` exports, and those that were declared anywhere else."""

from __future__ import annotations

from inspect import isabstract

from torsor.control.fields import REQUIRED, keys_of
from torsor.control.law import Law


def laws() -> dict[str, type[Law]]:
    """Every law that can be made, by its name in Python; of two with one name the one declared last."""
    from torsor import control

    for name in control.__all__:
        getattr(control, name)  # a law is known once its module is imported
    found = {law.name(): law for law in _declared() if not isabstract(law)}
    return dict(sorted(found.items()))


def laws_of_files() -> dict[str, type[Law]]:
    """Those that a scenario can say all of, by their kind there."""
    return {name.replace("_", "-"): law for name, law in laws().items() if _in_files(law)}


def _in_files(law: type[Law]) -> bool:
    said = all(field.in_files or field.default is not REQUIRED for field in law.fields.values())
    return said and law.follows() != "nothing" and bool(keys_of(law.fields))


def _declared() -> list[type[Law]]:
    found: list[type[Law]] = Law.__subclasses__()
    for law in found:
        found += law.__subclasses__()  # which the loop comes to in its turn
    return found
