"""DAE (COLLADA): geometries placed by a tree of nodes, in a unit of their own, each part in the colour of its effect.

``up_axis`` changes nothing: RViz (ros-visualization/rviz#1045) and Gazebo (gazebosim/gazebo-classic#1305) take
coordinates as they stand, and the origins that URDFs give to such meshes fit that.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from numpy.typing import NDArray

from torsor.model.transforms import Floats, pose
from torsor.model.triangles import MeshRefused, Triangles, checked

MOST_NODES = 2_000  # placed; files can ask for more by placing nodes within nodes
MOST_TRIANGLES = 2_000_000
DEEPEST = 100  # nodes within nodes


def read_dae(raw: bytes) -> list[Triangles]:
    try:
        root = fromstring(raw, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError):  # the last: an encoding that no one has
        raise MeshRefused("is no XML that can be read") from None
    try:
        return list(_Collada(root).placed())
    except (ValueError, IndexError, AttributeError, OverflowError):
        raise MeshRefused("is no COLLADA that can be read") from None


class _Collada:
    def __init__(self, root: Element) -> None:
        for each in root.iter():
            each.tag = str(each.tag).rpartition("}")[2]
        self.root = root
        self.by_id = {each.get("id"): each for each in root.iter() if each.get("id")}
        unit = root.find("asset/unit")
        self.metre = 1.0 if unit is None else float(unit.get("meter", "1"))
        self.arrays: dict[Element, Floats] = {}
        self.polygons: dict[Element, tuple[Floats, NDArray[np.int64]]] = {}

    def placed(self) -> Iterator[Triangles]:
        """All geometries where the scene has them."""
        scene = self._target(self.root.find("scene/instance_visual_scene"))
        if scene is None:
            scene = self.root.find("library_visual_scenes/visual_scene")
        if scene is None:
            raise MeshRefused("has no scene")
        waiting = [(node, np.diag([self.metre] * 3 + [1.0]), 0) for node in scene.findall("node")]
        nodes = triangles = 0
        while waiting:
            node, T, depth = waiting.pop(0)
            nodes += 1
            if nodes > MOST_NODES or depth > DEEPEST:
                raise MeshRefused("places nodes within nodes without end")
            T = T @ _placement(node)
            for instance in node.findall("instance_geometry"):
                for part in self._parts(instance, T):
                    triangles += len(part.triples)
                    if triangles > MOST_TRIANGLES:
                        raise MeshRefused(f"has more than {MOST_TRIANGLES} triangles")
                    yield part
            inner = [*node.findall("node"), *map(self._target, node.findall("instance_node"))]
            waiting += [(each, T, depth + 1) for each in inner if each is not None]

    def _parts(self, instance: Element, T: Floats) -> Iterator[Triangles]:
        geometry = self._target(instance)
        mesh = None if geometry is None else geometry.find("mesh")
        if mesh is None:
            return
        colors = {
            bound.get("symbol"): self._color(bound)
            for bound in instance.findall("bind_material/technique_common/instance_material")
        }
        for kind in ("triangles", "polylist", "polygons"):
            for primitive in mesh.findall(kind):
                if primitive not in self.polygons:
                    self.polygons[primitive] = self._polygons(primitive)
                corners, triples = self.polygons[primitive]
                moved = corners @ T[:3, :3].T + T[:3, 3]
                yield checked(moved, triples, colors.get(primitive.get("material")))

    def _polygons(self, primitive: Element) -> tuple[Floats, NDArray[np.int64]]:
        inputs = {each.get("semantic"): each for each in primitive.findall("input")}
        offsets = [int(each.get("offset", "0")) for each in inputs.values()]
        if min(offsets) < 0:
            raise MeshRefused("has polygons without corners")
        stride = 1 + max(offsets)
        vertex = inputs.get("VERTEX")
        vertices = self._target(vertex, "source")
        if vertex is None or vertices is None:
            raise MeshRefused("has polygons without corners")
        source = self._target(vertices.find("input[@semantic='POSITION']"), "source")
        corners, offset = self._source(source), int(vertex.get("offset", "0"))
        lists = [_whole(each)[offset::stride] for each in primitive.findall("p")]
        counts = [_whole(each) for each in primitive.findall("vcount")]
        if primitive.tag == "triangles":
            sizes = np.full(sum(len(each) for each in lists) // 3, 3)
        else:
            sizes = counts[0] if counts else np.array([len(each) for each in lists])
        corner_of = np.concatenate(lists) if lists else np.zeros(0, dtype=np.int64)
        return corners, _fans(corner_of, sizes)

    def _source(self, source: Element | None) -> Floats:
        """(n, 3) of the numbers of a source."""
        if source is None:
            raise MeshRefused("has polygons without corners")
        if source not in self.arrays:
            accessor, values = source.find("technique_common/accessor"), source.find("float_array")
            stride = 3 if accessor is None else int(accessor.get("stride", "1"))
            if values is None or stride < 3:
                raise MeshRefused("has corners that are not in space")
            found = np.array((values.text or "").split(), dtype=np.float64)
            self.arrays[source] = found[: len(found) // stride * stride].reshape(-1, stride)[:, :3]
        return self.arrays[source]

    def _color(self, bound: Element) -> tuple[float, float, float, float] | None:
        """The diffuse colour of the effect of a material."""
        material = self._target(bound, "target")
        effect = None if material is None else self._target(material.find("instance_effect"))
        color = None if effect is None else effect.find("profile_COMMON/technique/*/diffuse/color")
        if color is None:
            return None
        r, g, b, *_ = np.clip(np.array((color.text or "").split(), dtype=np.float64), 0.0, 1.0).tolist()
        return r, g, b, 1.0

    def _target(self, element: Element | None, attribute: str = "url") -> Element | None:
        named = "" if element is None else element.get(attribute, "")
        return self.by_id.get(named.removeprefix("#"))


def _fans(corner_of: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Triangles (m, 3) of polygons with so many corners each, cut about their first."""
    sizes = np.maximum(sizes, 0)
    if sizes.sum() > len(corner_of):
        raise MeshRefused("ends before its polygons")
    first = np.cumsum(sizes) - sizes
    many = np.maximum(sizes - 2, 0)
    start = np.repeat(first, many)
    step = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    triples: NDArray[np.int64] = corner_of[np.stack([start, start + step + 1, start + step + 2], axis=-1)]
    return triples


def _whole(element: Element) -> NDArray[np.int64]:
    return np.array((element.text or "").split(), dtype=np.int64)


def _placement(node: Element) -> Floats:
    """The transforms of a node, in their order; lookat and skew, which models do not have, are passed over."""
    T = np.eye(4)
    for each in node:
        if each.tag not in ("matrix", "translate", "rotate", "scale"):
            continue
        numbers = np.array((each.text or "").split(), dtype=np.float64)
        if each.tag == "matrix":
            T = T @ numbers.reshape(4, 4)
        elif each.tag == "translate":
            T = T @ pose(position=numbers.reshape(3))
        elif each.tag == "scale":
            T = T @ np.diag([*numbers.reshape(3), 1.0])
        else:
            T = T @ pose(_turn(numbers.reshape(4)))
    return T


def _turn(axis_and_degrees: Floats) -> Floats:
    """Rodrigues' formula."""
    *axis, degrees = axis_and_degrees.tolist()
    x, y, z = np.array(axis) / max(float(np.linalg.norm(axis)), 1e-300)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = np.radians(degrees)
    turn: Floats = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    return turn
