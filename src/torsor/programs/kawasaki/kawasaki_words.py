"""Instructions of AS: how each is written, and which method carries it out."""

from __future__ import annotations

from torsor.programs.language import Form

_PACE = dict.fromkeys(("always", "mm_s", "mm_min", "m_min", "deg_s", "s", "fine"), "any")
_TILL = {"till": "any", "lvsync": "any"}


def _moves(method: str, least: int, most: int, example: str) -> Form:
    return Form(method, ("any",) * most, least, options=_TILL, example=example)


FORMS = {
    **{word: _moves("move", 1, 2, f"{word} p") for word in ("jmove", "lmove", "hmove", "xmove", "move", "moves")},
    "c1move": _moves("move_through", 1, 1, "C1MOVE p"),
    "c2move": _moves("move_circle", 1, 1, "C2MOVE p"),
    **{word: _moves("move_approach", 2, 3, f"{word} p, 100") for word in ("jappro", "lappro")},
    **{word: _moves("move_depart", 1, 2, f"{word} 100") for word in ("jdepart", "ldepart")},
    **{word: Form("move_draw", ("any",) * 7, 1, gaps=True, example=f"{word} x, y, z") for word in ("draw", "tdraw")},
    "drive": Form("move_drive", ("any",) * 3, 2, example="DRIVE 2, -10, 75"),
    "home": Form("move_home", ("any",), 0, example="HOME"),
    "home2": Form("move_home", ("any",), 0, example="HOME2"),
    "align": Form("move_align", (), 0, example="ALIGN"),
    **{word: Form("move_step", ("any", "any"), example=f"{word} SPEED9 ACCU1 ... #[...]")
       for word in ("joint", "linear", "flin", "cir1", "cir2")},
    "speed": Form("speed", ("any",), 0, options=_PACE, example="SPEED 50 MM/S ALWAYS"),
    "accuracy": Form("near", ("any",), 0, options=_PACE, example="ACCURACY 10 ALWAYS"),
    "accel": Form("accelerate", ("any",), 0, options=_PACE, example="ACCEL 80 ALWAYS"),
    "decel": Form("accelerate", ("any",), 0, options=_PACE, example="DECEL 80 ALWAYS"),
    "break": Form("stop_here", ("any",), 0),
    "twait": Form("wait_time", ("any",), 1, example="TWAIT 0.5"),
    "delay": Form("wait_time", ("any",), 1, example="DELAY 0.5"),
    "stable": Form("wait_time", ("any",), 1, example="STABLE 0.2"),
    "swait": Form("wait_signal", ("any",), 1, repeat=True, example="SWAIT 1001, -1002"),
    "wait": Form("wait_for", ("unread",), 1, example="WAIT SIG(1001)"),
    "pause": Form("event", ("any",), 0),
    "signal": Form("signal", ("any",), 1, repeat=True, example="SIGNAL 1, -2"),
    "pulse": Form("event", ("any",) * 2, 1, example="PULSE 5, 0.5"),
    "reset": Form("event", ("any",), 0),
    "set timer": Form("set_timer", ("any", "any"), example="TIMER 1 = 0"),
    "set bits": Form("set_bits", ("any",) * 3, example="BITS 1, 8 = 17"),
    "tool": Form("mount", ("any",) * 2, 0, example="TOOL t"),
    "base": Form("rebase", ("any",) * 2, 0, example="BASE b"),
    "weight": Form("load", ("any",) * 7, 0, gaps=True, example="WEIGHT 5, 0, 0, 100"),
    **{word: Form("hand", ("any",), 0) for word in ("open", "openi", "close", "closei", "relax", "relaxi")},
    **{word: Form("event", ("any",), 0, repeat=True, gaps=True) for word in ("print", "type", "ty")},
    **{word: Form("passed_over", ("any",), 0) for word in
       ("above", "below", "righty", "lefty", "uwrist", "dwrist", "mon_speed", "monspeed")},
}  # fmt: skip
_CONFIGURATION = "configurations are not planned: the arm takes the nearest"
SAID = {
    **dict.fromkeys(("above", "below", "righty", "lefty", "uwrist", "dwrist"), _CONFIGURATION),
    "mon_speed": "the monitor's speed is taken to be 100 %",
    "monspeed": "the monitor's speed is taken to be 100 %",
    **dict.fromkeys(("on", "oni", "one", "ignore"), "programs that signals or errors would start are not run"),
    "mc": "commands to the monitor are not run",
    "pcexecute": "other tasks are not run",
    "xmove": "a search ends at its target",
}
