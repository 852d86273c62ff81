"""Programs that go through states, one each time that a controller begins them again at their end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from torsor.programs import syntax
from torsor.programs.diagnostics import ProgramError
from torsor.programs.memory import CallFrame
from torsor.programs.printer import text_of
from torsor.programs.values import Value

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun

States = dict[syntax.Expression, Value]  # what a routine tests in its CASEs, and what that is


def states_of(run: ProjectRun, frame: CallFrame, unit: syntax.Unit) -> States:
    """Of what the routine tests before it has done anything that may change it, and that is no answer of the world."""
    assumed = dict(run.assumed)
    run.frames.append(frame)
    try:
        return {each: run.evaluate(each) for each in _tested(run, unit)}
    except ProgramError:
        return {}
    finally:
        run.frames.pop()
        run.assumed = assumed


def _tested(run: ProjectRun, unit: syntax.Unit) -> Iterator[syntax.Expression]:
    before: list[syntax.Statement] = []
    for node in unit.body:
        if isinstance(node, syntax.Case):
            base = syntax.base(node.subject)
            if base is not None and run.language.key(base.name) not in _named(run, before):
                yield node.subject
            return
        if isinstance(node, syntax.UnitCall) and run.routine(node.unit) is not None:
            return
        if not isinstance(node, syntax.UnitCall | syntax.Declare):
            return
        before.append(node)


def _named(run: ProjectRun, nodes: Iterable[syntax.Statement]) -> set[str]:
    """The names in them: any may be given a value there."""
    inside = (each for node in nodes for expression in syntax.expressions(node) for each in syntax.walk(expression))
    return {run.language.key(each.name) for each in inside if isinstance(each, syntax.Name)}


def say_it_goes_on(run: ProjectRun, unit: syntax.Unit, before: States, after: States) -> None:
    """A program that ends in another state than it began with would go on in that one."""
    from torsor.programs.project_memory import shown

    for tested, value in after.items():
        if tested in before and value != before[tested]:
            text = f"{unit.name} ends with {text_of(run.language, tested)} = {shown(value)}, and began with "
            text += f"{shown(before[tested])}: what a controller does that begins it again is not run"
            run.assume(tested.at, "state", text, "--cycles 10")
            return
