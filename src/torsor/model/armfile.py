"""Reads arm files: TOML, checked by the schema, every error with file, line and key."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from torsor.errors import ModelError
from torsor.model.build import build
from torsor.model.build_standing import build_standing
from torsor.model.file_symbols import FileSymbol, asked_for_numbers, symbols_in
from torsor.model.files import read_text
from torsor.model.model import Model
from torsor.model.schema import ArmFile, StandingFile
from torsor.model.toml_schema import TomlFile, Wording
from torsor.model.urdf import read_urdf

Values = Mapping[str, float]
PackageFolders = Sequence[str | os.PathLike[str]]


def read_arm_file(path: str | Path, values: Values | None = None, *, package_paths: PackageFolders = ()) -> Model:
    """The arm described by a TOML file."""
    return parse_arm_file(read_text(Path(path)), str(path), values, package_paths=package_paths)


def parse_arm_file(
    text: str, file: str = "<text>", values: Values | None = None, *, package_paths: PackageFolders = ()
) -> Model:
    """The arm described by the text of an arm file; ``file`` is what errors call it, ``values`` are of its symbols."""
    model, missing = parse_with_symbols(text, file, values, package_paths=package_paths)
    if missing:
        raise asked_for_numbers(missing, file)
    return model


def parse_with_symbols(
    text: str,
    file: str = "<text>",
    values: Values | None = None,
    *,
    package_paths: PackageFolders = (),
    above: Sequence[Path] = (),
) -> tuple[Model, tuple[FileSymbol, ...]]:
    """The arm and those of its symbols that have no value, for which numbers stand in the model.

    A file may stand on another description (``base = "ur10.urdf"``); ``above`` are those that stand on this one.
    """
    toml = TomlFile(text, file, _WORDING, [Path(path) for path in package_paths])
    if isinstance(toml.document.get("base"), str):
        read = partial(_read_below, package_paths=package_paths)
        return build_standing(toml.checked(StandingFile), toml, read, above), ()
    toml.document, missing = symbols_in(toml, values or {})
    if missing:
        toml.document["allow_nonphysical"] = True  # whether a body can be is asked of its numbers
    return replace(build(toml.checked(ArmFile), toml), read_from=toml.mark), missing


def _read_below(path: Path, above: Sequence[Path], *, package_paths: PackageFolders) -> Model:
    if path.suffix == ".toml":
        model, missing = parse_with_symbols(read_text(path), str(path), package_paths=package_paths, above=above)
        if missing:
            raise asked_for_numbers(missing, str(path))
        return model
    return read_urdf(path, package_paths=package_paths)


EXPECTED: dict[str, str] = {
    "name": "a text",
    "source": "a text",
    "corrections": "a list of texts",
    "frames": "one of standard-dh, modified-dh, screws, placements",
    "gravity": "3 finite numbers, in m/s^2",
    "allow_nonphysical": "true or false",
    "base": "a table with position and rpy, or the path of the description that this file stands on",
    "link": "one [[link]] table for each link",
    "frame": "one [[frame]] table for each frame",
    "drive": "one [[drive]] table for each motor",
    "loop": "one [[loop]] table for each loop",
    "link.joint": "one of revolute, continuous, prismatic, screw, fixed",
    "link.limits": "a table with position, speed, acceleration, torque",
    "link.mimic": "a table with joint, factor and offset",
    "link.twist": "6 numbers (vx, vy, vz, wx, wy, wz)",
    "mimic.joint": "the name of the joint it follows",
    "limits.position": "2 numbers, lower and upper",
    "limits.torque": "a finite number, in N m (N for sliding joints)",
    "mass": "a finite number, in kg",
    "com": "3 finite numbers, in m",
    "inertia": "3 numbers (the diagonal) or 6 (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2",
    "shape": "a table such as { cylinder = [radius, length], density = 1500 }",
    "shape.cylinder": "[radius, length], in m",
    "shape.box": "[x, y, z], in m",
    "shape.ball": "its radius, in m",
    "shape.mesh": "the path of an .stl, .obj or .dae file, relative to the arm file",
    "shape.scale": "a number above zero: metres for each unit of the mesh",
    "shape.density": 'a number in kg/m^3, or a text such as "2.7 g/cm^3"',
    "axis": "3 numbers, a direction",
    "position": "3 finite numbers, in m",
    "rotation": "9 numbers, the rows of a rotation matrix",
    "after": "a table with position and rpy",
    "visual": "one [[link.visual]] table for each shape",
    "visual.box": "3 lengths, in m",
    "visual.cylinder": "[radius, length], in m",
    "visual.ball": "a radius, in m",
    "visual.mesh": "a path from this file, or package://...",
    "visual.scale": "3 numbers",
    "collision": "one [[link.collision]] table for each shape",
    "collision.box": "3 lengths, in m",
    "collision.cylinder": "[radius, length], in m",
    "collision.ball": "a radius, in m",
    "collision.mesh": "a path from this file, or package://...",
    "collision.scale": "3 numbers",
    "visual.color": "red, green, blue and opacity, each from 0 to 1",
    "rpy": 'roll, pitch and yaw in rad, or texts such as "90 deg"',
    "tool": "one [tool] table",
    "tool.payload": "a table with mass, com and inertia",
    "tool.limits": "a table with payload, speed and acceleration",
    "limits.payload": "a number above zero, in kg",
    "frame.link": "the name of the link it is on",
    "drive.ratio": "a number for each joint, or a table joint = number",
    "drive.rotor": "a table with inertia, and with carrier and axis where the motor does not sit on its joint",
    "rotor.inertia": "a finite number, in kg m^2",
    "drive.stages": "a list of tables such as { inertia = 1e-4, ratio = 0.1 }",
    "stages.inertia": "a finite number, in kg m^2, about its axis",
    "stages.ratio": "a finite number: its turns for each turn of the motor",
    "friction.coulomb": "a number, or 2 numbers (forward, backward)",
    "link.beam": "a table [link.beam] with section and material",
    "link.compliance": "a table [link.compliance] with stiffness and damping",
    "beam.section": 'a table such as { tube = ["80 mm", "4 mm"] }, or a list with one for each piece',
    "branch.section": 'a table such as { tube = ["80 mm", "4 mm"] }, or a list with one for each piece',
    "section.tube": "[outer diameter, wall], in m",
    "section.box": "[width, height, wall], in m",
    "section.bar": "[width, height], in m",
    "section.rod": "[diameter], in m",
    "section.shear": "2 numbers, ky and kz",
    "section.extent": "[cy, cz], how far the section reaches from its centroid along y and z, in m",
    "through": "a list of points in link axes, 3 lengths each",
    "beam.from": "a point in link axes, 3 lengths",
    "end": "a point in link axes, 3 lengths",
    "up": "3 numbers, a direction",
    "beam.elements": "a whole number, for each piece",
    "beam.modes": "a whole number",
    "beam.damping": "the damping ratio of every mode, or { rayleigh = [a, b] }",
    "damping.ratio": "the damping ratio of every mode, or { rayleigh = [a, b] }",
    "damping.rayleigh": "2 numbers, a in 1/s and b in s, of C = a M + b K",
    "beam.branch": "one [[link.beam.branch]] table for each branch",
    "material.nu": "a finite number, Poisson's ratio",
    "material.E": 'a number in Pa, or a text such as "70 GPa"',
    "material.rho": 'a number in kg/m^3, or a text such as "2.7 g/cm^3"',
    "stiffness": 'a number in N m/rad (N/m where the joint slides), or a text such as "2e4 N m/rad"',
    "compliance.damping": 'a number in N m s/rad (N s/m where the joint slides), or a text such as "10 N m s/rad"',
    "drive.backlash": 'a number in rad (m where the joint slides), or a text such as "0.05 deg"',
    "drive.damping": 'a number in N m s/rad (N s/m where the joint slides), or a text such as "10 N m s/rad"',
    "compliance.tilt": "2 numbers in N m/rad, about x and y across the axis",
    "compliance.tilt_damping": "2 numbers in N m s/rad, about x and y across the axis",
    "loop.joint": "one of hinge, ball, slider, rigid, distance",
    "loop.first": 'a table such as { link = "link2", position = [0, 0, 0] }',
    "loop.second": 'a table such as { link = "link2", position = [0, 0, 0] }',
    "first.link": "the name of a link",
    "second.link": "the name of a link",
    "loop.driven": "a list of the names of the joints that motors move",
    "loop.near": 'positions of joints, such as { joint3 = "90 deg" }',
    "loop.length": "a finite number, in m",
}

# Names that other formats have for the same.
_SYNONYMS = {
    "mass": ("weight", "m"),
    "com": ("centre", "center", "cog", "r"),
    "inertia": ("I", "J", "moments"),
    "position": ("xyz", "pos", "translation", "origin"),
    "rpy": ("rotation", "orientation", "euler"),
    "joint": ("type", "kind"),
    "factor": ("multiplier", "ratio"),
    "ratio": ("gear", "gears", "reduction"),
    "speed": ("velocity",),
    "torque": ("effort", "force"),
    "viscous": ("damping",),
    "link": ("links", "body"),
    "drive": ("motor", "actuator", "drives"),
    "tube": ("pipe",),
    "bar": ("rectangle", "rect"),
    "rod": ("circle", "round"),
    "rho": ("density",),
    "shape": ("geometry", "solid", "visual"),
    "density": ("rho",),
    "ball": ("sphere",),
    "E": ("young", "modulus"),
}

_WORDING = Wording(
    "arm file", 'an arm file begins with name = "..." and frames = "..."', ModelError, EXPECTED, _SYNONYMS
)
