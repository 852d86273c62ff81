"""How KRL writes pace: in what stands behind WITH, else as settings before the move, and behind it as they were."""

from __future__ import annotations

import re

from torsor.motion.commands import Move
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.rewriting import rounded_down
from torsor.programs.written_arguments import spans, times

_WITHIN = re.compile(r"(SVEL_(?:JOINT|CP)\s*\()\s*([^,()]+)", re.IGNORECASE)
_WITH = re.compile(r"\bWITH\b", re.IGNORECASE)
_ENDS = re.compile(r"\s*(\bC_(SPL|DIS|ORI|VEL|PTP)\b|;|$)", re.IGNORECASE)
_AXES = {"speed": "$VEL_AXIS[", "acceleration": "$ACC_AXIS["}
_PATH = {"speed": "$VEL.CP", "acceleration": "$ACC.CP"}
_WHOLE = {"speed": "$VEL", "acceleration": "$ACC"}


def repace(lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
    k = move.place.line - 1
    blank = lines[k][: len(lines[k]) - len(lines[k].lstrip())]
    pace, before, behind = move.pace, [], []
    joint = move.kind == "joint"
    if factor.speed != 1.0:
        if _WITHIN.search(lines[k]):
            lines[k] = _WITHIN.sub(lambda found: found[1] + times(found[2], factor.speed), lines[k])
        elif (changed := _behind_with(lines[k], "speed", factor.speed, None if joint else pace.speed)) is not None:
            lines[k] = changed
        elif joint:
            old = 100.0 * (1.0 if pace.share is None else pace.share)
            before.append(f"BAS(#VEL_PTP,{rounded_down(old * factor.speed)})")
            behind.append(f"BAS(#VEL_PTP,{old:.6g})")
        elif pace.speed is not None or tool is not None:
            speed = pace.speed if pace.speed is not None else tool.speed / factor.speed  # type: ignore[union-attr]
            before.append(f"$VEL.CP={rounded_down(speed * factor.speed)}")
            behind += [f"$VEL.CP={speed:.6g}"] if pace.speed is not None else []
    if factor.acceleration != 1.0:
        asked = None if joint else pace.acceleration
        if (changed := _behind_with(lines[k], "acceleration", factor.acceleration, asked)) is not None:
            lines[k] = changed
        elif joint:
            old = 100.0 * (1.0 if pace.acceleration_share is None else pace.acceleration_share)
            before.append(f"BAS(#ACC_PTP,{rounded_down(old * factor.acceleration)})")
            behind.append(f"BAS(#ACC_PTP,{old:.6g})")
        elif pace.acceleration is not None:
            before.append(f"$ACC.CP={rounded_down(pace.acceleration * factor.acceleration)}")
            behind.append(f"$ACC.CP={pace.acceleration:.6g}")
        elif tool is not None:
            before.append(f"$ACC.CP={rounded_down(tool.acceleration)}")
    lines[k : k + 1] = [f"{blank}{line}" for line in before] + [lines[k]] + [f"{blank}{line}" for line in behind]


def _behind_with(line: str, what: str, factor: float, asked: float | None) -> str | None:
    """The line with what stands behind WITH changed, which holds before all settings; None where it says nothing.

    ``asked``: of a path, what comes of all that is said there.
    """
    word = _WITH.search(line)
    ends = _ENDS.search(line, word.end()) if word else None
    if word is None or ends is None:
        return None
    begin, end = word.end(), ends.start()
    items = [line[a:b] for a, b in spans(line, begin, end)]
    names = [item.partition("=")[0].strip().upper() for item in items]
    own = [k for k, name in enumerate(names) if name.startswith(_AXES[what] if asked is None else _PATH[what])]
    if own:
        for k in own:
            head, _, value = items[k].partition("=")
            items[k] = f"{head}={times(value, factor)}"
    elif asked is not None and _WHOLE[what] in names:
        items.append(f" {_PATH[what]}={rounded_down(asked * factor)}")
    else:
        return None
    return line[:begin] + ",".join(items) + line[end:]
