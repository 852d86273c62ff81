"""What a format cannot hold of an arm: said in the written file and to whoever writes it, never dropped in silence."""

from __future__ import annotations

import warnings

from torsor.errors import DescriptionWarning, Unsupported, printable
from torsor.model.model import Model
from torsor.model.xml_text import XmlNode, xml_text


def grouped(lost: list[tuple[str, str]]) -> list[str]:
    """What is lost, of which parts.

    >>> grouped([("friction", "motor1"), ("offsets", "motor1"), ("friction", "motor2")])
    ['friction: motor1, motor2', 'offsets: motor1']
    """
    parts: dict[str, list[str]] = {}
    for what, part in lost:
        parts.setdefault(what, []).append(part)
    return [f"{what}: {', '.join(names)}" for what, names in parts.items()]


def bending(model: Model) -> list[tuple[str, str]]:
    """What gives way in an arm, of which parts: formats of rigid bodies have none of it."""
    lost = [("the beam (the link is rigid there)", link.name) for link in model.links if link.beam is not None]
    lost += [("the compliance of the joint", link.joint.name) for link in model.links if link.compliance is not None]
    lost += [("the stiffness of the drive", drive.name) for drive in model.drives if drive.stiffness is not None]
    return lost + [("the backlash of the drive", drive.name) for drive in model.drives if drive.backlash]


def at_tool(model: Model) -> list[tuple[str, str]]:
    """What a data sheet allows at the tool."""
    return [("what is allowed at the tool", word) for word, most in vars(model.tool_limits).items() if most is not None]


def refuse_screws(model: Model, format_name: str) -> None:
    for joint in (link.joint for link in model.links if link.joint.kind == "screw"):
        problem = f"joint {joint.name!r} is a screw, which {format_name} does not have"
        raise Unsupported(problem, hint="export an arm without it")


def written(root: XmlNode, model: Model, format_name: str, notes: list[str], lost: list[str]) -> str:
    """The text of a file, with all that is to be said of it in comments at its top; what is lost is warned of."""
    for text in lost:
        warnings.warn(f"{model.name} as {format_name} leaves out {text}", DescriptionWarning, stacklevel=3)
    comments = [[f"Source: {' '.join(model.source.split())}"]] if model.source else []
    said = {"correction": [" ".join(text.split()) for text in model.corrections], "note": notes}
    said["not in this file"] = lost
    lines = [f"{what}: {text}" for what, texts in said.items() for text in texts]
    comments.append([f"{model.name}, written by Torsor", *lines])
    return xml_text([[printable(line) for line in comment] for comment in comments], root)
