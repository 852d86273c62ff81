"""``torsor reproduce``: the five works, each figure and table made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from torsor.cli import DONE
from torsor.cli.printing import print_facts
from torsor.cli.progress import with_progress
from torsor.errors import TorsorError

WorkName = Annotated[str, Parameter(name="WORK", help="fedorov, kvrgic, szkodny, behi, burdick or all.")]
OutFolder = Annotated[
    Path, Parameter(name="--out", help="Folder that the pages are written to; made if it is not there.")
]


def reproduce(work: WorkName = "all", /, *, out: OutFolder = Path("out")) -> int:
    """Makes the figures and tables of the published works anew, a page for each work.

    Example: torsor reproduce fedorov

    Each page shows what came out beside what the print says, the command that makes it, where they differ and why, and
    names what is lost. Needs matplotlib (pip install torsor[plot]).
    """
    from torsor.model.files import ready, write_text
    from torsor.reproducing.work_page import work_page
    from torsor.reproducing.works import works_of
    from torsor.simulation.plotting import require_drawable

    chosen = works_of(work)
    require_drawable(None)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TorsorError(f"cannot make the folder: {error.strerror}", file=out) from None
    files = {each.name: out / f"{each.name}.html" for each in chosen}
    ready(files)
    todo = [(each, exhibit) for each in chosen for exhibit in each.exhibits]
    made = with_progress(todo, lambda pair: f"{pair[0].name}: {pair[1].number}", lambda pair: pair[1].make())
    shown = dict(zip((exhibit for _, exhibit in todo), made, strict=True))
    for each in chosen:
        write_text(files[each.name], work_page(each, shown))
    print_facts(
        (name, f"{path}, {len(each.exhibits)} exhibits")
        for each, (name, path) in zip(chosen, files.items(), strict=True)
    )
    return DONE
