"""What was traced and compiled in this process, by what it was made from: the same arm, law and settings again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

MOST = 64  # kept; the oldest goes first

T = TypeVar("T")
_made: OrderedDict[Hashable, tuple[Any, Sequence[Any]]] = OrderedDict()


def recalled(kind: str, facts: Hashable, things: Sequence[Any], make: Callable[[], T]) -> T:
    """What ``make`` gives, once for equal facts and the same objects, which are held: no other takes their id."""
    key = kind, facts, tuple(id(thing) for thing in things)
    if key not in _made:
        _made[key] = make(), things
        if len(_made) > MOST:
            _made.popitem(last=False)
    _made.move_to_end(key)
    found: T = _made[key][0]
    return found
