"""The running robot beside its model: samples of a stream in, residuals, flags and frames to draw out."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.monitoring.flags import MonitorFlag as MonitorFlag
    from torsor.monitoring.frames import MonitorFrame as MonitorFrame
    from torsor.monitoring.monitoring import Monitor as Monitor
    from torsor.monitoring.payload_fit import PayloadEstimate as PayloadEstimate
    from torsor.monitoring.stream_samples import StreamError as StreamError
    from torsor.monitoring.watching import Watched as Watched
    from torsor.monitoring.watching import watch as watch
else:
    __getattr__, __dir__ = exports(__name__)
