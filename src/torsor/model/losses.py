"""What a format cannot hold of an arm: said in the written file and to whoever writes it, never dropped in silence."""

from __future__ import annotations

import warnings

from torsor.errors import DescriptionWarning
from torsor.model.model import Model
from torsor.model.xml_text import XmlText


def grouped(lost: list[tuple[str, str]]) -> list[str]:
    """What is lost, of which parts.

    >>> grouped([("friction", "motor1"), ("offsets", "motor1"), ("friction", "motor2")])
    ['friction: motor1, motor2', 'offsets: motor1']
    """
    parts: dict[str, list[str]] = {}
    for what, part in lost:
        parts.setdefault(what, []).append(part)
    return [f"{what}: {', '.join(names)}" for what, names in parts.items()]


def write_header(xml: XmlText, model: Model, notes: list[str], losses: list[str]) -> None:
    """The comments at the top of a written file."""
    if model.source:
        xml.comment([f"Source: {' '.join(model.source.split())}"])
    lines = [f"{model.name}, written by Torsor"]
    lines += [f"correction: {' '.join(text.split())}" for text in model.corrections]
    lines += [f"note: {text}" for text in notes]
    lines += [f"not in this file: {text}" for text in losses]
    xml.comment(lines)


def warn(model: Model, format_name: str, losses: list[str], stacklevel: int = 3) -> None:
    for text in losses:
        warnings.warn(f"{model.name} as {format_name} leaves out {text}", DescriptionWarning, stacklevel=stacklevel)
