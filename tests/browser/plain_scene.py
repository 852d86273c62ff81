"""A model as a scene, by hand and as plain as can be: capsules along the links, a cylinder at each joint."""

import numpy as np

import torsor


def rows(T):
    return np.asarray(T, dtype=float).ravel().tolist()


def placed(rotation, point):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation, point
    return T


def along(axis):
    """A rotation whose z is the axis."""
    z = np.asarray(axis, dtype=float)
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def scene_of(arm):
    model = arm.model
    size = max(0.3, sum(np.linalg.norm((link.joint.before @ link.joint.after)[:3, 3]) for link in model.links))
    home = arm.closure.reference if model.loops else np.zeros(model.n)
    free = set(arm.joint_names)
    links = []
    for k, link in enumerate(model.links):
        joint, shapes = link.joint, []
        for child in model.children(k):
            end = model.links[child].joint.before[:3, 3]
            if np.linalg.norm(end) > 1e-6:
                shapes.append({"role": "link", "color": None, "kind": "capsule", "a": [0, 0, 0], "b": end.tolist(), "r": 0.03 * size})
        back = np.linalg.inv(joint.after)
        if np.linalg.norm(back[:3, 3]) > 1e-6:
            shapes.append({"role": "link", "color": None, "kind": "capsule", "a": [0, 0, 0], "b": back[:3, 3].tolist(), "r": 0.03 * size})
        if joint.moves:
            T = back @ placed(along(joint.axis), [0, 0, 0])
            shapes.append({"role": "joint", "color": None, "kind": "cylinder", "T": rows(T), "r": 0.045 * size, "length": 0.12 * size})
        driver = joint.name if joint.mimic is None else joint.mimic.joint
        mass = link.mass
        ellipsoid = None
        if mass is not None and mass.mass > 0:
            inertia = np.asarray(mass.inertia)
            values, axes = np.linalg.eigh(inertia)
            radii = np.sqrt(np.maximum(2.5 / mass.mass * (values.sum() / 1 - 2 * values) , 0))
            ellipsoid = {"axes": rows(axes), "radii": radii.tolist()}
        links.append(
            {
                "name": link.name, "parent": link.parent, "kind": joint.kind, "axis": joint.axis.tolist(),
                "before": rows(joint.before), "after": rows(joint.after), "pitch": joint.pitch,
                "joint": model.joint_names.index(driver) if joint.moves else -1,
                "factor": 1.0 if joint.mimic is None else joint.mimic.factor,
                "offset": 0.0 if joint.mimic is None else joint.mimic.offset,
                "shapes": shapes, "mass": mass and mass.mass, "com": mass and np.asarray(mass.com).tolist(),
                "ellipsoid": ellipsoid,
                "dh": link.dh and vars(link.dh), "screw": None,
            }
        )  # fmt: skip
    mount = lambda frame: {"link": frame.link, "placement": rows(frame.placement)}  # noqa: E731
    joints = []
    for k, link in enumerate(model.independent):
        low, high = link.joint.limits.position or (None, None)
        unit = "m" if link.joint.kind == "prismatic" else "rad"
        name = link.joint.name
        joints.append({"name": name, "unit": unit, "lower": low, "upper": high, "free": name in free, "home": float(home[k])})
    loops = [
        {"name": p.name, "kind": p.kind, "first": mount(p.first), "second": mount(p.second), "length": p.length}
        for p in model.loops
    ]
    return {
        "name": model.name, "base": rows(model.base), "size": float(size), "ground": -0.1 * float(size), "joints": joints, "links": links,
        "base_shapes": [{"role": "base", "color": None, "kind": "cylinder", "T": rows(placed(np.eye(3), [0, 0, -0.05 * size])), "r": 0.08 * size, "length": 0.1 * size}],
        "loops": loops, "modes": [], "tool": mount(model.tool), "frames": [], "payload": None, "planes": [], "meshes": [],
    }  # fmt: skip


def arm_page(arm):
    from torsor.report import frame
    from torsor.report.markup import element

    drawn = {"kind": "arm", "title": arm.name, "scene": scene_of(arm), "motions": [], "groups": []}
    return frame.page(arm.name, [element("h1", arm.name), frame.stage()], drawn)


def with_scene(page, scene):
    """A page of a verdict with the arm in it, if it has none."""
    import json

    text = json.dumps(scene).replace("<", "\\u003c")
    return page.replace('"scene":null', f'"scene":{text}', 1)


__all__ = ["arm_page", "scene_of", "torsor", "with_scene"]
