"""``torsor schema``: what files may hold, for editors that complete and check."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from cyclopts import Parameter

from torsor.cli.printing import give
from torsor.cli.shared_options import OutputOption
from torsor.model.files import ready


def schema(
    of: Annotated[
        Literal["arm", "scenario", "study"], Parameter(name="OF", help="Which files: arm, scenario or study.")
    ],
    /,
    *,
    output: OutputOption = None,
) -> None:
    """Writes the JSON Schema of arm files, scenarios or studies.

    Example: torsor schema arm -o arm.schema.json

    Editors complete and check keys by it: Even Better TOML, Taplo and others take a line such as
    #:schema arm.schema.json at the top of a file.
    """
    ready({"-o": output})
    if of == "arm":
        from torsor.model.arm_schema import arm_schema as made
    elif of == "study":
        from torsor.study.study_keys import study_json_schema as made
    else:
        from torsor.scenarios.scenario_keys import scenario_json_schema as made
    give(json.dumps(made(), indent=2, ensure_ascii=False) + "\n", output)
