"""The public names of every room as Markdown, from the rooms themselves."""

import inspect

import torsor
from torsor.exports import homes_in


def rooms() -> dict[str, object]:
    """The rooms that users import from, by name: torsor itself and those it names."""
    named = [getattr(torsor, name) for name in dir(torsor)]
    return {room.__name__: room for room in (torsor, *filter(inspect.ismodule, named))}


def public_names(room) -> list[str]:
    """Names of a room in the order of its homes; in a room of one file all that is written there."""
    if hasattr(room, "__path__"):
        return [name for name in homes_in(room.__name__) if f"torsor.{name}" not in rooms()]
    return [name for name, thing in vars(room).items() if getattr(thing, "__module__", "") == room.__name__]


def api_markdown() -> str:
    described: set[int] = set()  # a class that two rooms hand out is indexed once
    return "".join(_section(name, room, described) for name, room in rooms().items())


def _section(title: str, room, described: set[int]) -> str:
    entries = ""
    for name in public_names(room):
        thing = getattr(room, name)
        entries += _entry(f"{title}.{name}", thing, again=id(thing) in described)
        described.add(id(thing))
    lead = "" if room is torsor else inspect.getdoc(room) + "\n\n"
    return f"\n## {title}\n\n{lead}```{{eval-rst}}\n{entries}```\n"


def _entry(name: str, thing: object, *, again: bool = False) -> str:
    aside = "   :no-index:\n" if again else ""
    if inspect.ismodule(thing):
        return f".. automodule:: {name}\n   :members:\n"
    if inspect.isclass(thing) and name.endswith(f".{thing.__name__}"):  # a law is a class with the name of a call
        return f".. autoclass:: {name}\n   :members:\n{aside}"
    if callable(thing):
        return f".. autofunction:: {name}\n{aside}"
    return f".. py:data:: {name}\n   :type: {type(thing).__name__}\n"
