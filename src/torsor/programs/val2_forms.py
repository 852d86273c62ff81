"""Instructions of VAL II: how each is written, and what it does here.

`NOTED` are read, so that programs of the books can be run, and a note says why nothing comes of them. The docs show
both tables; what VAL had before VAL II (``SETI``, ``IFSIG``, ``IF a EQ b THEN 10``) is not read.
"""

from __future__ import annotations

from torsor.programs.language import Form
from torsor.programs.val2_lowering import CONFIGURATIONS

_SPEED = dict.fromkeys(("always", "mmps", "ips", "monitor"), ())
_ENDS = "moves end where they are planned to end"
_OUTSIDE = "signals come from outside, at times that a plan does not know: the routine is not run"
_MOVED_PLACES = "the path is as the program has it: what would change it comes from outside"
_BELT = "conveyors do not move here: places on them stay where they are"
_TASKS = "one program runs: what would run beside it is left out"
NOTED = {
    **dict.fromkeys(("COARSE", "FINE", "NONULL", "NULL"), _ENDS),
    **dict.fromkeys(("INTON", "INTOFF"), "the integral part of the servos is none of a plan's"),
    **dict.fromkeys(("SINGLE", "MULTIPLE"), "joints take the turn that is nearest within their limits"),
    **dict.fromkeys(("REACT", "REACTI", "REACTE", "IGNORE", "LOCK"), _OUTSIDE),
    **dict.fromkeys(("ALTER", "NOALTER", "EXTERNAL", "INTERNAL"), _MOVED_PLACES),
    **dict.fromkeys(("WINDOW", "SETBELT"), _BELT),
    **dict.fromkeys(("RUNSIG", "OVERLAP", "NOOVERLAP"), "it changes no motion"),
    **dict.fromkeys(("SET.EVENT", "CLEAR.EVENT", "WAIT.EVENT"), _TASKS),
    **dict.fromkeys(("MC", "MCS", "DOS"), "what is typed to the monitor is left out"),
    **dict.fromkeys(("SELECT", "KEYMODE"), "there is one arm and nobody at its pendant"),
    **dict.fromkeys(("PCEXECUTE", "PCABORT", "PCEND", "PCPROCEED", "PCRETRY", "EXECUTE", "ABORT"), _TASKS),
    **dict.fromkeys(("ATTACH", "DETACH", "CALIBRATE"), "there is one arm, which is ready"),
    **dict.fromkeys(("IOPUT", "WRITE", "FOPENR", "FOPENW", "FOPENA", "FCLOSE", "FDELETE"), "devices are left out"),
    "BRAKE": "the motion before it is taken to its end: when it would be stopped comes from outside",
    "GRASP": "the hand is taken to hold what it closes on: the label behind it is never gone to",
}
# of those, what does something beside
_ACTING = {
    "BRAKE": Form("stop_here"),
    "GRASP": Form("grasp", ("number", "number"), required=1, example="GRASP 12.7, 120"),
}
PLAIN = tuple(word for word in NOTED if word not in _ACTING)  # of which nothing is computed
MOVING = (
    "MOVE",
    "MOVES",
    "MOVET",
    "MOVEST",
    "APPRO",
    "APPROS",
    "DEPART",
    "DEPARTS",
    "DRAW",
    "DRIVE",
    "ALIGN",
    "READY",
    "NEST",
)
FORMS = {
    "START": Form("start", ("target",), example="START p"),
    **{word: Form("move", ("target",), options={"via": ("target",)}, example=f"{word} p VIA a b")
       for word in ("MOVE", "MOVES")},
    **{word: Form("move_hand", ("target", "number"), example=f"{word} p, opening") for word in ("MOVET", "MOVEST")},
    **{word: Form("approach", ("target", "number"), example=f"{word} p, distance") for word in ("APPRO", "APPROS")},
    **{word: Form("depart", ("number",), example=f"{word} distance") for word in ("DEPART", "DEPARTS")},
    "DRAW": Form("draw", ("number",) * 3, required=0, gaps=True, example="DRAW dx, dy, dz"),
    "DRIVE": Form("drive", ("number",) * 3, example="DRIVE joint, degrees, speed"),
    "ALIGN": Form("align"),
    "READY": Form("ready"),
    "NEST": Form("ready"),
    "SPEED": Form("speed", ("number",), options=_SPEED, example="SPEED 50 ALWAYS"),
    "ACCEL": Form("accelerate", ("number", "number"), required=1, gaps=True, example="ACCEL 80, 60"),
    "DURATION": Form("duration", ("number",), options={"always": ()}, example="DURATION 2.5"),
    "BREAK": Form("stop_here"),
    "DELAY": Form("delay", ("number",), example="DELAY 0.5"),
    "PAUSE": Form("delay", ("number",), required=0, example="PAUSE 1.5"),
    **{word: Form("hand_now", ("number",), required=0, example=word) for word in ("OPENI", "CLOSEI", "RELAXI")},
    **{word: Form("hand_next", ("number",), required=0, example=word) for word in ("OPEN", "CLOSE", "RELAX")},
    "PAYLOAD": Form("payload", ("number",) * 4, required=1, gaps=True, example="PAYLOAD mass, x, y, z"),
    "TOOL": Form("mount", ("location",), required=0, example="TOOL t"),
    "BASE": Form("rebase", ("number",) * 4, required=0, gaps=True, example="BASE dx, dy, dz, angle"),
    "UNITS": Form("setting", ("word",), example="UNITS MM"),
    "ANGLES": Form("setting", ("word",), example="ANGLES OAT"),
    "ENABLE": Form("switch", ("word",), example="ENABLE CP"),
    "DISABLE": Form("switch", ("word",), example="DISABLE CP"),
    **{word: Form("path_switch", options={"always": ()}, example=f"{word} ALWAYS") for word in ("CPON", "CPOFF")},
    "PARAMETER": Form("parameter", ("phrase", "number"), example="PARAMETER HAND.TIME = 0.5"),
    "POINT": Form("point", ("new target", "number"), required=2, repeat=True, example="POINT p x y z phi theta psi"),
    "SET": Form("set", ("new target", "target"), example="SET p = a:b"),
    "DEFBELT": Form("define_belt", ("new target", "target", "number"), required=2, repeat=True,
                    example="DEFBELT %b = p, 1, 0, 0.1"),
    "READ": Form("read_device", ("number", "new any"), required=1, repeat=True, example="READ (5) x"),
    "DECOMPOSE": Form("decompose", ("new any", "target"), example="DECOMPOSE x[1] = p"),
    "HERE": Form("keep_here", ("new target",), example="HERE p"),
    "LOCAL": Form("local", ("new any",), repeat=True, example="LOCAL a, b"),
    "AUTO": Form("local", ("new any",), repeat=True, example="AUTO a, b"),
    "GLOBAL": Form("nothing", ("phrase",), repeat=True, example="GLOBAL a, b"),
    "SIGNAL": Form("signal", ("number",), repeat=True, example="SIGNAL 3, -4"),
    "BITS": Form("set_bits", ("number",) * 3, required=2, example="BITS first, count = value"),
    "RESET": Form("reset"),
    "WAIT": Form("wait", ("condition",), required=0, example="WAIT SIG(1001)"),
    "TIMER": Form("set_timer", ("number", "number"), example="TIMER 1 = 0"),
    "TYPE": Form("type", ("any",), required=0, repeat=True, example='TYPE "text", x'),
    "PROMPT": Form("prompt", ("text", "new any"), required=1, repeat=True, example='PROMPT "text", x'),
    **{word: Form("configure", ("word",), required=0, example=word) for word in CONFIGURATIONS},
    **dict.fromkeys(NOTED, Form("nothing", ("phrase",), required=0)),
    **_ACTING,
}  # fmt: skip


def statements() -> list[tuple[str, str]]:
    """Every instruction as it is written, and what becomes of it; words around blocks are the grammar's."""
    return sorted((form.example or word, NOTED.get(word, "runs")) for word, form in FORMS.items())
