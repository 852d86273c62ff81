"""What a program that moves nothing would take, from what was assumed on its way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from torsor.motion.commands import NOTHING_IN_IT, NOTHING_MOVES, Assumed
from torsor.programs import syntax
from torsor.programs.values import Value

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun

# sorts of assumptions that somebody could make needless, first those without which a move is passed over
LACKING = ("point", "axes", "leads", "routine", "name", "input", "data")
MOVERS = ("axes", "leads", "routine")  # those that could move, where no file does
MOST_NEEDED = 5
TAKES, BEHIND = "it would take", "its moves stand behind the condition of line"


def say_what_moves(run: ProjectRun) -> None:
    """A program that moves nothing says which of its routines would, and what was not known on its way."""
    at = run.entry.unit.at if run.entry is not None else (1, 1)
    others = [home.unit for homes in run.linked.routines.values() for home in homes
              if id(home.unit) not in run.unit_codes]  # fmt: skip
    names = [unit.name for unit in others if run.language.moves(unit, run.linked, 0)]
    which = f"; these routines move: {', '.join(names[:6])}" if names else ""
    calls = (node for node in syntax.statements(run.tree.body) if isinstance(node, syntax.UnitCall))
    if not run.linked.routines and next(calls, None) is None:
        run.assume(at, "nothing moves", f"{NOTHING_IN_IT} {run.language.routine_word} in it")
        return
    if needed := needed_of(run.assumed, LACKING if _has_moves(run) else MOVERS) or _never_asked(run):
        which += f"; {TAKES} {needed}"
    elif not _has_moves(run):
        run.assume(at, "nothing moves", f"{NOTHING_IN_IT} move in it")
        return
    cure = f"--entry {names[0]}, or another world" if names else ""
    if run.has_moved:
        which = f"; it only goes to where the arm is taken to start{which}"
        cure = "--start, or " + cure if cure else "--start"
    if run.entry is not None:
        moves = partial(run.language.moves_by, linked=run.linked)
        idle = partial(run.language.moves_by, linked=run.linked, depth=0)
        run.behind = condition_of(run.entry.unit.body, moves, run.holds_now, idle)
    if not which and run.behind is not None and (data := data_in(run.behind)):
        which = f"; {BEHIND} {run.source.place(run.behind.at).line}: {', '.join(data)}"
        from torsor.programs.forks import sources  # which needs `chosen` of this file

        told = sources(run, data)
        cure = f"--set {told[0]}=..." if told else ""
    run.assume(at, "nothing moves", f"{NOTHING_MOVES}{which}", cure)


def _never_asked(run: ProjectRun) -> str:
    """Routines that could move, and are in no file: of a program without a move those that it did not come to."""
    found: dict[str, str] = {}
    for node in () if _has_moves(run) else syntax.statements(run.tree.body):
        if isinstance(node, syntax.UnitCall) and run.linked.routine(node.unit) is None:
            key = run.linked.key(node.unit)
            if not any(key in known for known in (run.language.forms, run.language.functions, run.language.read_only)):
                found.setdefault(key, f"{node.unit} (line {run.source.place(node.at).line})")
    return ", ".join(list(found.values())[:MOST_NEEDED])


def _has_moves(run: ProjectRun) -> bool:
    return any(run.language.moves_by(node, run.linked, 0) for node in syntax.statements(run.tree.body))


def needed_of(assumed: Mapping[str, Assumed], sorts: Sequence[str] = LACKING) -> str:
    """Names with their lines, each once in whatever case it is written; keys are a sort and a name.

    >>> from torsor.motion.commands import Place
    >>> one, two = Assumed("di1 is 0", Place("", 3, 1)), Assumed("where pHome lies", Place("", 7, 1))
    >>> needed_of({"input di1": one, "point phome": two})
    'pHome (line 7), di1 (line 3)'
    """
    told = ((key.partition(" "), each) for key, each in assumed.items())
    found = [(sorts.index(sort), name, each) for (sort, _, name), each in told if name and sort in sorts]
    lines: dict[str, str] = {}
    for _, name, each in sorted(found, key=lambda one: one[0]):
        written = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", each.text, re.IGNORECASE)
        lines.setdefault(name.lower(), f"{written[0] if written else name} (line {each.place.line})")
    return ", ".join(list(lines.values())[:MOST_NEEDED])


def condition_of(
    body: Iterable[syntax.Statement],
    moves: Callable[[syntax.Statement], bool],
    holds: Callable[[syntax.Expression], bool],
    idle: Callable[[syntax.Statement], bool],
) -> syntax.Expression | None:
    """The first condition that the first move of a body stands behind and that does not hold; None if there is none.

    ``idle``: moves that were carried out and led nowhere, as `PTP $AXIS_ACT`, since nothing has moved.
    """
    for node in body:
        if idle(node) or not any(map(moves, syntax.statements((node,)))):
            continue
        match node:
            case syntax.If(condition, then, otherwise):
                ways = [(condition, then), (syntax.Unary("not", condition, at=condition.at), otherwise)]
            case syntax.While(condition, inside):
                ways = [(condition, inside)]
            case syntax.Case(subject, choices, otherwise):
                ways = [(chosen(subject, values[0]), inside) for values, inside in choices]
                ways += [(chosen(subject, each), inside) for values, inside in choices for each in values[1:]]
                if not any(holds(condition) for condition, _ in ways):
                    ways.insert(0, (syntax.Name("TRUE", at=subject.at), otherwise))
            case syntax.For() | syntax.Repeat():
                return condition_of(node.body, moves, holds, idle)
            case _:
                return None
        ways = [(condition, inside) for condition, inside in ways if any(map(moves, syntax.statements(inside)))]
        gone = next((inside for condition, inside in ways if _is_true(condition) or holds(condition)), None)
        if gone is None or (len(ways) > 1 and gone is ways[-1][1] and _goes_on(node)):
            return ways[0][0]  # of IF and ELSEIF, too, the first
        return condition_of(gone, moves, holds, idle)
    return None


def _goes_on(node: syntax.Statement) -> bool:
    """Whether what stands behind ELSE is another condition: ELSEIF."""
    return isinstance(node, syntax.If) and len(node.otherwise) == 1 and isinstance(node.otherwise[0], syntax.If)


def _is_true(node: syntax.Expression) -> bool:
    return isinstance(node, syntax.Name) and node.name.lower() == "true"


def chosen(subject: syntax.Expression, choice: syntax.Expression) -> syntax.Expression:
    """When a choice is taken; of `TEST TRUE` it is a condition itself."""
    return choice if _is_true(subject) else syntax.Binary("=", subject, choice, at=subject.at)


def _is_data(node: syntax.Expression) -> bool:
    return isinstance(node, syntax.Name) and node.name.lower() not in ("true", "false")


def data_in(condition: syntax.Expression) -> list[str]:
    """The names that decide it."""
    return list(
        dict.fromkeys(each.name for each in syntax.walk(condition) if isinstance(each, syntax.Name) and _is_data(each))
    )


def asked_by(condition: syntax.Expression) -> dict[str, Value]:
    """What a condition asks for, where it says it plainly: ``go AND DInput(di1)=1`` asks for go and di1."""
    match condition:
        case syntax.Binary("and", left, right):
            found = asked_by(left), asked_by(right)
            return found[0] | found[1] if all(found) else {}
        case syntax.Binary("=", asked, wanted) if (name := _asked(asked)) and (value := _plain(wanted)) is not None:
            return {name: value}
        case syntax.Name(name) if _is_data(condition):
            return {name: True}
        case syntax.Unary("not", syntax.Name(name) as inside) if _is_data(inside):
            return {name: False}
    return {}


def _asked(node: syntax.Expression) -> str:
    """The name that is compared: of data, or of the only thing that a function is asked about."""
    match node:
        case syntax.Name(name) if _is_data(node):
            return name
        case syntax.FunctionCall(_, (syntax.Name(name),)):
            return name
    return ""


def _plain(node: syntax.Expression) -> Value | None:
    match node:
        case syntax.Number(value) | syntax.Text(value):
            return value
        case syntax.Name(name) if name.lower() in ("true", "false"):
            return name.lower() == "true"
    return None
