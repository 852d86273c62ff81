"""Programs of elastic arms: how far the tool swings, when it settles, what would help."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.vibration.stops import Stop as Stop
    from torsor.vibration.vibrating import vibrate as vibrate
    from torsor.vibration.vibration import Vibration as Vibration
else:
    __getattr__, __dir__ = exports(__name__)
