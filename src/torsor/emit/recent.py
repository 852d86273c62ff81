"""What was made lately in this process, by the content it was made from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from torsor.emit.locks import fork_safe_lock

T = TypeVar("T")
_LOCK = fork_safe_lock()


class Recent(Generic[T]):
    """The last ``most`` things, or as many as weigh that much. A key says all that a thing depends on: equal keys, the
    same thing.

    >>> lengths = Recent(2)
    >>> lengths.get("abc", lambda: 3), lengths.get("abc", lambda: 4)
    (3, 3)
    """

    def __init__(self, most: int, weigh: Callable[[T], int] = lambda _: 1) -> None:
        self.most, self.weigh = most, weigh
        self._made: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with _LOCK:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = make()  # not under the lock: it may take long, and ask for others; of two that make it one stays
        with _LOCK:
            made = self._made.setdefault(key, made)
            while sum(map(self.weigh, self._made.values())) > self.most:
                self._made.popitem(last=False)
        return made


class Shared(Recent[T]):
    """What is recent, and all that somebody still holds."""

    def __init__(self, most: int, weigh: Callable[[T], int] = lambda _: 1) -> None:
        super().__init__(most, weigh)
        self._held: WeakValueDictionary[Hashable, T] = WeakValueDictionary()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        held = self._held.get(key)
        made = super().get(key, make if held is None else lambda: held)
        return self._held.setdefault(key, made)
