"""What rules of Fanuc's grammar become that no other language has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.builder import Clause, Unreadable
from torsor.programs.misspelt import slip_of
from torsor.programs.project_builder import ProjectBuilder

if TYPE_CHECKING:
    from lark import Token

_PART = re.compile(r"\b([XYZWPR]|J[1-9]|E[1-6])\s*=\s*(-?[0-9]*\.?[0-9]+|\*+)\s*(mm|deg|grd)?", re.IGNORECASE)
_FRAMES = re.compile(r"U([FT])\s*:\s*([0-9]+)", re.IGNORECASE)
_CONFIG = re.compile(r"CONFIG\s*:\s*'([^']*)'", re.IGNORECASE)
ABORTING = ("ABORT", "ABBRUCH")
STATES = {"on": True, "an": True, "off": False, "aus": False}


class FanucBuilder(ProjectBuilder):
    def PLACE(self, token: Token) -> syntax.Declare | Clause:
        """A taught position: its first group is the arm."""
        text, at = str(token), self.at(token)
        first = re.split(r"GP[2-9]\s*:", text)[0]
        number = text[2 : text.index("]")]
        parts: dict[str, syntax.Expression] = {}
        for name, value, _ in _PART.findall(first):
            if "*" in value:  # never taught: whoever goes there is told that it is not known
                return Clause("statements")
            parts[name.lower()] = syntax.Number(float(value), at=at)
        for name, value in _FRAMES.findall(first):
            parts[f"u{name.lower()}"] = syntax.Number(float(value), at=at)
        if config := _CONFIG.search(first):
            parts["config"] = syntax.Text(config[1], at=at)
        value = syntax.Parts(tuple(parts), tuple(parts.values()), "", at=at)
        return syntax.Declare("", f"P[{number}]", value, storage="local", at=at)

    def position(self, items: list[Any]) -> syntax.Declare | Clause:
        declared: syntax.Declare | Clause = items[0]
        return declared

    def program(self, items: list[Any]) -> Clause:
        return Clause("unit", "def", (str(items[1]), (), "", False), at=self.begin)

    def close(self, items: list[Any]) -> Clause:
        return Clause("close", str(items[0]).upper(), at=self.begin)

    def state(self, items: list[Any]) -> syntax.Expression:
        word = str(items[0]).lower().rstrip("+-")
        if word in STATES:
            return syntax.Name("TRUE" if STATES[word] else "FALSE", at=self.at(items[0]))
        return syntax.Text(word, at=self.at(items[0]))

    def speed(self, items: list[Any]) -> tuple[Any, str]:
        return (None, str(items[0]).lower()) if len(items) == 1 else (items[0], str(items[1]).strip().lower())

    def rest(self, items: list[Any]) -> tuple[str, Any, str]:
        term, by, rest = items
        return "" if term is None else str(term).upper().replace(" ", ""), by, "" if rest is None else rest.value

    def _go(self, word: Any, points: list[Any], speed: Any, rest: tuple[str, Any, str]) -> syntax.UnitCall:
        term, by, options = rest
        at = self.at(word)
        texts = {"term": term, "rest": options}
        told = [syntax.Named(name, syntax.Text(text, at=at), at=at) for name, text in texts.items()]
        if speed is not None:
            told.append(syntax.Named("unit", syntax.Text(speed[1], at=at), at=at))
            if speed[0] is not None:
                told.append(syntax.Named("speed", speed[0], at=at))
        if by is not None:
            told.append(syntax.Named("by", by, at=at))
        return syntax.UnitCall(f"go {str(word).lower()}", (*points, *told), at=at)

    def assign(self, items: list[Any]) -> syntax.Assign:
        return syntax.Assign(items[0], items[2], at=items[0].at)

    def move(self, items: list[Any]) -> syntax.UnitCall:  # type: ignore[override]
        word, point, speed, rest = items
        return self._go(word, [point], speed, rest)

    def circle(self, items: list[Any]) -> syntax.UnitCall:
        word, via, point, speed, rest = items
        return self._go(word, [via, point], speed, rest)

    def pulse(self, items: list[Any]) -> syntax.NotRun:
        return syntax.NotRun("PULSE", at=items[0].at)

    def call(self, items: list[Any]) -> syntax.UnitCall:
        return syntax.UnitCall(str(items[0]), items[1] or (), at=self.at(items[0]))

    def call_of(self, items: list[Any]) -> syntax.LateCall:
        name = syntax.Name(str(items[0]), at=self.at(items[0]))
        return syntax.LateCall(syntax.Index(name, (items[1],), at=self.at(items[0])), (), at=self.begin)

    def started(self, items: list[Any]) -> syntax.NotRun:
        return syntax.NotRun("RUN", at=self.begin)

    def label(self, items: list[Any]) -> Any:
        return items[0]

    def _named(self, node: Any) -> str:
        if isinstance(node, syntax.Number):
            return f"LBL[{node.value:g}]"
        raise Unreadable(self.begin, "a label has a number", "LBL[1]")

    def jump(self, items: list[Any]) -> syntax.Goto | syntax.NotRun:
        if not isinstance(items[0], syntax.Number):
            return syntax.NotRun("JMP", at=self.begin)
        return syntax.Goto(self._named(items[0]), at=self.begin)

    def macro(self, items: list[Any]) -> syntax.UnitCall:
        """A line without a word of the language: one of the shop's macros, or a slip of the pen."""
        words = str(items[0]).split()
        first = re.split(r"\W", words[0])[0]
        if meant := slip_of(first, self.language.keywords, family=False):
            raise Unreadable(self.begin, f"there is no instruction {first!r}", f"did you mean {meant!r}?")
        return syntax.UnitCall(" ".join(words), (), at=self.begin)

    def labelled(self, items: list[Any]) -> syntax.Label:
        return syntax.Label(self._named(items[0]), at=self.begin)

    def go_if(self, items: list[Any]) -> syntax.If:  # type: ignore[override]
        return syntax.If(items[0], (items[1],), at=self.begin)

    def loop(self, items: list[Any]) -> Clause:
        variable, _, start, way, stop = items
        step = syntax.Number(-1.0, at=self.begin) if str(way).upper() == "DOWNTO" else None
        return Clause("for", parts=(variable, start, stop, step), at=self.begin)

    def wait_time(self, items: list[Any]) -> syntax.UnitCall:
        return syntax.UnitCall("wait time", (items[0],), at=self.begin)

    def wait_for(self, items: list[Any]) -> syntax.UnitCall:
        base = syntax.base(items[0])
        if isinstance(items[0], syntax.Index) and base is not None and base.name.upper() == "R":  # so many seconds
            return self.wait_time(items)
        return syntax.UnitCall("wait for", (items[0],), at=self.begin)

    def halt(self, items: list[Any]) -> syntax.Statement:  # type: ignore[override]
        """END goes back to the program that called this one; ABORT ends all."""
        word = str(items[0]).upper()
        return syntax.Halt(word, at=self.begin) if word in ABORTING else syntax.Return(at=self.begin)

    def not_run(self, items: list[Any]) -> syntax.NotRun:
        words = re.split(r"[\s\[(]", str(items[0]))
        return syntax.NotRun(words[0].upper(), at=self.begin)
