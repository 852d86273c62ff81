"""What a URDF says of the shapes of links: to draw them, and what they may touch with. None changes the mechanics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torsor.errors import ModelError
from torsor.model.meshes import MeshFinder
from torsor.model.parts import BallShape, BoxShape, CylinderShape, MeshShape, Visual
from torsor.model.transforms import pose
from torsor.model.urdf_xml import XmlElement

Rgba = tuple[float, float, float, float]


class VisualReader:
    """Reads the <visual> elements of links; knows the materials that the file names for all of them."""

    def __init__(self, robot: XmlElement, meshes: MeshFinder) -> None:
        self.meshes = meshes
        self.materials: dict[str, Rgba] = {}
        visuals = [visual for link in robot.all("link") for visual in link.all("visual")]
        for material in (each for part in (robot, *visuals) for each in part.all("material")):
            color = _color(material)  # one that a visual gives may be used by its name in others
            if color is not None:
                self.materials.setdefault(material.attributes.get("name", ""), color)
        self.materials.pop("", None)

    def of(self, link: XmlElement) -> tuple[Visual, ...]:
        """What is drawn of a link; shapes without extent are remarked and left out."""
        return self._read(link.all("visual"), self._seen)

    def touching(self, link: XmlElement) -> tuple[Visual, ...]:
        """What a link may touch with."""
        return self._read(link.all("collision"), self._touching)

    def _read(self, elements: list[XmlElement], of_one: Callable[[XmlElement], list[Visual]]) -> tuple[Visual, ...]:
        """What is wrong there is remarked and left out, as it changes no mechanics."""
        found: list[Visual] = []
        for element in elements:
            try:
                found += of_one(element)
            except ModelError as error:
                if element.source.strict:
                    raise
                element.remark(f"{error.problem}: this <{element.tag}> is left out", kind=f"{element.tag} left out")
        return tuple(found)

    def _seen(self, visual: XmlElement) -> list[Visual]:
        geometry = visual.one("geometry")
        shape = None if geometry is None else self._shape(geometry)
        return [] if shape is None else [Visual(shape, visual.pose("origin"), self._colour_of(visual))]

    def _touching(self, collision: XmlElement) -> list[Visual]:
        geometry, at = collision.one("geometry"), collision.pose("origin")
        if geometry is None:
            return []
        capsule = geometry.one("capsule")
        if capsule is None:
            shape = self._shape(geometry)
            return [] if shape is None else [Visual(shape, at)]
        radius, length = _extents(capsule, [capsule.number("radius"), capsule.number("length")])
        ends = [pose(position=[0.0, 0.0, z]) for z in (-0.5 * length, 0.5 * length)]
        balls = [Visual(BallShape(radius), at @ end) for end in ends]
        return [Visual(CylinderShape(radius, length), at), *balls] if radius else []

    def _shape(self, geometry: XmlElement) -> BoxShape | CylinderShape | BallShape | MeshShape | None:
        for element in geometry.children:
            match element.tag:
                case "mesh":
                    return self._mesh(element)
                case "box":
                    x, y, z = _extents(element, element.numbers("size"))
                    return BoxShape((x, y, z)) if x else None
                case "cylinder":
                    r, length = _extents(element, [element.number("radius"), element.number("length")])
                    return CylinderShape(r, length) if r else None
                case "sphere":
                    (r,) = _extents(element, [element.number("radius")])
                    return BallShape(r) if r else None
        return None

    def _mesh(self, mesh: XmlElement) -> MeshShape:
        uri = mesh.attribute("filename")
        path, reason = self.meshes.find(uri)
        # what is only missing is said by who draws it
        if reason is not None and (mesh.source.strict or not reason.startswith("was not found")):
            mesh.remark(f"mesh {uri!r} {reason}", kind=reason)
        x, y, z = map(float, mesh.numbers("scale", 1.0, 1.0, 1.0))
        return MeshShape(uri, path, (x, y, z), reason)

    def _colour_of(self, visual: XmlElement) -> Rgba | None:
        material = visual.one("material")
        if material is None:
            return None
        own = _color(material)
        return self.materials.get(material.attributes.get("name", "")) if own is None else own


def _color(material: XmlElement) -> Rgba | None:
    element = material.one("color")
    if element is None:
        return None
    try:
        r, g, b, a = map(float, np.clip(element.numbers("rgba", count=4), 0.0, 1.0))
    except ModelError as error:
        if element.source.strict:
            raise
        element.remark(f"{error.problem}: no colour", kind="no colour")
        return None
    return r, g, b, a


def _extents(element: XmlElement, sizes: list[float] | np.ndarray) -> list[float]:
    """The sizes, or zeros with a remark where one of them is none."""
    known = [float(size) for size in sizes]
    if min(known) > 0.0:
        return known
    element.remark(f"{element} has no extent and is left out")
    return [0.0] * len(known)
