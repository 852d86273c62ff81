"""Numbers that stand together where a comma is missing between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torsor.programs.diagnostics import At

_LED_BY_ZERO = re.compile(r"(?<=[\[,])\s*(-?0\d[\d.]*)(?=\s*[,\]])")


def led_by_zero(bare: str) -> Iterator[tuple[At, str, str, bool]]:
    """A number in brackets such as 00 or 02.5, of a text without comments and quotes; a warning.

    >>> list(led_by_zero("[0.2,00]"))
    [((1, 6), 'a number begins with 0: 00', 'is a comma missing in it?', False)]
    """
    found = list(_LED_BY_ZERO.finditer(bare))
    if len(found) == 1:  # of several it is somebody's manner of writing
        k = found[0].start(1)
        at = bare.count("\n", 0, k) + 1, k - bare.rfind("\n", 0, k)
        yield at, f"a number begins with 0: {found[0][1]}", "is a comma missing in it?", False
