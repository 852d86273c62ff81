"""How KRL writes pace: in what stands behind WITH, else as settings before the move, and behind it as they were."""

from __future__ import annotations

import re

from torsor.motion.commands import Move
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.rewriting import rounded_down
from torsor.programs.written_arguments import times

_WITHIN = re.compile(r"(SVEL_(?:JOINT|CP)\s*\()\s*([^,()]+)", re.IGNORECASE)
_ACCELERATION = re.compile(r"(\$ACC_AXIS\[1\]\s*=\s*)(SACC_JOINT\([^()]*\)|[\d.]+)", re.IGNORECASE)


def repace(lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
    k = move.place.line - 1
    blank = lines[k][: len(lines[k]) - len(lines[k].lstrip())]
    pace, before, behind = move.pace, [], []
    joint = move.kind == "joint"
    if factor.speed != 1.0:
        if _WITHIN.search(lines[k]):
            lines[k] = _WITHIN.sub(lambda found: found[1] + times(found[2], factor.speed), lines[k])
        elif joint:
            old = 100.0 * (1.0 if pace.share is None else pace.share)
            before.append(f"BAS(#VEL_PTP,{rounded_down(old * factor.speed)})")
            behind.append(f"BAS(#VEL_PTP,{old:.6g})")
        elif pace.speed is not None or tool is not None:
            speed = pace.speed if pace.speed is not None else tool.speed / factor.speed  # type: ignore[union-attr]
            before.append(f"$VEL.CP={rounded_down(speed * factor.speed)}")
            behind += [f"$VEL.CP={speed:.6g}"] if pace.speed is not None else []
    if factor.acceleration != 1.0:
        if joint and _ACCELERATION.search(lines[k]):
            lines[k] = _ACCELERATION.sub(lambda found: found[1] + times(found[2], factor.acceleration), lines[k])
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
