"""Stepping in time: an arm under a law, with friction that sticks, in loops of machine code."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when first asked for
    from torsor.simulation.driving import Stopped
    from torsor.simulation.events import Event, Happening
    from torsor.simulation.laws import SimulationNotice
    from torsor.simulation.outcome import Run
    from torsor.simulation.parameters import parameter
    from torsor.simulation.running import simulate
    from torsor.simulation.sampled import Encoder, FilteredDifference, Sampled
    from torsor.simulation.surroundings import Buffers, ContactSpring

_HOMES = {
    "Buffers": "surroundings",
    "ContactSpring": "surroundings",
    "Encoder": "sampled",
    "Event": "events",
    "FilteredDifference": "sampled",
    "Happening": "events",
    "Run": "outcome",
    "Sampled": "sampled",
    "SimulationNotice": "laws",
    "Stopped": "driving",
    "parameter": "parameters",
    "simulate": "running",
}

__all__ = [
    "Buffers",
    "ContactSpring",
    "Encoder",
    "Event",
    "FilteredDifference",
    "Happening",
    "Run",
    "Sampled",
    "SimulationNotice",
    "Stopped",
    "parameter",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'torsor.simulation' has no attribute {name!r}")
    return getattr(import_module(f"torsor.simulation.{_HOMES[name]}"), name)
