"""Threads that a program waits for: they move in its place, and are run where they are started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torsor.programs import flow, syntax
from torsor.programs.memory import CallFrame

if TYPE_CHECKING:
    from torsor.programs.linking import RoutineHome
    from torsor.programs.project_run import ProjectRun


def begun(run: ProjectRun, home: RoutineHome, frame: CallFrame) -> CallFrame | None:
    """The frame of a thread that ``frame`` has just started, where it is joined at once, or moves and is waited for.

    Of any other that moves it is said that it does: what comes of two at a time is not in the program. Where nothing
    moves but for ways that were chosen, it is run all the same.
    """
    waiting = _waiting(run, frame)
    if waiting != "join" and not run.language.moves(home.unit, run.linked):
        _say_what_it_tells(run, home)
        return None
    if waiting or run.ways:
        if run.ways:
            text = f"the thread {home.unit.name} is run where it is started: nothing else moves"
            run.assume(home.unit.at, f"way {home.unit.name}", text)
        return CallFrame(run.code_of(home.unit), module=home.scope, thread=True, until=waiting == "loop")
    if id(home.unit) in run.unit_codes:
        text = f"the thread {home.unit.name}, which moves, is started more than once: it is run the first time alone"
    else:
        text = f"the thread {home.unit.name} moves, and is not run: the program does not wait for it"
    run.assume(home.unit.at, f"thread {home.unit.name}", text)
    return None


def _say_what_it_tells(run: ProjectRun, home: RoutineHome) -> None:
    """Of a thread that is not run: what it gives a value to and the program asks for."""
    key, said = run.language.key, f"thread {home.unit.name}"
    if said in run.assumed:
        return
    inside = {id(node) for node in syntax.statements(home.unit.body)}
    given = {
        key(name.name): name.name
        for node in syntax.statements(home.unit.body)
        if isinstance(node, syntax.Assign) and (name := syntax.base(node.target))
    }
    asked = {
        key(each.name)
        for node in syntax.statements(run.tree.body)
        if id(node) not in inside
        for expression in syntax.expressions(node)
        if not (isinstance(node, syntax.Assign) and expression is node.target)
        for each in syntax.walk(expression)
        if isinstance(each, syntax.Name)
    }
    run.told_by_threads |= given.keys() & asked
    if told := [name for each, name in given.items() if each in asked]:
        text = f"the thread {home.unit.name} is not run: what it would set, {', '.join(told)}, is as the program has it"
        run.assume(home.unit.at, said, text)


def may_run(run: ProjectRun, unit: syntax.Unit) -> bool:
    """Whether a routine is no thread, or one that was started."""
    return unit.kind != "thread" or run.language.key(unit.name) in run.started


def _waiting(run: ProjectRun, frame: CallFrame) -> str:
    """What comes next: a "loop" in which nothing moves but on the way out of it, "join", or nothing that waits."""
    steps = frame.code.steps
    for number in range(frame.step, len(steps)):
        if number in frame.code.heads:
            back = [
                k for k, step in enumerate(steps) if isinstance(step, flow.Jump) and step.to == number and k >= number
            ]
            loop = range(number, back[-1] + 1) if back else range(0)
            outside = {k: -1 for k in range(len(steps)) if k not in loop}  # where no way goes on
            moves = any(_moves(run, steps[k]) and number in flow.reached(frame.code, k, outside) for k in loop)
            return "loop" if loop and not moves else ""
        step = steps[number]
        if not isinstance(step, flow.Do) or _moves(run, step):
            return ""
        if isinstance(step.node, syntax.UnitCall) and step.node.unit == "join":
            return "join"
    return ""


def _moves(run: ProjectRun, step: flow.UnitStep) -> bool:
    node = step.node if isinstance(step, flow.Do) else None
    return isinstance(node, syntax.UnitCall) and run.language.moves_by(node, run.linked)
