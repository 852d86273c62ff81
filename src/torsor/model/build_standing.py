"""An arm file that stands on another description: the other's model, with what this one says instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.build_bodies import body_mass, pose_of
from torsor.model.build_drives import build_drive
from torsor.model.file_mark import LIBRARY
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Link
from torsor.model.schema import ChangedLinkTable, StandingFile, ToolTable
from torsor.model.toml_lines import spelled
from torsor.model.toml_schema import TomlFile

SUFFIXES = (".toml", ".urdf", ".xacro")
Reader = Callable[[Path, Sequence[Path]], Model]  # a description, and the files that stand on it


def build_standing(arm: StandingFile, toml: TomlFile, read: Reader, above: Sequence[Path] = ()) -> Model:
    """The model of ``arm.base`` with links, drives, tool and frames of this file."""
    path = _found(arm.base, toml)
    stack = [*above, Path(toml.file).resolve()]
    if path.resolve() in stack:
        hint = "one of the files must stand alone"
        raise toml.error(("base",), f"base is {arm.base!r}, which stands on this file itself", hint)
    base = read(path, stack)
    names = [link.name for link in base.links]

    def find(name: str, *place: str | int) -> int:
        if name == base.base_name:
            return BASE
        if name not in names:
            problem = f"{spelled(place)} is {name!r}, which is no link"
            raise toml.error(place, problem, did_you_mean(name, [base.base_name, *names]))
        return names.index(name)

    links = list(base.links)
    tables: dict[str, int] = {}  # by the names of the link and of its joint
    for i, table in enumerate(arm.link):
        k = _meant(table, i, base, toml)
        links[k] = _changed(links[k], table, i, toml)
        tables |= {links[k].name: i, links[k].joint.name: i}
    changed: dict[str, Any] = {"links": tuple(links)}
    if arm.drive is not None:
        joints = list(base.joint_names)
        changed["drives"] = tuple(build_drive(table, i, links, joints, find, toml) for i, table in enumerate(arm.drive))
    if arm.tool is not None:
        changed |= _tool(arm.tool, base, find, toml)
    if arm.frame:
        own = {
            frame.name: Frame(find(frame.link, "frame", i, "link"), pose_of(frame, ("frame", i), toml))
            for i, frame in enumerate(arm.frame)
        }
        changed["frames"] = dict(base.frames) | own
    if arm.gravity is not None:
        changed["gravity"] = np.array(arm.gravity)
    given = {"name": arm.name, "source": arm.source}
    changed |= {key: value for key, value in given.items() if value is not None}
    changed["corrections"] = (*base.corrections, *arm.corrections)
    changed["allow_nonphysical"] = base.allow_nonphysical or arm.allow_nonphysical
    try:
        mark = None if toml.mark is None else replace(toml.mark, stands_on=base.read_from)
        return replace(base, **changed, read_from=mark)
    except ModelError as error:
        if error.file is None:
            error.file, error.line = toml.file, toml.line_of(_place_of(error.part, arm, tables))
        raise


def _found(base: str, toml: TomlFile) -> Path:
    """Beside this file, or a name of the library."""
    beside = Path(toml.file).parent / base
    if beside.suffix in SUFFIXES and beside.is_file():
        return beside
    of_library = [LIBRARY / (base + suffix) for suffix in SUFFIXES]
    for path in of_library:
        if path.is_file():
            return path
    known = sorted({path.stem for path in LIBRARY.iterdir() if path.suffix in SUFFIXES})
    hint = f"a path from this file to {', '.join(SUFFIXES)}, or a name of the library: {did_you_mean(base, known)}"
    raise toml.error(("base",), f"base is {base!r}, which is no file", hint)


def _meant(table: ChangedLinkTable, i: int, base: Model, toml: TomlFile) -> int:
    """Which link a table is of."""
    words = {"name": [link.name for link in base.links], "joint_name": [link.joint.name for link in base.links]}
    given = [word for word in words if getattr(table, word) is not None]
    if len(given) != 1:
        hint = "say which link it is, by name or by joint_name"
        raise toml.error(("link", i), f"link[{i + 1}] has {'both names' if given else 'no name'}", hint)
    (word,) = given
    wanted = getattr(table, word)
    if wanted not in words[word]:
        key = ("link", i, word)
        what = "link" if word == "name" else "joint"
        raise toml.error(key, f"{spelled(key)} is {wanted!r}, which is no {what}", did_you_mean(wanted, words[word]))
    return words[word].index(wanted)


def _changed(link: Link, table: ChangedLinkTable, i: int, toml: TomlFile) -> Link:
    limits = {word: value for word, value in vars(table.limits).items() if value is not None}
    joint = replace(link.joint, limits=replace(link.joint.limits, **limits))
    if table.friction is not None:
        joint = replace(joint, friction=table.friction)
    mass = body_mass(table, ("link", i), toml)
    return replace(link, joint=joint, mass=link.mass if mass is None else mass)


def _tool(table: ToolTable, base: Model, find: Callable[..., int], toml: TomlFile) -> dict[str, Any]:
    """The tool where it says; a payload alone leaves the tool where it is."""
    found: dict[str, Any] = {}
    if table.model_fields_set & {"link", "position", "rpy", "rotation"}:
        link = base.tool.link if table.link is None else find(table.link, "tool", "link")
        found["tool"] = Frame(link, pose_of(table, ("tool",), toml))
    given = {word: most for word, most in vars(table.limits).items() if most is not None}
    if given:
        found["tool_limits"] = replace(base.tool_limits, **given)
    if table.payload is not None:
        found["payload"] = body_mass(table.payload, ("tool", "payload"), toml)
    return found


def _place_of(part: tuple[str, str] | None, arm: StandingFile, tables: Mapping[str, int]) -> tuple[str | int, ...]:
    """The key that describes the part which a check of the model names; the file's first line where none does."""
    kind, name = part or ("", "")
    drives = [table.name or f"motor{i + 1}" for i, table in enumerate(arm.drive or [])]
    if kind == "drive" and name in drives:
        return ("drive", drives.index(name), "ratio")
    if name in tables:
        return ("link", tables[name], kind if kind in ("limits", "friction", "mass", "inertia") else "name")
    return {"payload": ("tool", "payload"), "frame": ("frame",), "tool": ("tool",)}.get(kind, ("base",))
