"""From clauses to a tree: blocks are matched on a stack, so that one slip gives one message and reading goes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torsor.programs import syntax
from torsor.programs.builder import Clause, Unreadable
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.grammar import nearest, parse_clause
from torsor.programs.language import Language

DEEPEST = 50  # blocks within blocks
MOST_ERRORS = 100  # a file of another kind altogether need not be told of line by line


@dataclass(slots=True)
class _Block:
    kind: str
    clause: Clause
    body: list[syntax.Statement] = field(default_factory=list)  # the part being read
    done: list[tuple[Any, syntax.Statements]] = field(default_factory=list)  # earlier parts: (choice, body)
    choice: Any = None  # what the part being read belongs to: "then", "else", values, "fallback"


def read_tree(language: Language, source: ProgramText) -> syntax.SyntaxTree:
    """The tree of a program. What cannot be read is left out of it and said in ``source.found``."""
    reader = _Reader(language, source)
    for piece in language.cut(source):
        try:
            clause = parse_clause(language, piece.text, piece.begin)
            if clause is not None:
                reader.take(clause)
        except Unreadable as problem:
            source.error(problem.at, problem.problem, problem.hint)
            if sum(found.severity == "error" for found in source.found) >= MOST_ERRORS:
                source.error(piece.begin, f"{MOST_ERRORS} errors so far; the rest is not read")
                break
    return reader.finish()


class _Reader:
    def __init__(self, language: Language, source: ProgramText) -> None:
        self.language = language
        self.source = source
        self.stack = [_Block("file", Clause("file", (1, 1)))]

    @property
    def top(self) -> _Block:
        return self.stack[-1]

    def take(self, clause: Clause) -> None:
        if clause.label is not None:
            self.top.body.append(clause.label)
        match clause.kind:
            case "blank":
                pass
            case "statement":
                self.top.body.append(clause.parts[0])
            case "declare":
                self.top.body.extend(clause.parts)
            case "entry":
                self._entry(clause)
            case "if" | "for" | "while" | "repeat" | "case" | "section" | "record":
                self._open(clause)
            case "unit":
                self._open_unit(clause)
            case "else":
                self._middle(clause, "if", "else")
            case "choice":
                self._middle(clause, "case", clause.parts)
            case "fallback":
                self._middle(clause, "case", "fallback")
            case "until":
                self._close(clause, ("repeat",))
            case "close":
                self._close_word(clause)

    def finish(self) -> syntax.SyntaxTree:
        while len(self.stack) > 1:
            self._unclosed(self.top)
            self._pop(None)
        return syntax.SyntaxTree(tuple(self.top.body))

    def _entry(self, clause: Clause) -> None:
        if self.top.kind == ".LOCATIONS":
            self.top.body.append(clause.parts[0])
            return
        hint = self.language.unknown_word(clause.word, "") or "points are written POINT name x y z ..."
        raise Unreadable(clause.at, f"there is no instruction {clause.word!r}", hint)

    def _open(self, clause: Clause) -> None:
        if len(self.stack) > DEEPEST:
            raise Unreadable(clause.at, f"blocks nested deeper than {DEEPEST}", "put the inner ones into a subroutine")
        kind = clause.word if clause.kind == "section" else clause.kind
        block = _Block(kind, clause)
        if kind == "if":
            block.choice = "then"
        self.stack.append(block)

    def _open_unit(self, clause: Clause) -> None:
        inner = next((block for block in self.stack[1:] if block.kind == clause.word), None)
        if inner is not None or clause.word != "program":  # a unit ends what was left open before it
            while self.top.kind not in ("file", "program") or self.top is inner:
                self._unclosed(self.top)
                self._pop(None)
        self.stack.append(_Block(clause.word, clause))

    def _middle(self, clause: Clause, kind: str, choice: Any) -> None:
        word = clause.word or "a choice"
        if self.top.kind != kind:
            raise Unreadable(clause.at, f"{word} stands outside of {kind.upper()}", self._open_hint())
        if kind == "if" and self.top.choice == "else":
            raise Unreadable(clause.at, f"a second {word} in one {kind.upper()}", "one is allowed")
        if kind == "case" and self.top.choice == "fallback":
            raise Unreadable(clause.at, "a choice after the one for all other values", "it is the last one")
        if kind == "case" and self.top.choice is None and self.top.body:
            self.source.error(self.top.body[0].at, "a statement before the first choice", "choices come first")
        self.top.done.append((self.top.choice, tuple(self.top.body)))
        self.top.body, self.top.choice = [], choice

    def _open_hint(self) -> str | None:
        if self.top.kind == "file":
            return None
        return f"the open block is {self.top.kind.upper()} of line {self.top.clause.at[0]}"

    def _close_word(self, clause: Clause) -> None:
        kinds = self.language.closes.get(clause.word)
        if kinds is None:
            hint = nearest(clause.word, list(self.language.closes))
            raise Unreadable(clause.at, f"there is no word {clause.word!r}", hint)
        self._close(clause, kinds)

    def _close(self, clause: Clause, kinds: tuple[str, ...]) -> None:
        if not any(block.kind in kinds for block in self.stack):
            raise Unreadable(clause.at, f"{clause.word} closes nothing", self._open_hint())
        while self.top.kind not in kinds:
            self._unclosed(self.top)
            self._pop(None)
        self._pop(clause)

    def _unclosed(self, block: _Block) -> None:
        language = self.language
        words = [word for word, kinds in language.closes.items() if block.kind in kinds]
        closer = "until" if block.kind == "repeat" else words[0] if words else "its end"
        closer = closer if language.lower_case else closer.upper()
        kind = language.style.opening[block.kind].split()[0]
        at = block.clause.at
        if block.kind in language.forgiven:
            self.source.warn(at, f"{kind} is never closed by {closer}", language.forgiven[block.kind])
        else:
            self.source.error(at, f"{kind} is never closed", f"add {closer}")

    def _pop(self, closing: Clause | None) -> None:
        block = self.stack.pop()
        node = _node(block, closing)
        if node is not None:
            self.top.body.append(node)


def _node(block: _Block, closing: Clause | None) -> syntax.Statement | None:
    at: At = block.clause.at
    parts = block.clause.parts
    body = tuple(block.body)
    sections = [*block.done, (block.choice, body)]
    match block.kind:
        case "if":
            return syntax.If(parts[0], sections[0][1], sections[1][1] if len(sections) > 1 else (), at)
        case "for":
            return syntax.For(parts[0], parts[1], parts[2], parts[3], body, at)
        case "while":
            return syntax.While(parts[0], body, at)
        case "repeat":
            return syntax.Repeat(body, closing.parts[0] if closing else syntax.Number(1.0, at), at)
        case "case":
            choices = tuple((choice, part) for choice, part in sections if choice not in (None, "fallback"))
            fallback = next((part for choice, part in sections if choice == "fallback"), ())
            return syntax.Case(parts[0], choices, fallback, at)
        case "record":
            return syntax.RecordType(parts[0], body, at)
        case "program" | "procedure" | "function":
            name, parameters, result = parts
            return syntax.Unit(block.kind, name, parameters, result, body, at)
        case _:
            return syntax.Section(block.kind, body, at)
