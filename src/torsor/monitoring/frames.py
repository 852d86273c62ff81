"""What is drawn of a stream, some sixty times a second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.monitoring.flags import MonitorFlag
from torsor.monitoring.headroom import Headroom
from torsor.monitoring.payload_fit import PayloadEstimate


@dataclass(frozen=True, eq=False)
class MonitorFrame:
    """The latest state, what is flagged, and signals since the frame before: the last sample and the worst one.

    Motor torques are those of joints where the arm has no drives or the stream tells joint torques.
    """

    time: float  # s, of the stream
    samples: int  # so far
    latency: float | None  # s from the arrival of the oldest sample in this frame until now; None of logs at full pace
    q: Floats  # (n,)
    qd: Floats  # (n,)
    tool: Floats  # (4, 4) T_base_tool
    headroom: Headroom | None
    payload: PayloadEstimate | None
    active: tuple[MonitorFlag, ...]  # that last
    raised: tuple[MonitorFlag, ...]  # since the frame before
    signals: Mapping[
        str, Floats
    ]  # time (k,); q, qd, external, threshold (k, n); measured, model, residual, share (k, m)

    def document(self) -> dict[str, Any]:
        """As JSON can hold it; null for what is not known."""
        head = self.headroom
        return {
            "time": self.time,
            "samples": self.samples,
            "latency": self.latency,
            "q": plain(self.q),
            "qd": plain(self.qd),
            "tool": plain(self.tool.ravel()),
            "headroom": None if head is None else {word: plain(value) for word, value in vars(head).items()},
            "payload": None if self.payload is None else {w: plain(v) for w, v in vars(self.payload).items()},
            "active": [flag.document() for flag in self.active],
            "raised": [flag.document() for flag in self.raised],
            "signals": {name: plain(values) for name, values in self.signals.items()},
        }


def plain(value: Any) -> Any:
    """Arrays as lists, what is not finite as None."""
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value.tolist()]
    if isinstance(value, list):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
