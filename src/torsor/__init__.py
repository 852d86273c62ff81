"""Torsor: a dynamics compiler and workbench for robot arms."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor import algebra as algebra
    from torsor import checking as checking
    from torsor import control as control
    from torsor import drives as drives
    from torsor import elastic as elastic
    from torsor import emit as emit
    from torsor import errors as errors
    from torsor import model as model
    from torsor import monitoring as monitoring
    from torsor import motion as motion
    from torsor import programs as programs
    from torsor import scenarios as scenarios
    from torsor import simulation as simulation
    from torsor import sizing as sizing
    from torsor import study as study
    from torsor import vibration as vibration
    from torsor.arm import Arm as Arm
    from torsor.checking import check as check
    from torsor.comparing import ComparedRow as ComparedRow
    from torsor.comparing import Comparison as Comparison
    from torsor.comparing import compare as compare
    from torsor.derived import Equations as Equations
    from torsor.derived import EquationSet as EquationSet
    from torsor.deriving import derive as derive
    from torsor.errors import TorsorError as TorsorError
    from torsor.loading import load as load
    from torsor.loading import robots as robots
    from torsor.simulation import Simulation as Simulation
    from torsor.simulation import simulate as simulate
    from torsor.version import __version__ as __version__
    from torsor.vibration import Vibration as Vibration
    from torsor.vibration import vibrate as vibrate
else:
    __getattr__, __dir__ = exports(__name__)
