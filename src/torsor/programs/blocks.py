"""From clauses to a tree: blocks are matched on a stack, so that one slip gives one message and reading goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, takewhile
from typing import Any

from torsor.programs import syntax
from torsor.programs.builder import Clause, Unreadable
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.grammar import nearest, parse_clause
from torsor.programs.indentation import Indentation, column_of
from torsor.programs.language import Language

DEEPEST = 50  # blocks within blocks
MOST_PERHAPS = 3  # blocks that may be open instead of the one that is named
MOST_ERRORS = 100  # a file of another kind altogether need not be told of line by line


class TooDeep(Unreadable):
    """Blocks within blocks beyond all sense: what follows cannot be told apart."""


@dataclass(slots=True)
class _Block:
    kind: str
    clause: Clause
    column: int = 1  # of its first word
    parts: list[tuple[Any, list[syntax.Statement]]] = field(default_factory=lambda: [(None, [])])  # (choice, body)

    @property
    def choice(self) -> Any:
        """What the part being read belongs to: "else", values, "fallback"."""
        return self.parts[-1][0]

    @property
    def body(self) -> list[syntax.Statement]:
        return self.parts[-1][1]


def read_tree(language: Language, source: ProgramText) -> syntax.SyntaxTree:
    """The tree of a program. What cannot be read is left out of it and said in ``source.found``."""
    if len(source.parts) == 1:
        return syntax.SyntaxTree(language.module_of(source.file, _read(language, source, source, 0).body))
    body: list[syntax.Statement] = []
    for part in source.parts:
        alone = ProgramText(part.file, part.text, found=source.found)
        body += language.module_of(part.file, _read(language, source, alone, part.first - 1).body)
    return syntax.SyntaxTree(tuple(body))


def _read(language: Language, source: ProgramText, part: ProgramText, before: int) -> syntax.SyntaxTree:
    """Of one file, with so many lines of others before it."""
    reader = _Reader(language, source)
    said = len(source.found)
    for piece in language.cut(part):
        begin = piece.begin[0] + before, piece.begin[1]
        reader.column = reader.shown(begin)[1]
        reader.indentation.stands((begin[0], reader.column))
        try:
            clause = parse_clause(language, piece.text, begin)
            if clause is not None:
                reader.take(clause)
        except Unreadable as problem:
            source.error(problem.at, problem.problem, problem.hint)
            if isinstance(problem, TooDeep):
                return reader.finish(whole=False)
            reader.recover(language.recovered(piece.text, begin))
            if sum(found.severity == "error" for found in source.found[said:]) >= MOST_ERRORS:
                source.error(begin, f"{MOST_ERRORS} errors so far; the rest is not read")
                return reader.finish(whole=False)
    return reader.finish()


class _Reader:
    def __init__(self, language: Language, source: ProgramText) -> None:
        self.language = language
        self.source = source
        self.stack = [_Block("file", Clause("file"))]
        self.indentation: Indentation[_Block] = Indentation()
        self.column = 1  # of the first word of what is read now
        # of this routine, by column: IF without THEN above the one statement that it holds
        self.above: dict[int, syntax.If] = {}
        self.astray: tuple[syntax.If, Clause] | None = None  # one whose end an IF around it took

    @property
    def top(self) -> _Block:
        return self.stack[-1]

    def shown(self, at: At) -> At:
        """Line and column as an editor shows them, which counts tabs for more than one."""
        return at[0], column_of(self.source.lines[at[0] - 1], at[1])

    def take(self, clause: Clause) -> None:
        self.top.body.extend(clause.labels)
        match clause.kind:
            case "statements":
                self.top.body.extend(clause.parts)
                for node in clause.parts:
                    if isinstance(node, syntax.If) and node.then and self._begins_line(node, node.then[0].at):
                        self.above[self.column] = node
            case "entry":
                self._entry(clause)
            case "unit":
                self._open_unit(clause)
            case "else":
                self._middle(clause, "if", "else")
            case "elif":
                self._middle(clause, "if", clause)
            case "handler":
                self._handler(clause)
            case "choice":
                self._middle(clause, "case", clause.parts)
            case "fallback":
                self._middle(clause, "case", "fallback")
            case "until" | "close":
                self._close(clause)
            case _:
                self._open(clause)

    def _begins_line(self, above: syntax.If, at: At) -> bool:
        return at[0] > above.at[0] and not self.source.lines[at[0] - 1][: at[1] - 1].strip()

    def recover(self, clause: Clause | None) -> None:
        """Takes the block that something unreadable opens or closes all the same: its other end is no second error."""
        try:
            if clause is not None:
                self.take(clause)
        except Unreadable:
            pass  # it was told already

    def finish(self, *, whole: bool = True) -> syntax.SyntaxTree:
        """The tree; where the text was not read to its end, blocks that are open are no errors."""
        self._end(lambda block: block.kind != "file", said=whole)
        return syntax.SyntaxTree(tuple(self.top.body))

    def _entry(self, clause: Clause) -> None:
        (point,) = clause.parts
        if self.top.kind in (".REALS", ".STRINGS"):
            name, *values = point.operands
            if len(values) != 1:
                raise Unreadable(clause.at, f"{clause.word} has {len(values)} values", "a name and one value")
            self.top.body.append(syntax.Assign(name, values[0], at=point.at))
            return
        if self.top.kind != ".LOCATIONS" or isinstance(point.operands[-1], syntax.Text):
            hint = self.language.unknown_word(clause.word, "") or "points are written POINT name x y z ..."
            raise Unreadable(clause.at, f"there is no instruction {clause.word!r}", hint)
        self.top.body.extend(clause.parts)

    def _open(self, clause: Clause, kind: str = "") -> None:
        if len(self.stack) > DEEPEST:
            raise TooDeep(clause.at, f"blocks nested deeper than {DEEPEST}", "put the inner ones into a subroutine")
        kind = kind or (clause.word if clause.kind == "section" else clause.kind)
        self.indentation.opens((clause.at[0], self.column))
        if kind in ROUTINES:
            self.above.clear()
            self.astray = None
        self.stack.append(_Block(kind, clause, self.column))

    def _open_unit(self, clause: Clause) -> None:
        if self.language.nests:
            self._open(clause, clause.word)
            return
        inner = next((block for block in self.stack[1:] if block.kind == clause.word), None)
        if inner is not None or clause.word != "program":  # a unit ends what was left open before it
            self._end(lambda block: block.kind not in ("file", "program", "module") or block is inner)
        self.stack.append(_Block(clause.word, clause, self.column))

    def _middle(self, clause: Clause, kind: str, choice: Any) -> None:
        top, word = self.top, clause.word or "a choice"
        if top.kind != kind:
            bare = self._without_then(clause) if kind == "if" else None
            if bare is not None:  # ENDIF closes it
                self._open(Clause("if", parts=(bare.condition,), at=bare.at))
                return
            raise Unreadable(clause.at, f"{word} stands outside of {kind.upper()}", self._open_hint())
        self._taken(clause, top)
        if top.choice == "else":
            raise Unreadable(clause.at, f"a second {word} in one {kind.upper()}", "one is allowed")
        if top.choice == "fallback":
            raise Unreadable(clause.at, "a choice after the one for all other values", "it is the last one")
        if kind == "case" and top.choice is None and top.body:
            self.source.error(top.body[0].at, "a statement before the first choice", "choices come first")
        top.parts.append((choice, []))

    def _handler(self, clause: Clause) -> None:
        """What follows belongs to what is done in case of an error, up to the end of the routine."""
        if not any(block.kind in ROUTINES for block in self.stack):
            raise Unreadable(clause.at, f"{clause.word} stands outside of a routine", self._open_hint())
        self._end(lambda block: block.kind not in ROUTINES)
        self.top.parts.append((f"handler {len(self.top.parts)}", []))

    def _open_hint(self) -> str | None:
        if self.top.kind == "file":
            return None
        return f"the open block is {self.top.kind.upper()} of line {self.source.line(self.top.clause.at)}"

    def _close(self, clause: Clause) -> None:
        kinds = ("repeat",) if clause.kind == "until" else self.language.closes.get(clause.word)
        if kinds is None:
            hint = nearest(clause.word, list(self.language.closes))
            raise Unreadable(clause.at, f"there is no word {clause.word!r}", hint)
        if not any(block.kind in kinds for block in self.stack):
            if "if" in kinds and self._without_then(clause) is not None:
                return
            raise Unreadable(clause.at, f"{clause.word} closes nothing", self._open_hint())
        self._seen(kinds)
        self._taken(clause, next(block for block in reversed(self.stack) if block.kind in kinds))
        self._end(lambda block: block.kind not in kinds)
        self._pop(clause.parts)

    def _without_then(self, clause: Clause) -> syntax.If | None:
        """The IF without THEN that a word of no open IF stands below, and which is told in its place."""
        bare = self.above.pop(self.column, None)
        found = self.astray if bare is None else (bare, clause)
        if found is None:
            return None
        self.astray = None
        hint = f"{found[1].word} of line {self.source.line(found[1].at)} belongs to it"
        last = found[0].condition
        while isinstance(last, syntax.Binary):
            last = last.right
        self.source.error(max(found[0].at, last.at), "IF has no THEN", hint)
        return found[0]

    def _taken(self, clause: Clause, block: _Block) -> None:
        """Remembers a word of an open IF that stands below another one, without THEN: no fault where all are closed."""
        bare = self.above.get(self.column) if block.kind == "if" and block.column != self.column else None
        if bare is not None and self.astray is None and block.clause.at < bare.at:
            self.astray = bare, clause

    def _seen(self, kinds: tuple[str, ...]) -> None:
        """Remembers where a block ends that begins elsewhere, or where blocks around it do.

        Its word may be meant for those only that have no block of another kind in between, which would be left open,
        too.
        """
        last = max(k for k, block in enumerate(self.stack) if block.kind in kinds)
        inner, outer = self.stack[last], self.stack[:last]
        around = [*takewhile(lambda block: block.kind in kinds, reversed(outer))]
        self.indentation.closes(inner, inner.column, self.column, [block.column for block in around], outer)
        if around and around[0].column == inner.column == self.column:
            self.indentation.flatly(around[0], inner)

    def _end(self, is_open: Callable[[_Block], bool], *, said: bool = True) -> None:
        """Closes what was left open, and says so."""
        while is_open(self.top):
            if said:
                self._unclosed(self.top)
            self._pop((syntax.Number(1.0, at=self.top.clause.at),))

    def _unclosed(self, block: _Block) -> None:
        language = self.language
        inside = [*self.indentation.left_open(block)]
        if inside and block.kind not in language.forgiven:
            block = inside[0]
            self.indentation.ends.clear()
        words = [word for word, kinds in language.closes.items() if block.kind in kinds]
        closer = language.spelled("until" if block.kind == "repeat" else words[0] if words else "its end")
        kind = language.style.opening[block.kind].split()[0]
        if block.kind in language.forgiven:
            hint = language.forgiven[block.kind]
            self.source.warn(block.clause.at, f"{kind} is never closed by {closer}", hint)
        else:
            perhaps = () if inside else self.indentation.perhaps(block)
            lines = [f"(line {self.source.line(each.clause.at)})" for each in islice(perhaps, MOST_PERHAPS)]
            or_inside = f", or one inside of it {' or '.join(lines)}" if lines else ""
            self.source.error(block.clause.at, f"{kind} is never closed{or_inside}", f"add {closer}")

    def _pop(self, closing: tuple[Any, ...]) -> None:
        """Makes the block a statement of the one around it; ``closing`` is what its last word says."""
        block = self.stack.pop()
        self.top.body.append(_node(block, closing))


ROUTINES = ("proc", "func", "trap", "def", "thread", "deffct")
BLOCKS: dict[str, Callable[..., syntax.Statement]] = {
    "for": syntax.For, "while": syntax.While, "loop": syntax.While, "repeat": syntax.Repeat, "case": syntax.Case,
    "record": syntax.RecordType, **{kind: partial(syntax.Unit, kind) for kind in ("program", "procedure", "function")},
}  # fmt: skip


def _node(block: _Block, closing: tuple[Any, ...]) -> syntax.Statement:
    bodies = {choice: tuple(body) for choice, body in block.parts}
    inside: tuple[Any, ...] = (bodies.get(None, ()),)
    match block.kind:
        case "if":
            return _branches(block)
        case "record":
            inside = (tuple(map(_component, inside[0])),)
        case "module":
            return syntax.Module(*block.clause.parts, *inside, at=block.clause.at)
        case kind if kind in ROUTINES:
            name, parameters, result, *local = block.clause.parts
            handlers = tuple(node for choice, body in block.parts if choice is not None for node in body)
            parts = kind, name, parameters, result, *inside, handlers, *local
            return syntax.Unit(*parts, at=block.clause.at)
        case "repeat":
            inside = *inside, *closing
        case "case":
            choices = tuple((choice, tuple(body)) for choice, body in block.parts if isinstance(choice, tuple))
            inside = choices, bodies.get("fallback", ())
    made = BLOCKS.get(block.kind, partial(syntax.StatementGroup, block.kind))
    return made(*block.clause.parts, *inside, at=block.clause.at)


def _branches(block: _Block) -> syntax.If:
    """IF with all its branches: what stands in ELSEIF is an IF in the ELSE of the one before."""
    otherwise: syntax.Statements = ()
    for choice, body in reversed(block.parts[1:]):
        if isinstance(choice, Clause):
            otherwise = (syntax.If(choice.parts[0], tuple(body), otherwise, at=choice.at),)
        else:
            otherwise = tuple(body)
    return syntax.If(block.clause.parts[0], tuple(block.parts[0][1]), otherwise, at=block.clause.at)


def _component(node: syntax.Statement) -> syntax.Statement:
    """``num x;`` in a record, which looks like a call, declares a part."""
    if isinstance(node, syntax.UnitCall) and len(node.arguments) == 1 and isinstance(node.arguments[0], syntax.Name):
        return syntax.Declare(node.unit.lower(), node.arguments[0].name, at=node.at)
    return node
