"""Drives: motors, gears and friction in motor coordinates, and the motion that motors can achieve."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.drives.achiever import Achiever as Achiever
    from torsor.drives.achieving import Achieved as Achieved
    from torsor.drives.achieving import achievable as achievable
    from torsor.drives.drives import Drives as Drives
    from torsor.drives.drives import Power as Power
else:
    __getattr__, __dir__ = exports(__name__)
