"""Stepping in time: an arm under a law, with friction that sticks, in loops of machine code."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.simulation.driving import Stopped as Stopped
    from torsor.simulation.events import Event as Event
    from torsor.simulation.events import Happening as Happening
    from torsor.simulation.laws import SimulationNotice as SimulationNotice
    from torsor.simulation.outcome import Run as Run
    from torsor.simulation.parameters import parameter as parameter
    from torsor.simulation.running import simulate as simulate
    from torsor.simulation.sampled import Encoder as Encoder
    from torsor.simulation.sampled import FilteredDifference as FilteredDifference
    from torsor.simulation.sampled import Sampled as Sampled
    from torsor.simulation.surroundings import Buffers as Buffers
    from torsor.simulation.surroundings import ContactSpring as ContactSpring
else:
    __getattr__, __dir__ = exports(__name__)
