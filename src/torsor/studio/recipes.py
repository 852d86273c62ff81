"""The Python and the command line that do what the studio does: every answer carries them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np


def written(value: Any) -> str:
    """A value as Python writes it, with every digit.

    >>> written(np.array([0.1, -0.0])), written("L-IRL"), written(None)
    ('[0.1, -0.0]', "'L-IRL'", 'None')
    """
    return repr(np.asarray(value).tolist() if isinstance(value, np.ndarray | np.generic) else value)


def loading(arm: str, payload: float | None = None) -> str:
    """
    >>> loading("ur5", 2.0)
    "import torsor\\n\\narm = torsor.load('ur5').with_payload(2.0)"
    """
    held = "" if payload is None else f".with_payload({payload!r})"
    return f"import torsor\n\narm = torsor.load({arm!r}){held}"


def script(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def words(options: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    """Keyword arguments that differ from what is taken without a word."""
    said = {name: value for name, value in options.items() if value != usual.get(name)}
    return "".join(f", {name}={written(value)}" for name, value in said.items())


def command(*parts: object) -> str:
    """A line for a shell; a name in somebody's file is one word of it, whatever it holds.

    >>> command("torsor", "show", "my arm.toml")
    "torsor show 'my arm.toml'"
    """
    return shlex.join(map(str, parts))


def flags(options: Mapping[str, Any], usual: Mapping[str, Any]) -> Sequence[str]:
    """Options of a command that differ from what is taken without a word."""
    found: list[str] = []
    for name, value in options.items():
        if value == usual.get(name):
            continue
        option = "--" + name.replace("_", "-")
        found += [option] if value is True else [option, str(value)]
    return found


def text_literal(text: str) -> str:
    """A text of many lines as Python writes it: as it reads, where it has no quotes or backslashes of its own.

    >>> exec("text = " + text_literal("a\\n'''b\\\\"))
    >>> text
    "a\\n'''b\\\\"
    """
    plain = "'''" not in text and "\\" not in text and not text.endswith("'") and "\r" not in text
    return f"'''\\\n{text}'''" if plain and "\n" in text else repr(text)


def file_name(title: str, suffix: str) -> str:
    """A name that is one on every system.

    >>> file_name("../<b>tour", ".html")
    'b-tour.html'
    """
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(title).name if c.isprintable())
    return (kept.strip("-.")[:60] or "torsor") + suffix
