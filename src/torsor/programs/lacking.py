"""What a program that moves nothing would take: which of its routines move, and what was not known on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torsor.motion.commands import NOTHING_MOVES
from torsor.programs import syntax

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun

LACKING = ("point", "input", "name", "routine", "data", "wait")  # of assumptions: those that somebody could give
MOST_NEEDED = 5


def say_what_moves(run: ProjectRun) -> None:
    """A program that moves nothing says which of its routines would."""
    at = run.entry.unit.at if run.entry is not None else (1, 1)
    others = [home.unit for homes in run.linked.routines.values() for home in homes
              if id(home.unit) not in run.unit_codes]  # fmt: skip
    names = [unit.name for unit in others if run.language.moves(unit, run.linked, 0)]
    which = f"; these routines move: {', '.join(names[:6])}" if names else ""
    if not run.linked.routines and not any(isinstance(node, syntax.UnitCall) for node in run.tree.body):
        which = f"; there is no {run.language.routine_word} in it"
    elif needed := _needed(run):
        which += f"; it would take {needed}"
    cure = f"--entry {names[0]}, or another world" if names else ""
    run.assume(at, "nothing moves", f"{NOTHING_MOVES}{which}", cure)


def _needed(run: ProjectRun) -> str:
    """What was not known on the way, by name and line."""
    told = [(key.partition(" "), each) for key, each in run.assumed.items()]
    names = [f"{name} (line {each.place.line})" for (sort, _, name), each in told if name and sort in LACKING]
    return ", ".join(dict.fromkeys(names[:MOST_NEEDED]))
