"""``torsor export``: an arm in the format of another program."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from torsor import loading
from torsor.cli.printing import give
from torsor.cli.shared_options import AllowNonphysical, OutputOption, Packages, Robot, Strict
from torsor.model.files import ready


def export(
    robot: Robot,
    /,
    *,
    to: Annotated[Literal["toml", "urdf", "mjcf"], Parameter(help="Format to write.")],
    output: OutputOption = None,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
    strict: Strict = False,
) -> None:
    """Writes an arm as an arm file (TOML), as URDF or as MJCF (MuJoCo).

    Example: torsor export puma560 --to urdf -o puma560.urdf

    What the format cannot hold is named on stderr; an arm file holds everything, and reads back as the same arm.
    """
    model = loading.load_model(
        robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical, strict=strict
    )
    ready({"-o": output})
    if to == "toml":
        from torsor.model.toml_writer import write_toml as write
    elif to == "urdf":
        from torsor.model.urdf_writer import write_urdf as write
    else:
        from torsor.model.mjcf_writer import write_mjcf as write
    give(write(model), output)
