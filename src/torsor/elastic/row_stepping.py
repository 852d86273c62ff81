"""A compiled step, taken along rows of what is given for it: in one native loop, not step by step in Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torsor.emit.kernel import Kernel
from torsor.emit.native_loop import Call, NativeLoop
from torsor.errors import TorsorError
from torsor.model.transforms import Floats

BLOCK = 4096  # steps in a native loop: what goes wrong is seen, and Ctrl-C is heard, between two of them


def along(
    kernel: Kernel,
    given: Sequence[Floats],
    state: Sequence[Floats] | Floats,
    *,
    dt: float,
    inside: int = 1,
    since: float = 0.0,
) -> tuple[Floats, ...]:
    """The states (rows + 1, ...) that follow from the first one, ``dt`` apart.

    The kernel takes what is ``given``, each (rows, ...), then the state, and gives the state at the end of the step.
    With ``inside``, each row is so many steps, and all that is given has one more dimension behind its rows. ``since``
    is the time of the first state.
    """
    rows = len(given[0])
    flat = np.concatenate([np.asarray(part, float).reshape(rows * inside, -1) for part in given], axis=1)
    sizes = [each.size for each in kernel.tape.inputs]
    places = np.concatenate([[0], np.cumsum(sizes)])
    first = len(given)  # of the state
    start, width = int(places[first]), int(places[-1])
    calls = (Call(kernel, (*map(int, places[:-1]), *map(int, places[first:-1]))),)
    loop = NativeLoop(calls, given=(0, start), kept=(start, width - start))
    workspace = np.zeros(width)
    workspace[start:] = np.concatenate([np.ravel(part) for part in state])
    kept = np.empty((rows + 1, width - start))
    kept[0] = workspace[start:]
    for k in range(0, rows, max(1, BLOCK // inside)):
        upto = min(rows, k + max(1, BLOCK // inside))
        found = loop.run(workspace, upto - k, given=flat[k * inside : upto * inside], inner=inside)
        kept[k + 1 : upto + 1] = found
        if not np.isfinite(found).all():
            lost = k + int(np.argmin(np.isfinite(found).all(axis=1)))
            problem = f"what bends is not finite after {since + lost * dt:.4g} s"
            raise TorsorError(problem, hint="look at the arm's stiffness")
    ends = np.cumsum(sizes[first:])[:-1]
    return tuple(np.ascontiguousarray(part) for part in np.split(kept, ends, axis=1))
