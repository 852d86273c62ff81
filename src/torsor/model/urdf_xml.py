"""XML read strictly: hostile files refused, every element with the line it stands on, every number checked."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isinf
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors as expat_errors

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from torsor.errors import DescriptionWarning, ModelError
from torsor.model.transforms import Floats, pose, rotation_quaternion, rotation_rpy, size_of

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_FINITE = "a finite number is expected: NaN and infinity cannot describe an arm"
_LONGEST_TEXT = 200  # only numbers are read from text; plugins may hold whole programs
_BEGINS = 'a URDF begins with <robot name="...">'
_XACRO = "this is a xacro file: run xacro first (xacro robot.urdf.xacro > robot.urdf)"


@dataclass
class XmlSource:
    """What is known of a file as a whole."""

    file: str
    strict: bool = True  # what other readers let pass is an error, too
    said: str = ""  # what a comment that begins with "Source:" says
    remarks: dict[str, tuple[str, list[int]]] = field(default_factory=dict)  # kind -> text of the first, lines of all

    @property
    def collected(self) -> tuple[str, ...]:
        """One sentence for each kind of remark, with the line of the first, in the order of the file."""
        found = []
        for text, lines in sorted(self.remarks.values(), key=lambda remark: remark[1][0]):
            more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
            found.append(f"{self.file}:{lines[0]}: {text}{more}")
        return tuple(found)

    def warn(self, stacklevel: int) -> None:
        for text in self.collected:
            warnings.warn(text, DescriptionWarning, stacklevel=stacklevel + 1)


@dataclass(eq=False)
class XmlElement:
    """One XML element and the ways to ask it for values; what is wrong is an error that names its line.

    ``owner`` is the link or joint it belongs to, in the words of errors.
    """

    tag: str
    attributes: dict[str, str]
    source: XmlSource
    line: int
    column: int
    owner: str = ""
    is_part: bool = False  # it is that link or joint itself
    children: list[XmlElement] = field(default_factory=list)
    text: str = ""

    def __str__(self) -> str:
        if self.is_part:
            return self.owner
        return f"<{self.bare_tag}> of {self.owner}" if self.owner else f"<{self.bare_tag}>"

    @property
    def bare_tag(self) -> str:
        return self.tag.rpartition("}")[2]

    def error(self, problem: str, hint: str | None = None) -> ModelError:
        return ModelError(problem, hint=hint, file=self.source.file, line=self.line, column=self.column)

    def remark(self, text: str, kind: str | None = None) -> None:
        """Keeps a warning; those of one kind are counted, so that a file of a thousand meshes warns once."""
        self.source.remarks.setdefault(kind or text, (text, []))[1].append(self.line)

    def tolerate(self, problem: str, hint: str | None, taken: str, *, kind: str | None = None) -> None:
        """What is wrong but read by others: an error where the reading is strict, else a remark of what it is taken as.

        ``kind`` is what all such remarks of a file share, so that they are told once.
        """
        if self.source.strict:
            raise self.error(problem, hint)
        self.remark(f"{problem}: {taken}", kind)

    def everything(self) -> Iterator[XmlElement]:
        """This element and all inside it, in the order of the file."""
        waiting = [self]
        while waiting:
            yield (element := waiting.pop())
            waiting += reversed(element.children)

    def all(self, tag: str) -> list[XmlElement]:
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> XmlElement | None:
        """The only child of that tag, or None."""
        found = self.all(tag)
        if len(found) > 1:
            where = f"the first stands in line {found[0].line}"
            found[1].tolerate(f"there is a second <{tag}> in {self}", where, "the first holds", kind=f"second {tag}")
        return found[0] if found else None

    def required(self, tag: str, example: str) -> XmlElement:
        found = self.one(tag)
        if found is None:
            raise self.error(f"there is no <{tag}> in {self}", f"write {example}")
        return found

    def attribute(self, name: str) -> str:
        value = self.attributes.get(name, "")
        if not value:
            missing = "has no" if name not in self.attributes else "has an empty"
            raise self.error(f"{self} {missing} {name}", f'write <{self.bare_tag} {name}="...">')
        return value

    def number(self, name: str, default: float | None = None) -> float:
        if default is not None and name not in self.attributes:
            return default
        return self._number(self.attribute(name).strip(), f"{name} of {self}")

    def text_number(self) -> float:
        """The number between <tag> and </tag>."""
        return self._number(self.text.strip(), f"the content of {self}")

    def numbers(self, name: str, *default: float, count: int = 3) -> Floats:
        """So many numbers; ``default``, if given, where the attribute is missing."""
        if default and name not in self.attributes:
            return np.array(default)
        what, expected = f"{name} of {self}", f"{count} numbers separated by spaces are expected"
        values = [self._number(word, what, expected) for word in self.attribute(name).split()]
        if len(values) != count:
            raise self.error(f"{what} has {len(values)} number{'s' * (len(values) != 1)}", expected)
        return np.array(values)

    def direction(self, name: str) -> Floats:
        """Three numbers as a unit vector."""
        along = self.numbers(name)
        size = size_of(along)
        if not size > 0.0:
            raise self.error(f"{name} of {self} is zero", "give a direction such as 0 0 1")
        return along if size == 1.0 else along / size

    def pose(self, tag: str) -> Floats:
        """Of an <origin>, if there is one: position, turns about the fixed axes x, y, z (URDF 1.1: or a quaternion)."""
        element = self.one(tag)
        if element is None:
            return pose()
        position = element.numbers("xyz", 0.0, 0.0, 0.0)
        if "quat_xyzw" not in element.attributes:
            return pose(rotation_rpy(*map(float, element.numbers("rpy", 0.0, 0.0, 0.0))), position)
        if "rpy" in element.attributes:
            raise element.error(f"{element} has both rpy and quat_xyzw", "give one of them")
        x, y, z, w = element.numbers("quat_xyzw", count=4)
        if not (x or y or z or w):
            raise element.error(f"quat_xyzw of {element} is zero", "the unit quaternion is 0 0 0 1")
        return pose(rotation_quaternion(w, x, y, z), position)

    def _number(self, word: str, what: str, expected: str = "a number is expected") -> float:
        if _NUMBER.fullmatch(word):
            if not isinf(value := float(word)):
                return value
            raise self.error(f"{what} is {word!r}, too large for a number", _FINITE)
        hint = _FINITE if _NOT_FINITE.fullmatch(word) else _XACRO if "${" in word or "$(" in word else expected
        raise self.error(f"{what} is {word!r}", hint)


class _Builder:
    """Takes the parser's events; the pure-Python parser of defusedxml shows the expat parser with its position."""

    def __init__(self, file: str, *, strict: bool) -> None:
        self.expat: Any = None
        self.root: XmlElement | None = None
        self.open: list[XmlElement] = []
        self.source = XmlSource(file, strict)

    @property
    def place(self) -> tuple[int, int]:
        return self.expat.CurrentLineNumber, self.expat.CurrentColumnNumber + 1

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = XmlElement(tag, attributes, self.source, *self.place)
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
        if not self.source.said and text.strip().lower().startswith("source:"):
            self.source.said = " ".join(text.split())[len("source:") :].strip()

    def close(self) -> XmlElement | None:
        return self.root


def parse_xml(text: str, file: str, *, strict: bool = True) -> XmlElement:
    """The root of a document. A file that still has xacro elements is a program for a URDF, not a URDF.

    Unless ``strict``, blanks may stand before the declaration, the file may have a namespace of its own, and a document
    type that declares nothing.
    """
    if not text.strip():
        raise ModelError("the file is empty", hint=_BEGINS, file=file)
    if not strict and (late := re.match(r"(\s+)(<\?xml.*?\?>)", text, re.DOTALL)):
        text = late[1] + re.sub(r"[^\n]", " ", late[2]) + text[late.end() :]
    if not strict:
        text = _declared(_PLAIN_TYPE.sub(lambda found: found[1] + re.sub(r"[^\n]", " ", found[2]), text))
    builder = _Builder(file, strict=strict)
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.expat = parser.parser
    try:
        parser.feed(text)
        root: XmlElement = parser.close()
    except ParseError as error:
        raise _malformed(error, builder, file) from None
    except DefusedXmlException:
        hint = "remove <!DOCTYPE ...>: a URDF needs none, and entities are never expanded"
        line, column = builder.place
        raise ModelError("the file declares a document type", hint=hint, file=file, line=line, column=column) from None
    except UnicodeEncodeError:
        raise ModelError("the text holds a lone surrogate", hint="save the file as UTF-8", file=file) from None
    own, _, tag = root.tag.rpartition("}")
    for element in root.everything():
        if not strict and own and tag == "robot" and element.tag.startswith(own + "}"):
            element.tag = element.bare_tag
        if element.tag.startswith("{") and "xacro" in element.tag.partition("}")[0]:
            raise element.error(f"<xacro:{element.bare_tag}> is no URDF", _XACRO)
    return root


_PLAIN_TYPE = re.compile(r"(\A(?:\s|<\?(?:(?!\?>).)*\?>|<!--(?:(?!-->).)*-->)*)(<!DOCTYPE[^\[<>]*>)", re.DOTALL)


def _declared(text: str) -> str:
    """With a namespace for each prefix that tags or attributes have and none declares, as plugins leave them."""
    root = re.search(r"<robot(?=[\s>])", text)
    used = set(re.findall(r"</?([A-Za-z_][\w.-]*):[A-Za-z_]", text)) | set(
        re.findall(r"<[^<>!?]*?\s([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*\s*=", text)
    )
    known = set(re.findall(r"\sxmlns:([A-Za-z_][\w.-]*)\s*=", text)) | {"xml", "xmlns"}
    missing = sorted(used - known)
    if root is None or not missing:
        return text
    added = "".join(f' xmlns:{prefix}="undeclared/{prefix}"' for prefix in missing)
    return text[: root.end()] + added + text[root.end() :]


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
