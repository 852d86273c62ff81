"""Waits for conditions: somebody else makes them true, as the world tells or as it is taken for granted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torsor.programs import syntax
from torsor.programs.diagnostics import At
from torsor.programs.needed import asked_by, data_in
from torsor.programs.printer import text_of
from torsor.programs.values import Value

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun


def wait_for(run: ProjectRun, at: At, condition: syntax.Expression) -> None:
    """A wait that the program itself does not end. Each thing that it asks for plainly becomes what it asks: where the
    world tells that, without a word. Data have that value then, whatever the program gave them before."""
    wanted = _wanted(run, condition)
    if not wanted and _comes(run, at, condition):
        return
    for name, value in wanted.items():
        run.wait(at, name, value)
        _give(run, syntax.Name(name, at=at), value)
    if not wanted:
        names = data_in(condition)
        text = f"{text_of(run.language, condition)} is waited for, and is taken to become true"
        run.assume(at, f"wait {at}", text, f"--set {names[0]}=..." if names else "")


def _give(run: ProjectRun, place: syntax.Name, value: Value) -> None:
    cell = run.known(place)
    if cell is not None and cell.stands_for is None and isinstance(cell.value, bool | float):
        run.assign(place, value)


def _comes(run: ProjectRun, at: At, condition: syntax.Expression) -> bool:
    """Whether the data of a condition get values from the world with which it holds, one after the other."""
    given = run.world.world.given
    told = {name: given[name.lower()] for name in data_in(condition) if run.world.knows(name)}
    for _ in range(max((len(each) if isinstance(each, tuple) else 1 for each in told.values()), default=0)):
        for name in told:
            _give(run, syntax.Name(name, at=at), run.world.take(name))
        if run.is_told_to_hold(condition):
            return True
    return False


def _wanted(run: ProjectRun, condition: syntax.Expression) -> dict[str, Value]:
    """What is asked of data and signals by their names; nothing where a function makes something of them."""
    functions = run.language.functions
    for each in syntax.walk(condition):
        if isinstance(each, syntax.FunctionCall):
            function = functions.get(run.language.key(each.function))
            if function is None or function.arguments != ("signal",):
                return {}
    return asked_by(condition)
