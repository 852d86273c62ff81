"""A scene as the page draws it, from its JSON alone: where links and shapes are. Nothing here is Torsor's."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

T16 = list[float]


def matrix(numbers: T16) -> np.ndarray:
    return np.array(numbers).reshape(4, 4)


def motion(link: dict[str, Any], q: float) -> np.ndarray:
    x, y, z = link["axis"]
    T = np.eye(4)
    if link["kind"] == "prismatic":
        T[:3, 3] = q * np.array([x, y, z])
    elif link["kind"] != "fixed":
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        T[:3, :3] = np.eye(3) + np.sin(q) * K + (1 - np.cos(q)) * K @ K
        T[:3, 3] = link["pitch"] * q * np.array([x, y, z])
    return T


class Drawn:
    """A scene at joints q of the tree; it has been through JSON, so that only plain numbers are left of it."""

    def __init__(self, scene: dict[str, Any], q: np.ndarray | None = None) -> None:
        self.scene = json.loads(json.dumps(scene, allow_nan=False))
        self.q = np.array([joint["home"] for joint in scene["joints"]]) if q is None else np.asarray(q)
        self.poses: dict[int, np.ndarray] = {-1: np.eye(4)}
        links = self.scene["links"]
        while len(self.poses) <= len(links):
            for i, link in enumerate(links):
                if i not in self.poses and link["parent"] in self.poses:
                    at = 0.0 if link["joint"] < 0 else link["factor"] * self.q[link["joint"]] + link["offset"]
                    local = matrix(link["before"]) @ motion(link, at) @ matrix(link["after"])
                    self.poses[i] = self.poses[link["parent"]] @ local

    def pose(self, name: str) -> np.ndarray:
        return self.poses[[link["name"] for link in self.scene["links"]].index(name)]

    def frame(self, end: dict[str, Any]) -> np.ndarray:
        return self.poses[end["link"]] @ matrix(end["placement"])

    def shapes(self, index: int) -> list[dict[str, Any]]:
        """Of a link, or of the base, in base axes."""
        own = self.scene["base_shapes"] if index < 0 else self.scene["links"][index]["shapes"]
        return [placed(shape, self.poses[index]) for shape in own]


def placed(shape: dict[str, Any], T: np.ndarray) -> dict[str, Any]:
    """A shape in the axes of another frame, with a pose of its own (a capsule has z along it)."""
    if shape["kind"] != "capsule":
        return {**shape, "T": T @ matrix(shape["T"])}
    a, b = (T[:3, :3] @ np.array(shape[end]) + T[:3, 3] for end in ("a", "b"))
    return {**shape, "a": a, "b": b}


def outside(shape: dict[str, Any], points: np.ndarray) -> np.ndarray:
    """How far points (n, 3) are outside a shape; below zero inside."""
    if shape["kind"] == "capsule":
        a, b = shape["a"], shape["b"]
        along = np.clip((points - a) @ (b - a) / max((b - a) @ (b - a), 1e-300), 0.0, 1.0)
        return np.linalg.norm(points - a - along[:, None] * (b - a), axis=1) - np.interp(
            along, [0.0, 1.0], [shape["r"], shape["thin"]]
        )
    T = shape["T"]
    local = (points - T[:3, 3]) @ T[:3, :3]
    if shape["kind"] == "sphere":
        return np.linalg.norm(local, axis=1) - shape["r"]
    if shape["kind"] == "cylinder":
        return np.maximum(np.hypot(local[:, 0], local[:, 1]) - shape["r"], np.abs(local[:, 2]) - 0.5 * shape["length"])
    return (np.abs(local) - 0.5 * np.array(shape["size"])).max(axis=1)


def core(shape: dict[str, Any]) -> np.ndarray:
    """Points (n, 3) that are inside a shape: along its middle line."""
    t = np.linspace(0.0, 1.0, 41)[:, None]
    if shape["kind"] == "capsule":
        return shape["a"] + t * (shape["b"] - shape["a"])
    length = {"cylinder": lambda: shape["length"], "box": lambda: shape["size"][2], "sphere": lambda: 0.0}
    middle, z = shape["T"][:3, 3], shape["T"][:3, 2]
    return middle + (t - 0.5) * length[shape["kind"]]() * z


def lowest(shape: dict[str, Any], up: np.ndarray) -> float:
    """The height of the lowest point of a shape along a direction."""
    if shape["kind"] == "capsule":
        return min(shape["a"] @ up - shape["r"], shape["b"] @ up - shape["thin"])
    T, u = shape["T"], shape["T"][:3, :3].T @ up
    half = {
        "sphere": lambda: shape["r"],
        "cylinder": lambda: shape["r"] * np.hypot(u[0], u[1]) + 0.5 * shape["length"] * abs(u[2]),
        "box": lambda: 0.5 * np.abs(u) @ np.array(shape["size"]),
    }
    return float(T[:3, 3] @ up) - half[shape["kind"]]()
