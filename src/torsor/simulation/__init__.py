"""Stepping in time: an arm under a law, with friction that sticks, in loops of machine code."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.simulation.driving import Stopped as Stopped
    from torsor.simulation.events import Event as Event
    from torsor.simulation.events import Happening as Happening
    from torsor.simulation.outcome import Run as Run
    from torsor.simulation.parameter_values import parameter as parameter
    from torsor.simulation.sampled import Encoder as Encoder
    from torsor.simulation.sampled import FilteredDifference as FilteredDifference
    from torsor.simulation.sampled import Sampled as Sampled
    from torsor.simulation.setting import Setting as Setting
    from torsor.simulation.simulating import Simulation as Simulation
    from torsor.simulation.simulating import simulate as simulate
    from torsor.simulation.surroundings import Buffers as Buffers
    from torsor.simulation.surroundings import ContactSpring as ContactSpring
    from torsor.simulation.torques import SimulationNotice as SimulationNotice
else:
    __getattr__, __dir__ = exports(__name__)
