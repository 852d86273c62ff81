"""Simulations as files: an arm, a law, a reference, what disturbs them, and what is asked of the run."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when first asked for
    from torsor.scenarios.figures import Figures
    from torsor.scenarios.reading import parse, read
    from torsor.scenarios.scenario import Scenario

_HOMES = {"Figures": "figures", "Scenario": "scenario", "parse": "reading", "read": "reading"}

__all__ = ["Figures", "Scenario", "parse", "read"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'torsor.scenarios' has no attribute {name!r}")
    return getattr(import_module(f"torsor.scenarios.{_HOMES[name]}"), name)
