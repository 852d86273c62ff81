"""Signals, timers and waits of AS, and the move that is held back until it is known whether it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torsor.motion import commands
from torsor.motion.commands import Blend, Command, Move
from torsor.programs import syntax
from torsor.programs.project_language import ProjectLowering
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Value, Wrong

Commands = Sequence[Command]
FIRST_INPUT, FIRST_INTERNAL = 1001, 2001  # numbers of signals: outputs are below, internal ones from 2001 on
READING = 1.0  # s from one reading of a timer to the next


class KawasakiSignals(ProjectLowering):
    def __init__(self, wait_seconds: float) -> None:
        self.wait_seconds = wait_seconds
        self.held: Move | None = None  # a move of which BREAK may still say that it ends
        self.signals: dict[int, bool] = {}
        self.timers: dict[int, float] = {}

    def _flowing(self) -> list[Command]:
        held, self.held = self.held, None
        return [] if held is None else [held]

    def _stopped(self) -> list[Command]:
        """What is held back, which ends where it is to end."""
        return [replace(each, blend=Blend()) if isinstance(each, Move) else each for each in self._flowing()]

    # Time
    def wait_time(self, node: RobotInstruction, seconds: Value = 0.0) -> Commands:
        time = number(seconds)
        rest = [commands.Dwell(time, self.interpreter.place(node))] if time > 0.0 else []
        return [*self._stopped(), *rest]

    def wait_signal(self, node: RobotInstruction, *numbers: Value) -> Commands:
        for each in numbers:
            signal = round(number(each))
            if isinstance(each, Absent):  # which one it is is not known, nor whether it is to be off
                self.interpreter.wait(node.at, f"SIG({each.name})", True)
            elif signal and self.signals.get(abs(signal)) is not (signal > 0):
                self.interpreter.wait(node.at, f"SIG({abs(signal)})", signal > 0)
        return self._waited(node)

    def wait_for(self, node: RobotInstruction, condition: syntax.Expression) -> Commands:
        self.interpreter.assume(node.at, f"wait {node.at}", "the condition of this wait is taken to become true")
        return self._waited(node)

    def _waited(self, node: RobotInstruction) -> Commands:
        rest = self.wait_seconds
        return [*self._stopped(), *([commands.Dwell(rest, self.interpreter.place(node))] if rest else [])]

    def set_timer(self, node: RobotInstruction, timer: Value, value: Value) -> Commands:
        self.timers[round(number(timer))] = number(value)
        return ()

    def timer(self, which: float) -> float:
        """How much time has passed is not known before the motions are timed."""
        text = f"TIMER({which:g}) is taken to be {READING:g} s later each time that it is read"
        self.interpreter.assume(self.interpreter.now, f"timer {which:g}", text)
        now = self.timers.get(round(which), 0.0)
        self.timers[round(which)] = now + READING
        return now

    # Signals
    def signal(self, node: RobotInstruction, *numbers: Value) -> Commands:
        known = [round(number(each)) for each in numbers if isinstance(each, float)]
        self.signals |= {abs(each): each > 0 for each in known if each}
        return self._event(node, f"{node.word} {', '.join(map(str, known))}")

    def set_bits(self, node: RobotInstruction, first: Value, count: Value, value: Value) -> Commands:
        begin, many = round(number(first)), min(max(round(number(count)), 1), 32)
        whole = max(round(number(value)), 0)
        self.signals |= {begin + k: bool(whole >> k & 1) for k in range(many)}
        return self._event(node, f"BITS {begin}, {many} = {whole}")

    def _event(self, node: RobotInstruction, text: str) -> Commands:
        return [*self._flowing(), commands.Signal(text, self.interpreter.place(node))]

    def is_on(self, numbers: Sequence[Value]) -> Value:
        return all(
            self._asked(f"SIG({each.name})") if isinstance(each, Absent) else self._is_on(abs(signal)) is (signal > 0)
            for each in numbers
            if (signal := round(number(each))) or isinstance(each, Absent)
        )

    def _is_on(self, signal: int) -> bool:
        if signal in self.signals and not FIRST_INPUT <= signal < FIRST_INTERNAL:
            return self.signals[signal]
        if signal >= FIRST_INTERNAL and not self.interpreter.world.knows(f"SIG({signal})"):
            return self.signals.get(signal, False)
        return self._asked(f"SIG({signal})")

    def _asked(self, name: str) -> bool:
        told = self.interpreter.ask(self.interpreter.now, name, False)
        return told is True or (isinstance(told, float) and told != 0.0)

    def bits_of(self, first: Value, count: Value = 1.0) -> Value:
        begin, many = round(number(first)), min(max(round(number(count)), 1), 32)
        return float(sum(self._is_on(begin + k) << k for k in range(many)))

    def event(self, node: RobotInstruction, *given: Any, **options: Any) -> Commands:
        return self._event(node, node.word)


def number(value: Any) -> float:
    if isinstance(value, Absent) or value is None:
        return 0.0
    if isinstance(value, float | int):
        return float(value)
    raise Wrong("a number is needed here")
