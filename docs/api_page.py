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
    return "".join(_section(name, room) for name, room in rooms().items())


def _section(title: str, room) -> str:
    entries = "".join(_entry(f"{title}.{name}", getattr(room, name)) for name in public_names(room))
    lead = "" if room is torsor else inspect.getdoc(room) + "\n\n"
    return f"\n## {title}\n\n{lead}```{{eval-rst}}\n{entries}```\n"


def _entry(name: str, thing: object) -> str:
    if inspect.ismodule(thing):
        return f".. automodule:: {name}\n   :members:\n"
    if inspect.isclass(thing) and name.endswith(f".{thing.__name__}"):  # a law is a class with the name of a call
        return f".. autoclass:: {name}\n   :members:\n"
    if callable(thing):
        return f".. autofunction:: {name}\n"
    return f".. py:data:: {name}\n   :type: {type(thing).__name__}\n"
