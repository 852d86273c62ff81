"""What the five works can do, with the command that does it here, its state, and the test that runs it.

The rows stand in ``capabilities.toml``. Nothing is marked as working without a test:
``tests/reproducing/test_capabilities.py`` looks for each and tries each command, and the docs print this list.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

CapabilityState = Literal["works", "partly", "missing", "lost"]


@dataclass(frozen=True)
class Capability:
    work: str
    at: str  # where the text has it
    what: str
    shell: str = ""  # one of these: a command,
    python: str = ""  # an expression,
    file: str = ""  # a line of an arm or scenario file
    state: CapabilityState = "works"
    test: str = ""  # file::function that runs it; what is missing or lost has none
    left: str = ""  # what is not there yet, or lost

    @property
    def command(self) -> str:
        return self.shell or self.python or self.file


@cache
def capabilities() -> tuple[Capability, ...]:
    text = files("torsor.reproducing").joinpath("capabilities.toml").read_text(encoding="utf-8")
    works: dict[str, list[dict[str, Any]]] = tomllib.loads(text)
    return tuple(Capability(work, **row) for work, listed in works.items() for row in listed)


def capability_table() -> str:
    """As Markdown: how many of each work, then all of them."""
    counts = Counter((each.work, each.state) for each in capabilities())
    states = get_args(CapabilityState)
    parts = [f"| work | {' | '.join(states)} |\n| --- {'| ---: ' * len(states)}|\n"]
    works = dict.fromkeys(each.work for each in capabilities())
    parts += [f"| {work} | {' | '.join(str(counts[work, state]) for state in states)} |\n" for work in works]
    for work in works:
        parts.append(f"\n### {work}\n\n| in the text | what | here | state | test |\n| --- | --- | --- | --- | --- |\n")
        parts += [_row(each) for each in capabilities() if each.work == work]
    return "".join(parts)


def _row(each: Capability) -> str:
    command = f"`{each.command}`" if each.command else ""
    state = f"{each.state}: {each.left}" if each.left else each.state
    test = f"`{each.test.removeprefix('tests/')}`" if each.test else ""
    return f"| {each.at} | {each.what} | {command} | {state} | {test} |\n"
