"""Endless loops of projects: as `rounds` finds them, and loops that only wait for the world, which are left."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from torsor.programs import flow, syntax, values
from torsor.programs.diagnostics import At, ProgramError
from torsor.programs.forks import hanging_names, hangs, sources
from torsor.programs.memory import CallFrame
from torsor.programs.needed import condition_of, data_in
from torsor.programs.printer import text_of
from torsor.programs.project_loop_ends import LoopEnds
from torsor.programs.rounds import MOST_LOOKS, Effects, Lap, content
from torsor.programs.values import Absent, Value, Wrong

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun


MOST_WAITS = 300  # rounds of a loop that has not moved, and cannot end or asks the world every time; or only streams
MOST_ROUNDS = 100  # of a loop that is written as if it had no end, and of which that is not proved
MOST_ANSWERED = 3  # of a loop that moves until the world answers otherwise, and keeps the answer in a name
MOST_UNTOLD = 10  # of a loop that moves and whose end hangs on what no file tells
MOST_COUNTED = 1000  # of such a loop, where something that it tests changes: it mostly counts to an end of its own
MOST_LINES = 6  # that are named


def _settled(value: Value) -> Value:
    return False if isinstance(value, Absent) else value


def _never(_: syntax.Statement) -> bool:
    return False


class ProjectRounds(LoopEnds):
    run: ProjectRun

    def __init__(self, run: ProjectRun, cycles: int) -> None:
        super().__init__(run, cycles)
        self.released: int | None = None  # the step behind a loop that was left
        self.over: dict[tuple[int, int], int] = {}  # tests of loops whose waits are over, and where they lead to

    def enter(self, frame: CallFrame, head: int) -> None:
        frame.laps[head] = Lap(self._moved(), given=self.moves)

    def again(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        lap = self._gone_round(frame, jump, head)
        if lap is None:
            return False
        moved = self._moved() != lap.moves
        if lap.endless and not moved and lap.count >= MOST_WAITS:  # proved, and only counting goes on
            self._waits(frame, jump, head)
            return False
        if (
            not moved
            and lap.count >= MOST_WAITS
            and (self._asks(frame, jump, head) or self._is_untold(frame, jump, head))
        ):
            self._waits(frame, jump, head)
            return False
        if not (lap.endless and moved) and self._as_before(frame, jump, head, lap):
            if not moved:
                self._waits(frame, jump, head)
                return False
            if (way := self._by_others(frame, jump, head)) is not None:
                self._say_it_is_left(self._begin(frame, jump, head), lap)
                self.released = way
                return False
            lap.endless = True
        if not lap.endless and moved and self._was_long_enough(frame, jump, head, lap):
            self._say_it_is_left(self._begin(frame, jump, head), lap)
            self.released = frame.code.steps.index(jump) + 1
            return False
        if not lap.endless and moved and lap.count >= MOST_ROUNDS and self._by_its_word(frame, jump, head):
            if self._is_led_out(frame, jump, head, lap):
                return False
            at = self._begin(frame, jump, head)
            self.run.assume(at, f"loop {at}", f"this loop has not ended after {lap.count} rounds: it is left")
            lap.endless = True
        streams = self.moves == lap.given and self.run.lowering.is_streaming
        if (
            not (lap.endless and moved)
            or lap.count < (MOST_WAITS if streams and not self.run.lowering.has_streamed else self.cycles)
            or not self.run.may_be_left()
        ):
            return False
        if (streams or not self._by_its_word(frame, jump, head)) and self._is_led_out(frame, jump, head, lap):
            return False
        self.left = self._begin(frame, jump, head), lap.count
        return True

    def _is_led_out(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, lap: Lap) -> bool:
        """Whether a loop has a way out that hangs on the world, which is gone then."""
        closing = frame.code.steps.index(jump)
        if self._by_its_word(frame, jump, head):
            ways = self._ways_out(frame.code, head, closing)
        else:
            ways = [(True, closing + 1)] if self._is_untold(frame, jump, head) else []
        if not ways or not ways[0][0]:
            return False
        self._say_it_is_left(self._begin(frame, jump, head), lap)
        self._lead_out(frame, jump, head, ways[0][1])
        return True

    def _lead_out(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, way: int) -> None:
        """Whatever looks ahead into this loop from one around it knows the way, too."""
        self.released = way
        test = head if isinstance(frame.code.steps[head], flow.Jump) else frame.code.steps.index(jump)
        self.over[id(frame.code), test] = way

    def _say_it_is_left(self, at: At, lap: Lap) -> None:
        rounds = f"{lap.count} round{'s' * (lap.count != 1)}"
        self.run.assume(at, f"loop {at}", f"no file tells when this loop ends: it is left after {rounds}")

    def _by_its_word(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        """Whether it is written as a loop without an end, which only something inside of it leaves."""
        step = frame.code.steps[head]
        condition = step.condition if isinstance(step, flow.Jump) and step.when is False else None
        names = (
            [each.name.lower() for each in syntax.walk(condition) if isinstance(each, syntax.Name)] if condition else []
        )
        return names == ["true"] or (isinstance(jump, flow.Jump) and jump.condition is None and condition is None)

    def _was_long_enough(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, lap: Lap) -> bool:
        """Whether a loop that moves, and of which no file tells when it ends, is to be left."""
        if isinstance(jump, flow.Next):
            return False
        if lap.count >= self.cycles and self._asks_whether_to_go_on(frame, jump, head):
            return True
        if lap.count not in (MOST_ANSWERED, MOST_UNTOLD, MOST_ROUNDS, MOST_COUNTED):
            return False
        counts = lap.saved is not None and lap.saved[0] != tuple(self._counted(frame, jump, head))
        if counts and lap.count < MOST_COUNTED:
            return False
        if lap.count == MOST_ANSWERED:
            answers = self._answers(frame, jump, head)
            return any(hangs(self.run, flow.asked(test), answers) for test in self._tests(frame, jump, head))
        if self._is_untold(frame, jump, head):
            return True
        inside = frame.code.steps[head : frame.code.steps.index(jump)]
        return lap.count >= MOST_ROUNDS and (
            any(self._is_nowhere(each) for each in inside)
            or self._is_decided_by(frame, jump, head, hanging_names(self.run))
        )

    def _waits(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> None:
        """A loop without motion in which all is as before: it waits, and the wait is fulfilled if it can be."""
        at, closing = self._begin(frame, jump, head), frame.code.steps.index(jump)
        if not self._by_its_word(frame, jump, head):
            ways = [closing + 1] if flow.reached(frame.code, head) - set(range(head, closing + 1)) else []
        else:
            ways = [begin for _, begin in self._ways_out(frame.code, head, closing)]
        if ways:
            self.run.assume(at, f"loop {at}", "the wait of this loop is taken to be over")
            self._say_what_is_not_run(at)
            self._lead_out(frame, jump, head, ways[0])
        elif self.run.may_be_left():
            what = "thread" if any(each.thread for each in self.run.frames) else "program"
            text = f"nothing moves in this loop, which never ends: the {what} is left here"
            if lines := self._lines_that_move(frame, head, closing):
                which = f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines[:MOST_LINES]))}"
                which += " and more" * (len(lines) > MOST_LINES)
                text += f"; what would move, in {which}, is not come to, or passed over"
            self.run.assume(at, f"loop {at}", text)
            self._say_what_is_not_run(at)
            self.run.stop()

    def _lines_that_move(self, frame: CallFrame, head: int, closing: int) -> list[int]:
        inside = (step.node for step in frame.code.steps[head : closing + 1] if isinstance(step, flow.Do))
        moving = (node.at for node in inside if self.run.language.moves_by(node, self.run.linked))
        return sorted({self.run.source.place(at).line for at in moving})

    def _say_what_is_not_run(self, at: At) -> None:
        """Of a program that has moved, and then waits for somebody: the condition that more moves stand behind."""
        run, loop = self.run, self._loop_at(at)
        if loop is None or not run.has_moved:  # one that has not moved says all that it would take
            return
        condition = condition_of((loop,), partial(run.language.moves_by, linked=run.linked), run.holds_now, _never)
        if condition is None or not (data := data_in(condition)):
            return
        told = sources(run, data)
        text = f"{text_of(run.language, condition)} does not hold in this loop: moves that stand behind it are not run"
        run.assume(condition.at, f"behind {condition.at}", text, f"--set {told[0]}=..." if told else "")

    def _ways_out(self, code: flow.UnitCode, head: int, closing: int) -> list[tuple[bool, int]]:
        """Where that begins which leaves a loop without an end; first (True) what stands behind a test of the world."""
        first = code.steps[head]
        tests_nothing = {head: head + 1} if isinstance(first, flow.Jump) and not first.when else {}
        found: list[tuple[bool, int]] = []
        for number in sorted(flow.reached(code, head, tests_nothing) & set(range(head, closing + 1))):
            step = code.steps[number]
            test, begin = flow.branch(code, number)
            if isinstance(step, flow.Jump) and number not in tests_nothing and not head <= step.to <= closing:
                if step.condition is not None:
                    test, begin = step, step.to
            elif not (isinstance(step, flow.Do) and isinstance(step.node, syntax.Return)):
                continue
            told = test is not None and hangs(self.run, flow.asked(test), hanging_names(self.run))
            found.append((told, begin if begin > head else number))
        return sorted(found, key=lambda one: not one[0])

    def _by_others(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> int | None:
        """Where it goes on behind a loop that the world would end, or a thread that is not run; None if none would."""
        told, closing = self.run.told_by_threads, frame.code.steps.index(jump)
        others = told | self._answers(frame, jump, head)
        if any(hangs(self.run, flow.asked(test), others) for test in self._tests(frame, jump, head)):
            return closing + 1
        if not told or not self._by_its_word(frame, jump, head):
            return None
        ways = (begin for _, begin in self._ways_out(frame.code, head, closing))
        return next(
            (
                way
                for way in ways
                if (test := flow.branch(frame.code, way)[0]) and hangs(self.run, flow.asked(test), told)
            ),
            None,
        )

    def _moved(self) -> int:
        return self.moves + self.run.lowering.moves_held_back()

    def _only_way(self, jump: flow.Jump, number: int, effects: Effects, frame: CallFrame) -> int | None:
        """As for all loops; what only the world tells is as it is, unless it tells several values."""
        condition = jump.condition
        if (id(frame.code), number) in self.over:
            return self.over[id(frame.code), number]
        if id(condition) in self.run.ways:
            return jump.to if self.run.ways[id(condition)] is jump.when else number + 1
        if condition is None or effects.names & frame.references:
            return None
        language = self.run.language
        for node in syntax.walk(condition):
            if isinstance(node, syntax.Name):
                key = language.key(node.name)
                given = effects.names | frame.references | self.run.told_by_threads
                if not self.run.is_fixed(node) or key in given:
                    return None
            elif isinstance(node, syntax.FunctionCall):
                function = language.functions.get(language.key(node.function))
                if function is None or not (function.told or function.changed_by == ()):
                    return None
        assumed = dict(self.run.assumed)  # it is only looked ahead: what is taken for granted there is not said yet
        try:
            holds = values.truth(_settled(self.run.evaluate(condition)))
        except (ProgramError, Wrong):
            return None
        finally:
            self.run.assumed = assumed
        return jump.to if holds is jump.when else number + 1

    def _as_before(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, lap: Lap) -> bool:
        counted = tuple(self._counted(frame, jump, head))
        changed = lap.saved is None or lap.saved[0] != counted
        if (changed and lap.count != lap.look_again) or self.looks >= MOST_LOOKS:
            return False
        self.looks += 1
        try:
            now = counted, content(self._remembered(frame))
        except TypeError:
            return False
        same: bool = now == lap.saved
        if lap.count == lap.look_again:
            lap.saved, lap.look_again = now, 2 * lap.count
        return same

    def _remembered(self, frame: CallFrame) -> Any:
        run = self.run
        cells = [(id(cell), cell.value) for cell in run.written.values()]
        local = {} if frame.cells is run.cells else {name: cell.value for name, cell in frame.cells.items()}
        return [cells, local, frame.loops, run.lowering.remembered(), run.world.used]
