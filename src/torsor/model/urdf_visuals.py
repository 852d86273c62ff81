"""What a URDF says of how links look: shapes, meshes and colours. None of it changes the mechanics."""

from __future__ import annotations

import numpy as np

from torsor.model.meshes import MeshFinder
from torsor.model.parts import BallShape, BoxShape, CylinderShape, MeshShape, Visual
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
        found = []
        for visual in link.all("visual"):
            geometry = visual.one("geometry")
            shape = None if geometry is None else self._shape(geometry)
            if shape is not None:
                found.append(Visual(shape, visual.pose("origin"), self._colour_of(visual)))
        return tuple(found)

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
    r, g, b, a = map(float, np.clip(element.numbers("rgba", count=4), 0.0, 1.0))
    return r, g, b, a


def _extents(element: XmlElement, sizes: list[float] | np.ndarray) -> list[float]:
    """The sizes, or zeros with a remark where one of them is none."""
    known = [float(size) for size in sizes]
    if min(known) > 0.0:
        return known
    element.remark(f"{element} has no extent and is not drawn")
    return [0.0] * len(known)
