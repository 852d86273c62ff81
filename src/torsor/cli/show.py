"""``torsor show``: everything Torsor knows about an arm."""

from __future__ import annotations

import numpy as np

from torsor import loading
from torsor.arm import Arm
from torsor.cli import show_drives, show_links
from torsor.cli.printing import in_degrees, number, print_facts, print_json, print_table, print_title, vector
from torsor.cli.shared_options import AllowNonphysical, Json, Packages, Robot
from torsor.cli.show_json import document
from torsor.looking_over import Finding, findings
from torsor.model.transforms import Floats, rpy_of
from torsor.reach import Reach, reach


def show(
    robot: Robot, /, *, json: Json = False, package_path: Packages = None, allow_nonphysical: AllowNonphysical = False
) -> None:
    """Shows an arm: links, masses, limits, drives, loops, tool, checks and sources.

    Example: torsor show rl15

    Tables speak degrees and rpm where data sheets do; --json is SI and radians throughout.
    """
    arm = loading.load(robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical)
    with np.errstate(all="ignore"):  # absurd sizes overflow; the findings say so
        far, found = reach(arm), findings(arm)
    if json:
        print_json(document(arm, far, found))
        return
    _print_head(arm, far)
    show_links.print_tables(arm.model)
    show_drives.print_tables(arm.model)
    _print_rest(arm, found)


def _print_head(arm: Arm, far: Reach) -> None:
    model = arm.model
    joints = f"{model.n} joint{'s' * (model.n != 1)} {model.kinds}"
    driven = f", {arm.n} of them driven" if model.loops else ""
    facts = [
        ("arm", f"{arm.name}, {joints}{driven}, frames in {model.convention}"),
        ("mass", f"{number(model.total_mass)} kg moving, payload included"),
        ("reach", str(far)),
        ("gravity", f"{vector(model.gravity)} m/s^2 in world axes"),
        ("base", _placement(model.base) + " in the world"),
        ("tool", f"on {model.link_name(model.tool.link)}, {_placement(model.tool.placement)}"),
    ]
    if model.payload is not None:
        facts.append(("payload", f"{number(model.payload.mass)} kg at {vector(model.payload.com)} m in the tool frame"))
    print_facts(facts)


def _print_rest(arm: Arm, found: list[Finding]) -> None:
    model = arm.model
    frames = [(name, model.link_name(f.link), _placement(f.placement)) for name, f in model.frames.items()]
    print_table("Named frames", ["frame", "on link", "placement"], frames)
    print_title("Checks")
    print_facts((finding.verdict, finding.text) for finding in found)
    print_title("Source")
    print_facts([("", model.source or "not named")])
    if model.corrections:
        print_title("Corrections to the source")
        print_facts(("-", correction) for correction in model.corrections)


def _placement(T: Floats) -> str:
    """A pose in words.

    >>> import numpy as np
    >>> _placement(np.eye(4))
    'at the origin'
    """
    turned = [in_degrees(angle) for angle in rpy_of(T[:3, :3])]
    place = f"at {vector(T[:3, 3])} m" if T[:3, 3].any() else "at the origin"
    return place if set(turned) == {"0"} else f"{place}, rpy ({', '.join(turned)}) deg"
