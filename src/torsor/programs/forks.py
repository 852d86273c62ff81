"""Where the ways of a program part by what nobody tells, and which of them lead to its moves.

A program that serves somebody reads a command, and does nothing as long as none comes. Where nothing moves with what is
assumed, the conditions that it met and that hang on the world are taken the other way, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.diagnostics import ProgramError
from torsor.programs.needed import chosen
from torsor.programs.printer import text_of
from torsor.programs.project_language import MOVING
from torsor.programs.values import Value

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun

MOST_WAYS = 16  # runs in which a program that moves nothing is led another way
UNTOLD = ("input", "name", "routine", "data")  # sorts of assumptions: what no file tells
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
Ways = Mapping[int, bool]  # by the id of a condition, or of the first value of a CASE: what it is taken to be
AS_IT_IS: Ways = {}


@dataclass(frozen=True, slots=True)
class Fork:
    """A condition that would have to be ``holds`` for another way, which is known by the id of ``by``."""

    condition: syntax.Expression
    holds: bool
    by: syntax.Expression


def forks(run: ProjectRun) -> list[Fork]:
    """The conditions that a run without moves has met, with moves on the way that it did not take.

    First those that are told from others by a command or a signal, then those that a number passes, such as a force;
    last those with nothing on it: what is left there is the program, or the routine.
    """
    hanging, moving = hanging_names(run), _moving(run)
    nodes = list(syntax.statements(run.tree.body))
    tests: dict[int, syntax.Statement] = {id(node.condition): node for node in nodes if isinstance(node, _TESTS)}
    tests |= {id(node.subject): node for node in nodes if isinstance(node, syntax.Case)}
    found: list[Fork] = []
    leaving: list[Fork] = []
    for condition, held in run.met.values():
        node = tests.get(id(condition))
        if isinstance(node, syntax.Case):
            found += _choices(run, node, hanging, moving)
            continue
        if node is None or id(condition) in run.ways or not hangs(run, condition, hanging):
            continue
        other: Iterable[syntax.Statement] = ()
        if isinstance(node, syntax.If):
            other = node.otherwise if held else node.then
            if held and not other and any(isinstance(each, _LEAVING) for each in syntax.statements(node.then)):
                leaving.append(Fork(condition, False, condition))
        elif isinstance(node, syntax.While) and not held:
            other = node.body
        if any(_moves(run, each, moving) for each in syntax.statements(other, into_units=False)):
            found.append(Fork(condition, not held, condition))
    passed = [one for one in found if any(isinstance(each, syntax.Binary) and each.operator in MIRRORED
                                          for each in syntax.walk(one.condition))]  # fmt: skip
    return [one for one in found if one not in passed] + passed + leaving


def _choices(run: ProjectRun, node: syntax.Case, hanging: set[str], moving: set[str]) -> Iterator[Fork]:
    """The choices of a CASE that move; one that was taken and did not move is tried once more, to no harm."""
    if any(id(values[0]) in run.ways for values, _ in node.choices) or not hangs(run, node.subject, hanging):
        return
    for values, body in node.choices:
        if any(_moves(run, each, moving) for each in syntax.statements(body, into_units=False)):
            yield Fork(chosen(node.subject, values[0]), True, values[0])


_TESTS = syntax.If | syntax.While
_LEAVING = syntax.Halt | syntax.Return | syntax.LeaveLoop


def _called(node: syntax.Statement) -> Iterator[str]:
    """Names of routines that a statement may call or start."""
    if isinstance(node, syntax.UnitCall):
        yield node.unit
    for expression in syntax.expressions(node):
        for each in syntax.walk(expression):
            if isinstance(each, syntax.FunctionCall):
                yield each.function
            elif isinstance(each, syntax.Text):  # of a thread that is started
                yield each.value


def _moves(run: ProjectRun, node: syntax.Statement, moving: set[str]) -> bool:
    key, forms = run.language.key, run.language.forms
    if isinstance(node, syntax.UnitCall) and (form := forms.get(key(node.unit))) is not None:
        return form.method.startswith(MOVING)
    return any(key(name) in moving for name in _called(node))


def _moving(run: ProjectRun) -> set[str]:
    """Routines that move, by themselves or by those that they call, as deep as it goes."""
    homes = [(key, home) for key, each in run.linked.routines.items() for home in each]
    bodies = [(key, list(syntax.statements(home.unit.body, into_units=False))) for key, home in homes]
    found: set[str] = set()
    while True:
        more = {key for key, body in bodies if key not in found and any(_moves(run, node, found) for node in body)}
        if not more:
            return found
        found |= more


# What hangs on the world
def hanging_names(run: ProjectRun) -> set[str]:
    """Names and functions whose values may come of what was assumed of the world."""
    if run.hanging[0] != len(run.assumed):  # nothing that was assumed goes away
        run.hanging = len(run.assumed), _hanging_names(run)
    return run.hanging[1]


def _hanging_names(run: ProjectRun) -> set[str]:
    key, found = run.language.key, set[str]()
    for assumed in run.assumed:
        sort, _, name = assumed.partition(" ")
        if sort in UNTOLD:
            found |= {key(name), key(name.partition("(")[0])}
        elif sort == "thread":
            homes = run.linked.routines.get(key(name), ())
            found |= {given for home in homes for given, _ in given_values(run, home.unit.body)}
    for home in (run.entry, run.afterwards):  # which nobody calls
        if home is not None:
            untold = (each for each in home.unit.parameters if each.default is None and not run.world.knows(each.name))
            found |= {key(each.name) for each in untold}
    flows = list(_flows(run))
    while True:
        more = {given for given, value in flows if given not in found and hangs(run, value, found)}
        if not more:
            return found
        found |= more


def hangs(run: ProjectRun, expression: syntax.Expression, names: set[str]) -> bool:
    key = run.language.key
    return any(
        (isinstance(each, syntax.Name) and key(each.name) in names)
        or (isinstance(each, syntax.FunctionCall) and key(each.function) in names)
        for each in syntax.walk(expression)
    )


def given_values(run: ProjectRun, body: Iterable[syntax.Statement]) -> Iterator[tuple[str, syntax.Expression]]:
    """The names that get a value, with it."""
    key = run.language.key
    for node in syntax.statements(body):
        if isinstance(node, syntax.Assign) and (name := syntax.base(node.target)):
            yield key(name.name), node.value
        elif isinstance(node, syntax.Declare) and node.value is not None:
            yield key(node.name), node.value


def _flows(run: ProjectRun) -> Iterator[tuple[str, syntax.Expression]]:
    """Names, parameters and routines, each with an expression that it may get its value from."""
    key = run.language.key
    yield from given_values(run, run.tree.body)
    for unit in (home.unit for homes in run.linked.routines.values() for home in homes):
        for node in syntax.statements(unit.body, into_units=False):
            if isinstance(node, syntax.Return) and node.value is not None:
                yield key(unit.name), node.value
    for node in syntax.statements(run.tree.body):
        calls: list[tuple[str, tuple[Any, ...]]] = []
        if isinstance(node, syntax.UnitCall):
            calls.append((node.unit, node.arguments))
        inside = (each for expression in syntax.expressions(node) for each in syntax.walk(expression))
        calls += [(each.function, each.arguments) for each in inside if isinstance(each, syntax.FunctionCall)]
        for name, arguments in calls:
            yield from _put(run, key(name), arguments)
            for home in run.linked.routines.get(key(name), ()):
                for parameter, argument in zip(home.unit.parameters, arguments, strict=False):
                    if isinstance(argument, syntax.Named):
                        yield key(argument.name), argument
                    elif argument is not None:
                        yield key(parameter.name), argument


def _put(run: ProjectRun, word: str, arguments: tuple[Any, ...]) -> Iterator[tuple[str, syntax.Expression]]:
    """Names that a word of the language puts something into, with all else that it is given."""
    form, function = run.language.forms.get(word), run.language.functions.get(word)
    kinds = form.operands if form is not None else function.arguments if function is not None else ()
    for kind, place in zip(kinds, arguments, strict=False):
        if kind == "place" and place is not None and (name := syntax.base(place)):
            yield from ((run.language.key(name.name), each) for each in arguments if each not in (None, place))


def sources(run: ProjectRun, names: Iterable[str]) -> list[str]:
    """What would have to be told for names to have another value: those that the program does not set itself.

    Of ``order := got;`` it is got, however far that goes back; of ``order := 0;`` nothing.
    """
    key, found = run.language.key, dict[str, str]()
    values: dict[str, list[syntax.Expression]] = {}
    declared = {id(node.value) for node in syntax.statements(run.tree.body) if isinstance(node, syntax.Declare)}
    for given, value in _flows(run):
        if id(value) not in declared:
            values.setdefault(given, []).append(value)
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop(0)
        if key(name) in seen:
            continue
        seen.add(key(name))
        if key(name) not in values:
            if key(name) not in run.language.constants and not run.linked.is_constant(name):
                found.setdefault(key(name), name)
            continue
        inside = (each for value in values[key(name)] for each in syntax.walk(value))
        waiting += [each.name for each in inside if isinstance(each, syntax.Name)]
    return list(found.values())


# Taking a way
def take(run: ProjectRun, condition: syntax.Expression, holds: bool, told: str) -> None:
    """Makes a condition hold or not, as far as it says how, and says so."""
    text = text_of(run.language, condition)
    word = "to hold" if holds else "not to hold"
    cure = f"--set {told}=..." if told else ""
    run.assume(condition.at, f"way {condition.at}", f"{text} is taken {word}: else nothing moves", cure)
    _settle(run, condition, holds, hanging_names(run))


def _settle(run: ProjectRun, condition: syntax.Expression, holds: bool, names: set[str]) -> None:
    match condition:
        case syntax.Unary("not", inside):
            _settle(run, inside, not holds, names)
        case syntax.Binary("and" | "or" as word, left, right):
            _settle(run, left, holds, names)
            if (word == "and") is holds:
                _settle(run, right, holds, names)
        case syntax.Binary(sign, left, right) if sign in OPPOSITE:
            if hangs(run, right, names) or isinstance(right, syntax.FunctionCall):  # `1 == job()`
                left, right, sign = right, left, MIRRORED.get(sign, sign)
            try:
                other = run.evaluate(right)
            except ProgramError:
                return
            _give(run, left, _wanted(sign if holds else OPPOSITE[sign], other), names)
        case _:
            _give(run, condition, holds, names)


def _wanted(sign: str, other: Value) -> Value | None:
    """A value that is so compared to another."""
    match other:
        case bool():
            return other if sign == "=" else not other
        case float() | int():
            return other + {"<": -1.0, ">": 1.0, "<>": 1.0}.get(sign, 0.0)
        case str() if sign == "=":
            return other
    return None


def _give(run: ProjectRun, place: syntax.Expression, value: Value | None, names: set[str]) -> None:
    """Gives a value to what is asked: to a name that hangs on the world, or as an answer of the world."""
    if value is None:
        return
    try:
        if isinstance(place, syntax.Name | syntax.Index | syntax.Member):
            base = syntax.base(place)
            if base is not None and run.language.key(base.name) in names and run.known(base) is not None:
                run.assign(place, value)
        elif isinstance(place, syntax.FunctionCall):
            run.asked = ""
            if run.evaluate(place) is not None and run.asked and not run.world.knows(run.asked):
                run.world.answer(run.asked, value)
                run.overruled.add(f"input {run.asked}")
    except ProgramError:
        return  # the way is taken all the same
