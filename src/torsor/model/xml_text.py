"""XML written as text: escaped names, indented elements, numbers that lose nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from torsor.model.transforms import Floats, rpy_of

XmlValue = str | float | Floats | tuple[float, ...]


def number(value: float) -> str:
    """The shortest text that reads back as the same number.

    >>> number(-0.0), number(0.1), number(3.0)
    ('0', '0.1', '3')
    """
    return repr(float(value) + 0.0).removesuffix(".0")


class XmlNode(NamedTuple):
    """An element to be written, with its attributes and what is inside: other elements, a text, or nothing."""

    tag: str
    attributes: str
    inside: Sequence[XmlNode] | str | None


def node(tag: str, inside: Sequence[XmlNode] | str | None = None, /, **attributes: XmlValue | None) -> XmlNode:
    """Attributes that are None are left out."""

    def text(value: XmlValue) -> str:
        return value if isinstance(value, str) else " ".join(map(number, np.ravel(value)))

    given = (f" {name}={quoteattr(text(value))}" for name, value in attributes.items() if value is not None)
    return XmlNode(tag, "".join(given), inside)


def origin(T: Floats) -> list[XmlNode]:
    """URDF's pose; nothing where it is the identity."""
    return [] if np.array_equal(T, np.eye(4)) else [node("origin", xyz=T[:3, 3], rpy=np.array(rpy_of(T[:3, :3])))]


def xml_text(comments: Iterable[Sequence[str]], root: XmlNode) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    for comment in comments:
        # "--" may not stand in a comment, and a comment may not end in "-"
        text = [line.replace("--", "- -") for line in comment]
        lines += [f"<!-- {text[0]} -->"] if len(text) == 1 else ["<!--", *(f"  {line}" for line in text), "-->"]
    waiting: list[tuple[int, XmlNode | str]] = [(0, root)]  # a text closes an element
    while waiting:
        depth, each = waiting.pop()
        if isinstance(each, str):
            line = each
        elif each.inside is None:
            line = f"<{each.tag}{each.attributes}/>"
        elif isinstance(each.inside, str):
            line = f"<{each.tag}{each.attributes}>{escape(each.inside)}</{each.tag}>"
        else:
            line = f"<{each.tag}{each.attributes}>"
            waiting += [(depth, f"</{each.tag}>"), *((depth + 1, inner) for inner in reversed(each.inside))]
        lines.append("  " * depth + line)
    return "\n".join(lines) + "\n"
