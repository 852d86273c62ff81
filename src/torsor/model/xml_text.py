"""XML written as text: escaped names, indented elements, numbers that lose nothing."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import ArrayLike

from torsor.model.transforms import Floats, rpy_of

XmlValue = str | float | Floats | tuple[float, ...]


def number(value: float) -> str:
    """The shortest text that reads back as the same number.

    >>> number(-0.0), number(0.1), number(3.0)
    ('0', '0.1', '3')
    """
    return repr(float(value) + 0.0).removesuffix(".0")


def numbers(values: ArrayLike) -> str:
    return " ".join(number(value) for value in np.asarray(values, dtype=np.float64).ravel())


class XmlText:
    """Grows a document line by line."""

    def __init__(self) -> None:
        self._lines = ['<?xml version="1.0" encoding="UTF-8"?>']
        self._open: list[str] = []

    def element(self, tag: str, **attributes: XmlValue | None) -> None:
        self._add(f"<{tag}{_attributes(attributes)}/>")

    def content(self, tag: str, text: str) -> None:
        self._add(f"<{tag}>{escape(text)}</{tag}>")

    def begin(self, tag: str, **attributes: XmlValue | None) -> None:
        self._add(f"<{tag}{_attributes(attributes)}>")
        self._open.append(tag)

    def end(self) -> None:
        tag = self._open.pop()
        self._add(f"</{tag}>")

    def origin(self, T: Floats) -> None:
        """URDF's pose; nothing where it is the identity."""
        if not np.array_equal(T, np.eye(4)):
            self.element("origin", xyz=T[:3, 3], rpy=np.array(rpy_of(T[:3, :3])))

    def comment(self, lines: list[str]) -> None:
        # "--" may not stand in a comment, and a comment may not end in "-"
        text = [line.replace("--", "- -") for line in lines]
        if len(text) == 1:
            self._add(f"<!-- {text[0]} -->")
        elif text:
            self._add("<!--")
            for line in text:
                self._add(f"  {line}")
            self._add("-->")

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"

    def _add(self, line: str) -> None:
        self._lines.append("  " * len(self._open) + line)


def _attributes(attributes: dict[str, XmlValue | None]) -> str:
    def text(value: XmlValue) -> str:
        if isinstance(value, str):
            return value
        return number(value) if isinstance(value, int | float) else numbers(value)

    return "".join(f" {name}={quoteattr(text(value))}" for name, value in attributes.items() if value is not None)
