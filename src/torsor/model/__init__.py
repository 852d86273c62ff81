"""What an arm is: links, joints, drives, loops, limits, frames, and the readers and writers of their descriptions."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.model.beams import Beam as Beam
    from torsor.model.beams import BeamDamping as BeamDamping
    from torsor.model.beams import Branch as Branch
    from torsor.model.beams import Compliance as Compliance
    from torsor.model.beams import Material as Material
    from torsor.model.beams import Section as Section
    from torsor.model.mass import Mass as Mass
    from torsor.model.model import Model as Model
    from torsor.model.parts import BASE as BASE
    from torsor.model.parts import Drive as Drive
    from torsor.model.parts import Frame as Frame
    from torsor.model.parts import Joint as Joint
    from torsor.model.parts import Limits as Limits
    from torsor.model.parts import Link as Link
    from torsor.model.parts import Loop as Loop
    from torsor.model.parts import Mimic as Mimic
else:
    __getattr__, __dir__ = exports(__name__)
