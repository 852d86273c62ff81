"""XML read strictly: hostile files refused, every element with the line it stands on, every number checked."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors as expat_errors

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from torsor.errors import DescriptionWarning, ModelError
from torsor.model.transforms import Floats, pose, rotation_quaternion, rotation_rpy

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_FINITE = "a finite number is expected: NaN and infinity cannot describe an arm"
_LONGEST_TEXT = 200  # only numbers are read from text; plugins may hold whole programs
_BEGINS = 'a URDF begins with <robot name="...">'
_XACRO = "this is a xacro file: run xacro first (xacro robot.urdf.xacro > robot.urdf)"


@dataclass(eq=False)
class XmlElement:
    """One XML element and where it begins. ``owner`` is the link or joint it belongs to, in the words of errors."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    owner: str = ""
    is_part: bool = False  # it is that link or joint itself
    children: list[XmlElement] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> list[XmlElement]:
        return [child for child in self.children if child.tag == tag]

    def __str__(self) -> str:
        if self.is_part:
            return self.owner
        tag = f"<{self.tag.rpartition('}')[2]}>"
        return f"{tag} of {self.owner}" if self.owner else tag


class _Builder:
    """Takes the parser's events; the pure-Python parser of defusedxml shows the expat parser with its position."""

    def __init__(self) -> None:
        self.expat: Any = None
        self.root: XmlElement | None = None
        self.open: list[XmlElement] = []
        self.source = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line, column = self.expat.CurrentLineNumber, self.expat.CurrentColumnNumber + 1
        element = XmlElement(tag, attributes, line, column)
        if self.open:
            parent = self.open[-1]
            parent.children.append(element)
            element.is_part = len(self.open) == 1 and "name" in attributes
            element.owner = f"{tag} {attributes['name']!r}" if element.is_part else parent.owner
        else:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def data(self, text: str) -> None:
        if self.open and len(self.open[-1].text) < _LONGEST_TEXT:
            self.open[-1].text += text

    def comment(self, text: str) -> None:
        if not self.source and text.strip().lower().startswith("source:"):
            self.source = " ".join(text.split())[len("source:") :].strip()

    def close(self) -> XmlElement | None:
        return self.root


@dataclass
class Document:
    """An XML file and the ways to ask it for values; what is wrong is an error that names the line."""

    file: str
    root: XmlElement
    source: str = ""  # what a comment that begins with "Source:" says
    remarks: dict[str, tuple[str, list[int]]] = field(default_factory=dict)  # kind -> text of the first, lines of all

    @classmethod
    def parse(cls, text: str, file: str) -> Document:
        if not text.strip():
            raise ModelError("the file is empty", hint=_BEGINS, file=file)
        builder = _Builder()
        parser = DefusedXMLParser(target=builder, forbid_dtd=True)
        builder.expat = parser.parser
        try:
            parser.feed(text)
            root = parser.close()
        except ParseError as error:
            raise _malformed(error, builder, file) from None
        except DefusedXmlException:
            hint = "remove <!DOCTYPE ...>: a URDF needs none, and entities are never expanded"
            line, column = builder.expat.CurrentLineNumber, builder.expat.CurrentColumnNumber + 1
            raise ModelError(
                "the file declares a document type", hint=hint, file=file, line=line, column=column
            ) from None
        except UnicodeEncodeError:
            raise ModelError("the text holds a lone surrogate", hint="save the file as UTF-8", file=file) from None
        return cls(file, root, builder.source)

    def error(self, element: XmlElement, problem: str, hint: str | None = None) -> ModelError:
        return ModelError(problem, hint=hint, file=self.file, line=element.line, column=element.column)

    def remark(self, element: XmlElement, text: str, kind: str | None = None) -> None:
        """Keeps a warning; those of one kind are counted, so that a file of a thousand meshes warns once."""
        self.remarks.setdefault(kind or text, (text, []))[1].append(element.line)

    def warn(self, stacklevel: int) -> None:
        for text, lines in sorted(self.remarks.values(), key=lambda remark: remark[1][0]):
            more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
            warnings.warn(f"{self.file}:{lines[0]}: {text}{more}", DescriptionWarning, stacklevel=stacklevel + 1)

    def one(self, element: XmlElement, tag: str) -> XmlElement | None:
        """The only child of that tag, or None."""
        found = element.all(tag)
        if len(found) > 1:
            raise self.error(
                found[1], f"there is a second <{tag}> in {element}", f"the first stands in line {found[0].line}"
            )
        return found[0] if found else None

    def required(self, element: XmlElement, tag: str, example: str) -> XmlElement:
        found = self.one(element, tag)
        if found is None:
            raise self.error(element, f"there is no <{tag}> in {element}", f"write {example}")
        return found

    def attribute(self, element: XmlElement, name: str) -> str:
        value = element.attributes.get(name, "")
        if not value:
            missing = "has no" if name not in element.attributes else "has an empty"
            bare = element.tag.rpartition("}")[2]
            raise self.error(element, f"{element} {missing} {name}", f'write <{bare} {name}="...">')
        return value

    def number(self, element: XmlElement, name: str, default: float | None = None) -> float:
        if default is not None and name not in element.attributes:
            return default
        return self._number(
            element, self.attribute(element, name).strip(), f"{name} of {element}", "a number is expected"
        )

    def text_number(self, element: XmlElement) -> float:
        """The number between <tag> and </tag>."""
        return self._number(element, element.text.strip(), f"the content of {element}", "a number is expected")

    def numbers(self, element: XmlElement, name: str, count: int) -> Floats:
        words = self.attribute(element, name).split()
        what = f"{name} of {element}"
        expected = f"{count} numbers separated by spaces are expected"
        values = [self._number(element, word, what, expected) for word in words]
        if len(values) != count:
            raise self.error(element, f"{what} has {len(values)} number{'s' * (len(values) != 1)}", expected)
        return np.array(values)

    def pose(self, element: XmlElement | None) -> Floats:
        """Of an <origin> or None: position, and turns about the fixed axes x, y, z (URDF 1.1: or a quaternion)."""
        if element is None:
            return pose()
        position = self.numbers(element, "xyz", 3) if "xyz" in element.attributes else None
        if "quat_xyzw" in element.attributes:
            if "rpy" in element.attributes:
                raise self.error(element, f"{element} has both rpy and quat_xyzw", "give one of them")
            x, y, z, w = self.numbers(element, "quat_xyzw", 4)
            if not (x or y or z or w):
                raise self.error(element, f"quat_xyzw of {element} is zero", "the unit quaternion is 0 0 0 1")
            return pose(rotation_quaternion(w, x, y, z), position)
        rpy = self.numbers(element, "rpy", 3) if "rpy" in element.attributes else (0.0, 0.0, 0.0)
        return pose(rotation_rpy(*map(float, rpy)), position)

    def _number(self, element: XmlElement, word: str, what: str, expected: str) -> float:
        if _NUMBER.fullmatch(word):
            value = float(word)
            if value in (float("inf"), float("-inf")):
                raise self.error(element, f"{what} is {word!r}, too large for a number", _FINITE)
            return value
        if _NOT_FINITE.fullmatch(word):
            raise self.error(element, f"{what} is {word!r}", _FINITE)
        if "${" in word or "$(" in word:
            raise self.error(element, f"{what} is {word!r}", _XACRO)
        raise self.error(element, f"{what} is {word!r}", expected)


def is_xacro(element: XmlElement) -> bool:
    return element.tag.startswith("{") and "xacro" in element.tag.partition("}")[0]


def refuse_xacro(document: Document) -> None:
    """A file that still has xacro elements is a program for a URDF, not a URDF."""
    waiting = [document.root]
    while waiting:
        element = waiting.pop()
        if is_xacro(element):
            name = f"<xacro:{element.tag.partition('}')[2]}>"
            raise document.error(element, f"{name} is no URDF", _XACRO)
        waiting += reversed(element.children)


def _malformed(error: ParseError, builder: _Builder, file: str) -> ModelError:
    line, column = error.position
    message = expat_errors.messages.get(error.code, "not well-formed")
    inner = builder.open[-1] if builder.open else None
    still_open = None if inner is None else f"{inner} of line {inner.line} is still open"
    hint: str | None = still_open
    match message:
        case expat_errors.XML_ERROR_NO_ELEMENTS | expat_errors.XML_ERROR_UNCLOSED_TOKEN if still_open:
            problem = "the file ends too early"
        case expat_errors.XML_ERROR_UNBOUND_PREFIX:
            problem, hint = "this tag or attribute has an undeclared prefix", _XACRO.replace("this is", "if this is")
        case expat_errors.XML_ERROR_TAG_MISMATCH:
            problem = "this closes a tag that is not open"
        case expat_errors.XML_ERROR_INVALID_TOKEN | expat_errors.XML_ERROR_UNDEFINED_ENTITY if inner:
            problem, hint = f"this is not XML: {message}", "in names and texts write &amp; for & and &lt; for <"
        case expat_errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
            problem, hint = "something follows the end of the robot", "a URDF is one <robot> ... </robot>"
        case _:
            problem, hint = f"this is not XML: {message}", still_open or _BEGINS
    return ModelError(problem, hint=hint, file=file, line=line, column=column + 1)
