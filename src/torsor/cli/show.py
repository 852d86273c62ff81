"""``torsor show``: everything Torsor knows about an arm."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from torsor import loading
from torsor.arm import Arm
from torsor.cli import show_drives, show_links
from torsor.cli.printing import in_degrees, number, print_facts, print_json, print_table, print_title, vector
from torsor.cli.shared_options import AllowNonphysical, Json, Packages, Robot, Strict
from torsor.cli.show_elastic import Bending
from torsor.cli.show_json import document
from torsor.errors import TorsorError, printable
from torsor.looking_over import Finding, findings
from torsor.model.files import ready
from torsor.model.model import Model
from torsor.model.transforms import Floats, rpy_of
from torsor.reach import Reach, reach
from torsor.scene.display import temporary_page

InSpace = Annotated[bool, Parameter(name="--3d", negative="", help="Show it in 3-D with sliders, in the browser.")]
PageOption = Annotated[
    Path | None, Parameter(alias="-o", help="With --3d: write the page to this .html; without, to a temporary file.")
]
OpenOption = Annotated[bool, Parameter(name="--open", help="With --3d: open the page, where there is a display.")]


def show(
    robot: Robot,
    /,
    *,
    in_space: InSpace = False,
    output: PageOption = None,
    open_page: OpenOption = True,
    json: Json = False,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
    strict: Strict = False,
) -> None:
    """Shows an arm: links, masses, limits, drives, loops, what bends, tool, checks and sources.

    Example: torsor show rl15
    Example: torsor show rl15 --3d

    Tables speak degrees and rpm where data sheets do; --json is SI and radians throughout. --3d makes a page of one
    file, which needs no server and no network.
    """
    if json and in_space:
        raise TorsorError("--json and --3d do not go together", hint="ask for one of them")
    if output is not None and not in_space:
        raise TorsorError("-o names a page, which --3d makes", hint="torsor show ROBOT --3d -o FILE.html")
    arm = loading.load(robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical, strict=strict)
    if in_space:
        _print_page(arm, output, open_page)
        return
    with np.errstate(all="ignore"):  # absurd sizes overflow; the findings say so
        far, found, bending = reach(arm), findings(arm), Bending.of(arm)
        if json:
            print_json(document(arm, far, found) | {"elastic": None if bending is None else bending.document()})
            return
    _print_head(arm, far)
    show_links.print_tables(arm.model)
    show_drives.print_tables(arm.model)
    if bending is not None:
        bending.print_tables()
    _print_rest(arm, found)


def _print_page(arm: Arm, output: Path | None, open_page: bool) -> None:
    """Notes of what could not be drawn, and where the page is."""
    if output is not None:
        ready({"-o": output})
    page = arm.show()
    written = page.open(output) if open_page else page.save(temporary_page() if output is None else output)
    sys.stdout.write(f"page  {printable(str(written))}\n")  # whole, however long: it may be opened from here
    print_facts(("note", note) for note in page.data["scene"]["notes"])


def _print_head(arm: Arm, far: Reach) -> None:
    model = arm.model
    joints = f"{model.n} joint{'s' * (model.n != 1)} {model.kinds}"
    driven = f", {arm.n} of them driven" if model.loops else ""
    facts = [
        ("arm", f"{arm.name}, {joints}{driven}, frames in {model.convention}"),
        ("mass", _moving_mass(model)),
        ("reach", str(far)),
        ("gravity", f"{vector(model.gravity)} m/s^2 in world axes"),
        ("base", _placement(model.base) + " in the world"),
        ("tool", f"on {model.link_name(model.tool.link)}, {_placement(model.tool.placement)}"),
    ]
    allowed = model.tool_limits
    units = {"payload": (allowed.payload, "kg"), "speed": (allowed.speed, "m/s")}
    units["acceleration"] = allowed.acceleration, "m/s^2"
    said = [f"{word} {number(most)} {unit}" for word, (most, unit) in units.items() if most is not None]
    if said:
        facts.append(("tool limits", ", ".join(said)))
    if model.payload is not None:
        facts.append(("payload", f"{number(model.payload.mass)} kg at {vector(model.payload.com)} m in the tool frame"))
    print_facts(facts)


def _moving_mass(model: Model) -> str:
    if model.links_without_inertia:
        return "not given for all that moves"
    return f"{number(model.total_mass)} kg moving, payload included"


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
