"""Random trees of both languages, for hypothesis. They need not make sense; they must be writable."""

from __future__ import annotations

from hypothesis import strategies as st

from torsor.programs import syntax

NAMES = st.sampled_from(["a", "b1", "p", "q.x", "Speedy", "moves2", "endpoint", "x_1"])
IRL_NAMES = st.sampled_from(["a", "b1", "p", "Speedy", "moves2", "endpoint", "x_1", "tool1"])
TEXTS = st.text(st.characters(codec="ascii", exclude_characters="\"'\n\r\x00", exclude_categories=["Cc"]), max_size=8)
NUMBERS = st.one_of(
    st.integers(0, 10**6).map(float),
    st.floats(0, 1e12, allow_nan=False),
    st.floats(0, 1e-3, allow_nan=False),
).map(abs).map(syntax.Number)  # fmt: skip


def expressions(language):
    names = NAMES if language == "VAL II" else IRL_NAMES
    leaves = st.one_of(NUMBERS, TEXTS.map(syntax.Text), names.map(syntax.Name))
    operators = ["+", "-", "*", "/", "mod", "and", "or", "xor", "=", "<>", "<", "<=", ">", ">=", ":"]
    operators.append("^" if language == "VAL II" else "div")

    def grow(inner):
        grown = [
            st.builds(syntax.Binary, st.sampled_from(operators), inner, inner),
            st.builds(syntax.Unary, st.sampled_from(["-", "+", "not"]), inner),
            st.builds(syntax.FunctionCall, names, st.lists(inner, min_size=1, max_size=3).map(tuple)),
            st.builds(syntax.Index, names.map(syntax.Name), st.lists(inner, min_size=1, max_size=2).map(tuple)),
        ]
        if language == "L-IRL":
            grown.append(st.builds(syntax.Group, st.lists(inner, min_size=2, max_size=3).map(tuple)))
            grown.append(st.builds(syntax.Member, st.builds(syntax.Member, names.map(syntax.Name), names), names))
        return st.one_of(grown)

    return st.recursive(leaves, grow, max_leaves=4)


def targets(language):
    names = (NAMES if language == "VAL II" else IRL_NAMES).map(syntax.Name)
    element = st.builds(syntax.Index, names, st.tuples(NUMBERS))
    if language == "VAL II":
        return st.one_of(names, element)
    return st.one_of(names, element, st.builds(syntax.Member, names, IRL_NAMES))


def constants(language):
    names = (NAMES if language == "VAL II" else IRL_NAMES).map(syntax.Name)
    return st.one_of(NUMBERS, names, NUMBERS.map(lambda number: syntax.Number(-number.value)))


def instructions(language):
    value = expressions(language)
    if language == "L-IRL":
        settings = st.lists(
            st.one_of(
                st.tuples(st.sampled_from(["speed", "acc", "c_cp", "any_1"]), st.tuples(value)),
                st.tuples(st.sampled_from(["c_speed", "c_ptp"]), st.just(())),
            ),
            max_size=3,
        ).map(tuple)
        targets_of = {"move ptp": 1, "move lin": 1, "move circle": 2}
        moves = st.sampled_from(sorted(targets_of)).flatmap(
            lambda word: st.builds(
                syntax.RobotInstruction, st.just(word), st.tuples(*[value] * targets_of[word]), settings
            )
        )
        single = value.filter(lambda node: not isinstance(node, syntax.Group))  # a single group is its items
        others = st.builds(
            syntax.RobotInstruction,
            st.sampled_from(["wait", "wait for", "delay", "payload", "tool"]),
            st.tuples(single),
        )
        return st.one_of(moves, others)
    options = st.one_of(
        st.just(()), st.just((("ALWAYS", ()),)), st.tuples(st.tuples(st.just("VIA"), st.tuples(value, value)))
    )
    operands = st.lists(value, min_size=1, max_size=3).map(tuple)
    words = st.sampled_from(["MOVE", "MOVES", "SPEED", "APPRO", "TYPE", "SIGNAL", "OPENI", "WAIT", "TOOL"])
    gaps = st.just(syntax.RobotInstruction("BASE", (None, syntax.Number(1.0), None, syntax.Number(2.0))))
    point = st.builds(
        syntax.RobotInstruction,
        st.just("POINT"),
        st.tuples(targets(language), *[NUMBERS.map(lambda number: syntax.Number(-number.value))] * 6),
    )
    setting = st.builds(syntax.RobotInstruction, st.just("SET"), st.tuples(targets(language), value))
    return st.one_of(st.builds(syntax.RobotInstruction, words, operands, options), gaps, point, setting)


def bodies(language):
    value, target = expressions(language), targets(language)
    names = NAMES if language == "VAL II" else IRL_NAMES
    halts = st.sampled_from(["STOP", "HALT"] if language == "VAL II" else ["stop", "halt"])
    simple = [
        st.builds(syntax.Assign, target, value),
        instructions(language),
        st.builds(syntax.UnitCall, names, st.lists(value, max_size=2).map(tuple)),
        st.builds(syntax.Halt, halts),
        st.builds(syntax.Return) if language == "VAL II" else st.builds(syntax.Return, value),
    ]
    if language == "VAL II":
        labels = st.integers(1, 999).map(str)
        simple += [st.builds(syntax.Label, labels), st.builds(syntax.Goto, labels, st.one_of(st.none(), value))]

    def grow(inner):
        body = st.lists(inner, max_size=3).map(tuple)
        choice = st.tuples(st.lists(constants(language), min_size=1, max_size=2).map(tuple), body)
        return st.one_of(
            st.builds(syntax.If, value, body, body),
            st.builds(syntax.For, target, value, value, st.one_of(st.none(), value), body),
            st.builds(syntax.While, value, body),
            st.builds(syntax.Repeat, body, value),
            st.builds(syntax.Case, value, st.lists(choice, min_size=1, max_size=2).map(tuple), body),
        )

    return st.lists(st.recursive(st.one_of(simple), grow, max_leaves=3), max_size=3).map(tuple)


def programs(language):
    """Trees of whole files."""
    body = bodies(language)
    if language == "VAL II":
        parameters = st.lists(st.builds(syntax.Parameter, NAMES), max_size=2).map(tuple)
        unit = st.builds(syntax.Unit, st.just("program"), NAMES, parameters, st.just(""), body)
        return st.one_of(body, st.lists(unit, min_size=1, max_size=2).map(tuple)).map(syntax.SyntaxTree)
    types = st.sampled_from(["real", "robtarg", "bool"])
    declare = st.builds(syntax.Declare, types, IRL_NAMES, st.one_of(st.none(), expressions(language)))
    array = st.builds(syntax.Declare, types, IRL_NAMES, st.none(), st.tuples(st.integers(-3, 0), st.integers(0, 9)))
    record = st.builds(syntax.RecordType, IRL_NAMES, st.lists(declare, max_size=2).map(tuple))
    parameter = st.builds(syntax.Parameter, IRL_NAMES, types, st.booleans())
    parameters = st.lists(parameter, max_size=2).map(tuple)
    procedure = st.builds(syntax.Unit, st.just("procedure"), IRL_NAMES, parameters, st.just(""), body)
    function = st.builds(syntax.Unit, st.just("function"), IRL_NAMES, parameters, types, body)

    def whole(name, records, declared, units, main):
        sections = syntax.StatementGroup("type", tuple(records)), syntax.StatementGroup("var", tuple(declared))
        inside = (*sections, *units, syntax.StatementGroup("seq", main))
        return syntax.SyntaxTree((syntax.Unit("program", name, (), "", inside),))

    lists = (st.lists(kind, max_size=2) for kind in (record, st.one_of(declare, array), st.one_of(procedure, function)))
    return st.builds(whole, IRL_NAMES, *lists, body)
