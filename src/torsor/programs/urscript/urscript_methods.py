"""Methods of lists, ``points.append(p)``: they change the list that they are asked of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torsor.programs import syntax
from torsor.programs.language import Function
from torsor.programs.urscript.urscript_lowering import UrscriptLowering
from torsor.programs.values import Absent, Value, Wrong


def _at(items: list[Any], index: Any, *, beyond: int = 0) -> int:
    number = int(index) if isinstance(index, float | int) else -1
    if not 0 <= number < len(items) + beyond:
        raise Wrong(f"a list of {len(items)} has no place {index:g}" if isinstance(index, float) else "no such place")
    return number


def _insert(items: list[Any], index: Any, value: Any) -> None:
    items.insert(_at(items, index, beyond=1), value)


def _remove(items: list[Any], index: Any) -> None:
    del items[_at(items, index)]


def _pop(items: list[Any]) -> Any:
    if not items:
        raise Wrong("pop() of an empty list")
    return items.pop()


def _slice(items: list[Any], begin: Any = 0.0, end: Any = None) -> Any:
    return tuple(items[int(begin) : len(items) if end is None else int(end)])


# the method, its least and most arguments, whether the list is another one afterwards
_METHODS: dict[str, tuple[Callable[..., Any], int, int, bool]] = {
    "append": (lambda items, value: items.append(value), 1, 1, True),
    "extend": (lambda items, more: items.extend(more if isinstance(more, tuple) else (more,)), 1, 1, True),
    "insert": (_insert, 2, 2, True),
    "remove": (_remove, 1, 1, True),
    "pop": (_pop, 0, 0, True),
    "clear": (lambda items: items.clear(), 0, 0, True),
    "slice": (_slice, 0, 2, False),
    "length": (lambda items: float(len(items)), 0, 0, False),
    "capacity": (lambda items: float(len(items)), 0, 0, False),
    "excess_capacity": (lambda items: 0.0, 0, 0, False),
}


def _asked_of(name: str) -> Callable[..., Value]:
    compute, least, most, changes = _METHODS[name]

    def apply(lowering: UrscriptLowering, place: syntax.Expression, *given: Any) -> Value:
        run = lowering.interpreter
        whole = run.evaluate(place)
        if not isinstance(whole, tuple):  # of something that is elsewhere, behind rpc_factory say
            base = syntax.base(place)
            told = f"{base.name if base else ''}.{name}"
            run.assume(place.at, f"routine {told}", f"the function {told} is in no file: its value is not known")
            return Absent(told)
        if not least <= len(given) <= most:
            raise Wrong(f"{name} takes {least if least == most else f'{least} to {most}'} arguments, not {len(given)}")
        items = list(whole)
        found = compute(items, *given)
        if changes:
            run.assign(place, tuple(items))
        return 0.0 if found is None else found

    return apply


FUNCTIONS = {
    f".{name}": Function(("place", "any"), "any", _asked_of(name), 1, repeat=True, changed_by=None) for name in _METHODS
}
