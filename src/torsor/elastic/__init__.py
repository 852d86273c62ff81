"""Beams on the moving arm: frequencies and modes, deflection, vibration along motions, input shaping."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.elastic.elastic_arm import Elastic as Elastic
    from torsor.elastic.held_arm import Deflection as Deflection
    from torsor.elastic.held_arm import ElasticMode as ElasticMode
    from torsor.elastic.moving_stress import stress_along as stress_along
    from torsor.elastic.moving_stress import stress_at as stress_at
    from torsor.elastic.shaping import ShapedTrajectory as ShapedTrajectory
    from torsor.elastic.shaping import Shaper as Shaper
    from torsor.elastic.shaping import shaped as shaped
    from torsor.elastic.shaping import shaper as shaper
    from torsor.elastic.small_bending import LargeDeflection as LargeDeflection
    from torsor.elastic.stress import ArmStress as ArmStress
    from torsor.elastic.stress import LinkStress as LinkStress
    from torsor.elastic.stress import WorstStress as WorstStress
    from torsor.elastic.swinging import Swing as Swing
    from torsor.elastic.swinging import follow as follow
else:
    __getattr__, __dir__ = exports(__name__)
