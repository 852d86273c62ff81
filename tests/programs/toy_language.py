"""A robot language as a newcomer would write it first: ``GO 10 20 30 AT 50 SOFTLY 80``, in degrees and percent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import radians

from torsor.motion import Timing
from torsor.motion.commands import Joints, Move, Pace
from torsor.programs.language import ClauseText, Form, Language, Lowering
from torsor.programs.rewriting import rounded_down

GRAMMAR = r"""
start: clause?
?clause: instruction
instruction: INSTRUCTION operands? option*
operands: (NUMBER | COMMA)+
option: OPTION operands
INSTRUCTION.3: /go(?!\w)/i
OPTION.3: /(at|softly)(?!\w)/i
COMMA: ","
NUMBER: /[+-]?[0-9]+(\.[0-9]*)?/
%ignore " "
"""


PACES = {"at": ("number",), "softly": ("number",)}
FORMS = {"GO": Form("go", ("number",), repeat=True, options=PACES, example="GO 10 20 AT 50 SOFTLY 80")}


@dataclass(frozen=True)
class Open:
    faster: float = 1.0


class ToyLowering(Lowering):
    def __init__(self, opened):
        self.opened = opened

    def go(self, node, *operands, **options):
        at, softly = (options.get(word, [100.0])[0] / 100.0 for word in ("at", "softly"))
        pace = Pace(share=self.opened.faster * at, acceleration_share=softly)
        target = Joints(tuple(radians(angle) for angle in operands))
        return [Move("joint", target, self.interpreter.place(node), pace=pace)]

    def finish(self):
        return iter(())


class Toy(Language):
    name = "Toy"
    suffixes = (".toy",)
    grammar = GRAMMAR
    forms = FORMS

    def cut(self, source):
        for number, line in enumerate(source.lines, start=1):
            if line.strip():
                yield ClauseText(line, (number, 1))

    def recognises(self, text):
        return text.upper().startswith("GO ")

    def lowering(self, program, options):
        return ToyLowering(self.chosen(Open(), options))

    def timing(self, program):
        return Timing("quintic")

    def repace(self, lines, move, factor, tool):
        at, softly = move.pace.share * factor.speed, move.pace.acceleration_share * factor.acceleration
        bare = re.sub(r"\s+(at|softly)\s.*", "", lines[move.place.line - 1], flags=re.IGNORECASE)
        lines[move.place.line - 1] = f"{bare} at {rounded_down(100 * at)} softly {rounded_down(100 * softly)}"
