"""What was made lately in this process, by the content it was made from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """The last ``most`` things. A key says all that a thing depends on: equal keys, the same thing.

    >>> lengths = Recent(2)
    >>> lengths.get("abc", lambda: 3), lengths.get("abc", lambda: 4)
    (3, 3)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._made: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = make()  # not under the lock: it may take long, and ask for others; of two that make it one stays
        with self._lock:
            made = self._made.setdefault(key, made)
            while len(self._made) > self.most:
                self._made.popitem(last=False)
        return made
