"""What rules of KRL's grammar become that no other language has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.builder import Clause, Unreadable
from torsor.programs.krl.krl_data import COMPARED
from torsor.programs.misspelt import slip_of
from torsor.programs.project_builder import ProjectBuilder
from torsor.programs.written_arguments import closing, spans

if TYPE_CHECKING:
    from lark import Token

    from torsor.programs.diagnostics import At


def _written(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# how statements that are not run are written, as far as that tells a slip of the pen
WRITTEN = {
    "INTERRUPT": (
        _written(
            r"(GLOBAL\s+)?INTERRUPT\s+((WITH\s+\S.*?\s)?DECL\s+\S.*\bWHEN\b((?!(?<![=<>])=(?!=)).)*\S\s*\bDO\b\s*\S.*|(ON|OFF|ENABLE|DISABLE)\b.*)"
        ),
        "INTERRUPT DECL 10 WHEN $IN[1] DO found(), or INTERRUPT ON 10",
    ),
    "TRIGGER": (
        _written(
            r"TRIGGER\s+WHEN\s+(DISTANCE|PATH)\s*=(?!.*(?<!=)(?<!= )\b(DELAY|PRIO)\s+[^=\s])"
            r".*?\bDO\b\s*[$\w]([^=(]*\(.*\)\s*|[^=]*=.*[^-=\s]\s*)"
        ),
        "TRIGGER WHEN DISTANCE=0 DELAY=20 DO $OUT[2]=TRUE",
    ),
    "PULSE": (_written(r"PULSE\s*\(.*\S.*,\s*[^\s,].*,\s*[^\s,)].*\)\s*"), "PULSE($OUT[4], TRUE, 0.5)"),
    **dict.fromkeys(
        ("EXT", "EXTP", "EXTFCT", "EXTFCTP"),
        (
            _written(r"EXT(FCT)?P?\s+[^(,:]+\(\s*([^,:()]+(:\s*(IN|OUT)\s*)?(,[^,:()]+(:\s*(IN|OUT)\s*)?)*)?\)\s*"),
            "EXT BAS (BAS_COMMAND :IN, REAL :IN)",
        ),
    ),
    "CONST_VEL": (_written(r"CONST_VEL\s+(START|END)(\s*=\s*\S.*)?"), "CONST_VEL START = 50"),
}


_LAST = re.compile(r"[)\w]\s+([^\W\d]\w*)\s*=\s*-?\s*\d+\s*$")  # PRIO=-1
LOGICAL = frozenset({"and", "or", "xor"})


_NAMED = re.compile(r"(?<![\w$#.])[$]?[^\W\d]\w*")
AROUND = frozenset(
    [
        "GLOBAL",
        "INTERRUPT",
        "DECL",
        "WHEN",
        "DO",
        "ON",
        "OFF",
        "ENABLE",
        "DISABLE",
        "TRIGGER",
        "DISTANCE",
        "PATH",
        "ONSTART",
        "DELAY",
        "PRIO",
        "ANOUT",
        "MINIMUM",
        "MAXIMUM",
        "PULSE",
        "AND",
        "OR",
        "NOT",
        "EXOR",
        "B_AND",
        "B_OR",
        "B_EXOR",
        "B_NOT",
        "TRUE",
        "FALSE",
    ]
)
TRIGGERED = frozenset({"ONSTART", "DELAY", "PRIO"})  # what may stand before and behind DO
FEWEST = {"CWRITE": 4, "CREAD": 4, "SWRITE": 4, "SREAD": 4}  # values
_DONE = _written(r"\bDO\s+(\w+)\s*\(\s*\$OUT")
_CALLED = _written(r"\bDO\s+([^\W\d]\w*)\s*\(")
# a name behind a value, with no sign between: what is written DELAY0, or DELAY 0
_UNTOLD = _written(
    r"(?<![\w$])(?!(?:TRIGGER|WHEN|DO|NOT|B_NOT|AND|OR|EXOR|B_AND|B_OR|B_EXOR|MINIMUM|MAXIMUM)\s)[\w$]+[\])]*\s+"
    r"(?!(?:WHEN|DO|DELAY|PRIO|ONSTART|AND|OR|EXOR|B_AND|B_OR|B_EXOR|MINIMUM|MAXIMUM)(?!\w))([\w$]+)"
)
_BRACED = re.compile(r"\{[^{}]*\}")  # in which names stand before values
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_NOTHING = _written(r"[(,]\s*,|,\s*\)")
# in brackets, with no other bracket between
_RUN_TOGETHER = _written(
    r"[(\[,][^()\[\]{},]*(?<![\w$])(?!(?:AND|OR|EXOR|NOT|B_AND|B_OR|B_EXOR|B_NOT)\b)[\w$]+(?:\[\s*\]|\])?\s+"
    r"(?!(?:AND|OR|EXOR|NOT|B_AND|B_OR|B_EXOR|B_NOT)\b)[\w$#]+[^()\[\]{},]*[)\],]"
)

_EXTERNAL = _written(r"EXT(?:FCT)?P?\s+(?:[^\W\d]\w*(?:\[\s*\])?\s+)?([^\W\d]\w*)\s*\(")
_TYPES = ("INT", "REAL", "BOOL", "CHAR", "FRAME", "E6POS", "E6AXIS")


def _misspelt_types(text: str) -> Iterator[tuple[str, str]]:
    """Of what EXT says that a routine takes: types that are misspelt, and what was meant."""
    for name in re.findall(r"[(,]\s*([^\W\d]\w*)", text):
        if meant := slip_of(name, _TYPES, family=False):
            yield name, meant


class KrlBuilder(ProjectBuilder):
    def NUMBER(self, token: Token) -> syntax.Number:
        number = super().NUMBER(token)
        return syntax.WholeNumber(number.value, at=number.at) if str(token).isdigit() else number

    def BITS(self, token: Token) -> syntax.Number:
        text = str(token)[1:-1]
        return syntax.Number(float(int(text[1:], 16 if text[0] in "hH" else 2)), at=self.at(token))

    def LITERAL(self, token: Token) -> syntax.Parts:
        at = self.at(token)
        pairs = [pair.split() for pair in str(token)[1:-1].split(",")]
        names = tuple(self.language.key(name) for name, _ in pairs)
        return syntax.Parts(names, tuple(self._number(float(value), at) for _, value in pairs), at=at)

    # Expressions
    def operation(self, items: list[Any]) -> Any:
        """As the manual has it; where that would join a number by AND or OR, as it is meant."""
        words = [self.language.operators.get(each.lower(), "") if isinstance(each, str) else "" for each in items]
        joints = [k for k, word in enumerate(words) if word in LOGICAL]
        if not joints or not COMPARED.intersection(words):
            return super().operation(items)
        beside = [items[k] for joint in joints for k in (joint - 1, joint + 1)]
        if not any(isinstance(each, syntax.Number | syntax.Text) for each in beside):
            return super().operation(items)
        parts, begin = [], 0
        for k in [*joints, len(items)]:
            parts += [super().operation(items[begin:k]), *items[k : k + 1]]
            begin = k + 1
        made: Any = super().operation(parts)
        return syntax.AsMeant(made.operator, made.left, made.right, at=made.at)

    def enum_value(self, items: list[Any]) -> syntax.Text:
        return syntax.Text("#" + str(items[0])[1:].strip().lower(), at=self.at(items[0]))

    def whole_array(self, items: list[Any]) -> Any:
        return items[0]

    def parts(self, items: list[Any]) -> syntax.Parts:
        brace, typed, *given = items
        pairs = [each for each in given if each is not None]
        names = tuple(self.language.key(name) for name, _ in pairs)
        kind = "" if typed is None else str(typed).rstrip(":").strip().lower()
        if kind and (meant := slip_of(kind, self.language.types_table.records, family=False)):
            raise Unreadable(self.at(typed), f"there is no type {kind.upper()!r}", f"did you mean {meant.upper()!r}?")
        return syntax.Parts(names, tuple(value for _, value in pairs), kind, at=self.at(brace))

    def part(self, items: list[Any]) -> tuple[str, Any]:
        return str(items[0]), items[2]

    # Statements
    def declare(self, items: list[Any]) -> Any:
        words = [str(each).lower() for each in items if isinstance(each, str)]
        tokens: list[Any] = [each for each in items if isinstance(each, str)]
        *storing, kind = tokens
        names = [each for each in items if not isinstance(each, str)]
        name = self.language.key(kind)
        typed = self.language.types_table.knows(name) or (
            self.may_declare(name) and slip_of(name, self.language.keywords, family=False) is None
        )
        if not storing and not typed:
            hint = self.language.unknown_word(str(kind), "")
            raise Unreadable(self.at(kind), f"there is no instruction {str(kind)!r}", hint)
        storage = " ".join(words[:-1]).replace("decl", "").strip()
        made = (
            syntax.Declare(name, str(each), value, None, sizes, storage, at=self.at(each))
            for each, sizes, value in names
        )
        return Clause("statements", parts=tuple(made))

    def may_declare(self, kind: str) -> bool:
        return kind.endswith(("_t", "_type", "dat", "_typ")) or kind.startswith(("e6", "msg", "krlmsg"))

    def declared(self, items: list[Any]) -> Any:
        name, sizes, value = items
        return name, sizes or (), value

    def enum(self, items: list[Any]) -> Clause:
        return Clause("statements")

    def struc(self, items: list[Any]) -> syntax.RecordType:
        _, word, name, *parts = items
        fields, kind = [], ""
        for part in parts:
            kind = part[0] or kind
            fields.append(syntax.Declare(kind, part[1], at=self.at(word)))
        return syntax.RecordType(str(name), tuple(fields), at=self.at(name))

    def struc_part(self, items: list[Any]) -> tuple[str, str]:
        names = [str(item) for item in items if item is not None and not str(item).startswith("[")]
        return (self.language.key(names[0]), names[1]) if len(names) == 2 else ("", names[0])

    def signal(self, items: list[Any]) -> syntax.Declare:
        _, name, first, last = items
        if isinstance(first, syntax.Index) and isinstance(last, syntax.Index):  # several together are a number
            first = syntax.Index(first.base, (*first.indices, *last.indices), at=first.at)
        return syntax.Declare("signal", str(name), first, storage="signal", at=self.at(name))

    def call(self, items: list[Any]) -> syntax.UnitCall:
        return syntax.UnitCall(str(items[0]), items[1] or (), at=self.at(items[0]))

    def arguments(self, items: list[Any]) -> tuple[syntax.Expression | None, ...]:
        """As everywhere; behind a comma at the end something is left out, too."""
        return (*self.operands(items), *([None] if items and isinstance(items[-1], str) else []))

    def with_part(self, items: list[Any]) -> tuple[Any, ...]:
        return tuple(items[1:])

    def assign_with(self, items: list[Any]) -> syntax.Named:
        return syntax.Named("with", syntax.Group((items[0], items[1]), at=items[0].at), at=items[0].at)

    def _go(self, word: Token, points: list[Any], given: Any, approx: list[Any], *more: Any) -> syntax.UnitCall:
        named = [syntax.Named("approx", syntax.Text(str(each).lower()), at=self.at(each)) for each in approx]
        arguments = (*points, *(given or ()), *named, *more)
        return syntax.UnitCall(str(word).lower(), arguments, at=self.at(word))

    def move(self, items: list[Any]) -> Any:
        word, point, given, *approx = items
        return self._go(word, [point], given, approx)

    def circle(self, items: list[Any]) -> syntax.UnitCall:
        word, via, end, mark, angle, given, *approx = items
        more = [] if mark is None else [syntax.Named("ca", angle, at=self.at(mark))]
        return self._go(word, [via, end], given, approx, *more)

    def relative(self, items: list[Any]) -> syntax.UnitCall:
        word, *rest = items
        points: list[Any] = [each for each in rest if isinstance(each, syntax.SyntaxNode)]
        words: list[Any] = [each for each in rest if isinstance(each, str)]
        given = next((each for each in rest if isinstance(each, tuple)), ())
        frames = [each for each in words if each.startswith("#")]
        more = [
            syntax.Named("frame", syntax.Text(str(each).lower().replace(" ", "")), at=self.at(each)) for each in frames
        ]
        mark = next((each for each in words if each.upper() == "CA"), None)
        if mark is not None:
            more.append(syntax.Named("ca", points.pop(), at=self.at(mark)))
        return self._go(word, points, given, [each for each in words if each.upper().startswith("C_")], *more)

    def spline_open(self, items: list[Any]) -> Clause:
        word, given = items
        return Clause("statements", parts=(syntax.UnitCall("spline", given or (), at=self.at(word)),))

    def spline_close(self, items: list[Any]) -> Clause:
        word, *approx = items
        return Clause("statements", parts=(self._go(word, [], (), approx),))

    def wait_time(self, items: list[Any]) -> syntax.UnitCall:
        return syntax.UnitCall("wait sec", (items[0],), at=self.begin)

    def wait_for(self, items: list[Any]) -> syntax.UnitCall:
        return syntax.UnitCall("wait for", (items[0],), at=self.begin)

    def not_run(self, items: list[Any]) -> syntax.NotRun:
        text = str(items[0])
        bare = _QUOTED.sub("", text)
        if any(bare.count(opens) != bare.count(closes) for opens, closes in ("()", "[]", "{}")):
            raise Unreadable(self.at(items[0]), "brackets that are not closed, or not opened")
        words = text.replace("(", " ").split()
        word = (words[1] if words[0].upper() == "GLOBAL" and len(words) > 1 else words[0]).upper()
        form, example = WRITTEN.get(word, (None, ""))
        if form is not None and not form.fullmatch(text.strip()):
            raise Unreadable(self.at(items[0]), f"this is no {word}", f"it is written {example}")
        done = _DONE.search(text) if word == "TRIGGER" else None
        if done is not None and slip_of(done[1], ("PULSE",), family=False):
            raise Unreadable(self.at(items[0]), f"there is no instruction {done[1]!r}", "did you mean 'PULSE'?")
        last = _LAST.search(text) if word == "TRIGGER" else None
        if last is not None and slip_of(last[1], ("PRIO",), family=False, shortest=3):
            raise Unreadable(self.at(items[0]), f"a TRIGGER has no {last[1]!r}", "did you mean 'PRIO'?")
        self._parted(word, text, self.at(items[0]))
        if word.startswith("EXT") and (unmeant := next(_misspelt_types(text), None)):
            raise Unreadable(self.at(items[0]), f"there is no type {unmeant[0]!r}", f"did you mean {unmeant[1]!r}?")
        named = _NAMED.findall(bare) if word in ("PULSE", "TRIGGER", "INTERRUPT", "ANOUT", *FEWEST) else []
        if external := _EXTERNAL.match(text):
            named = [external[1]]
        names = tuple(each for each in named if each.upper() not in AROUND)
        absent = TRIGGERED.difference(each.upper() for each in named)
        for each in names if word == "TRIGGER" else ():
            if meant := slip_of(each, absent):
                raise Unreadable(self.at(items[0]), f"a TRIGGER has no word {each!r}", f"did you mean {meant!r}?")
        if word == "TRIGGER" and (lost := _UNTOLD.search(_BRACED.sub("", bare))):
            raise Unreadable(
                self.at(items[0]), f"this is no TRIGGER: {lost[1]!r} does not belong there", f"it is written {example}"
            )
        return self._with_call(word, names, text, self.at(items[0]))

    def _with_call(self, word: str, names: tuple[str, ...], text: str, at: At) -> syntax.NotRun:
        """What an INTERRUPT or a TRIGGER calls is one of its names, and a call with so many values."""
        call = _CALLED.search(text) if word in ("TRIGGER", "INTERRUPT") else None
        if call is None or call[1] not in names:
            return syntax.NotRun(word, names, at=at)
        written = [text[slice(*each)].strip() for each in spans(text, call.end(), closing(text, call.end() - 1))]
        given = () if written == [""] else tuple(syntax.Text(each) if each else None for each in written)
        last = len(names) - 1 - names[::-1].index(call[1])
        return syntax.NotRun(
            word,
            (*names[:last], *names[last + 1 :]),
            (syntax.UnitCall(call[1], given, at=(at[0], at[1] + call.start(1))),),
            at=at,
        )

    def _parted(self, word: str, text: str, at: Any) -> None:
        """What stands in the brackets of a statement that is not run: values with commas between them, and enough."""
        bare = _QUOTED.sub(lambda found: "_" * len(found[0]), text)
        if word in ("TRIGGER", "INTERRUPT", *FEWEST) and _NOTHING.search(bare):
            raise Unreadable(at, f"a value is missing beside a comma, in {word}")
        if _RUN_TOGETHER.search(bare):
            raise Unreadable(at, f"two values without a comma between them, in {word}")
        begin = text.find("(") + 1
        if word in FEWEST and begin and len(spans(text, begin, text.rfind(")"))) < FEWEST[word]:
            raise Unreadable(at, f"{word} takes at least {FEWEST[word]} values")

    def leave(self, items: list[Any]) -> syntax.LeaveLoop:
        return syntax.LeaveLoop("EXIT", at=self.at(items[0]))

    def goes_on(self, items: list[Any]) -> Clause:
        return Clause("statements")

    def halt(self, items: list[Any]) -> syntax.UnitCall:  # type: ignore[override]
        return syntax.UnitCall("halt", (), at=self.at(items[0]))

    def open_loop(self, items: list[Any]) -> Clause:
        return Clause("loop", parts=(syntax.Name("TRUE", at=self.at(items[0])),), at=self.at(items[0]))

    # Units
    def define(self, items: list[Any]) -> Clause:
        _, name, parameters = items
        return Clause("unit", "def", (str(name), parameters or (), "", False), at=self.begin)

    def function(self, items: list[Any]) -> Clause:
        _, kind, _, name, parameters = items
        return Clause("unit", "deffct", (str(name), parameters or (), self.language.key(kind), False), at=self.begin)

    def dat(self, items: list[Any]) -> Clause:
        return Clause("section", "defdat", at=self.begin)

    def krl_parameter(self, items: list[Any]) -> syntax.Parameter:
        name, array, direction = items
        by_reference = direction is None or not str(direction).replace(" ", "").lower().endswith(":in")
        return syntax.Parameter(str(name), "" if array is None else "array", by_reference, at=self.at(name))
