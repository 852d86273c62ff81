"""Types and predefined data of RAPID, as its reference manual tells them. Millimetres, degrees, quaternions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torsor.programs.rapid.rapid_frames import moved
from torsor.programs.records import RecordShape, TypeTable
from torsor.programs.values import Value


class RapidTypes(TypeTable):
    """Of a point whose place is set anew the confdata is that of another."""

    def with_part(self, value: Value | None, keys: Sequence[int | str], *given: Any, **named: Any) -> Value:
        whole = super().with_part(value, keys, *given, **named)
        return moved(whole) if keys and keys[0] in ("trans", "rot") and isinstance(whole, dict) else whole


def _shape(text: str) -> RecordShape:
    """``x num, y num`` as a table."""
    return tuple((name, kind) for name, kind in (part.split() for part in text.split(",")))


NUMBERS = ("num", "dnum", "byte", "intnum", "errnum", "opnum", "btnres", "icondata", "buttondata", "dionum", "opmode",
           "handler_type", "symnum", "tpnum", "trapdata", "event_type", "exec_level", "stoppoint",
           "trackrec")  # fmt: skip
TYPES = RapidTypes(
    kinds={
        **dict.fromkeys(NUMBERS, "number"), "bool": "truth", "switch": "truth", "string": "text",
    },
    records={
        "pos": _shape("x num, y num, z num"),
        "orient": _shape("q1 num, q2 num, q3 num, q4 num"),
        "pose": _shape("trans pos, rot orient"),
        "confdata": _shape("cf1 num, cf4 num, cf6 num, cfx num"),
        "extjoint": _shape("eax_a num, eax_b num, eax_c num, eax_d num, eax_e num, eax_f num"),
        "robjoint": _shape("rax_1 num, rax_2 num, rax_3 num, rax_4 num, rax_5 num, rax_6 num"),
        "robtarget": _shape("trans pos, rot orient, robconf confdata, extax extjoint"),
        "jointtarget": _shape("robax robjoint, extax extjoint"),
        "loaddata": _shape("mass num, cog pos, aom orient, ix num, iy num, iz num"),
        "tooldata": _shape("robhold bool, tframe pose, tload loaddata"),
        "wobjdata": _shape("robhold bool, ufprog bool, ufmec string, uframe pose, oframe pose"),
        "speeddata": _shape("v_tcp num, v_ori num, v_leax num, v_reax num"),
        "zonedata": _shape(
            "finep bool, pzone_tcp num, pzone_ori num, pzone_eax num, zone_ori num, zone_leax num, zone_reax num"
        ),
        "progdisp": _shape("pdisp pose, eoffs extjoint"),
    },
)  # fmt: skip

ORIGIN: dict[str, Value] = {"x": 0.0, "y": 0.0, "z": 0.0}
UPRIGHT: dict[str, Value] = {"q1": 1.0, "q2": 0.0, "q3": 0.0, "q4": 0.0}
NOWHERE: dict[str, Value] = {"trans": ORIGIN, "rot": UPRIGHT}
UNUSED = 9e9  # of an external axis that there is none
USED = 1e9  # beneath it is where one stands; what is reckoned from 9E9 is hardly anything else than 9E9
SPEEDS = (5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 2500, 3000, 4000,
          5000, 6000, 7000)  # fmt: skip
ZONES = (1, 5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200)


def _speed(v: float) -> Value:
    return {"v_tcp": float(v), "v_ori": 500.0, "v_leax": 5000.0, "v_reax": 1000.0}


def _zone(mm: float) -> dict[str, Value]:
    values = (False, mm, 1.5 * mm, 1.5 * mm, 0.15 * mm, 1.5 * mm, 0.15 * mm)
    return {name: value for (name, _), value in zip(TYPES.records["zonedata"], values, strict=True)}


LOAD0: dict[str, Value] = {
    "mass": 0.001,
    "cog": {"x": 0.0, "y": 0.0, "z": 0.001},
    "aom": UPRIGHT,
    "ix": 0.0,
    "iy": 0.0,
    "iz": 0.0,
}
CONSTANTS: dict[str, Value] = {
    "true": True, "false": False, "pi": 3.141592653589793, "high": 1.0, "low": 0.0, "edge": 2.0,
    "tool0": {"robhold": True, "tframe": NOWHERE, "tload": LOAD0},
    "wobj0": {"robhold": False, "ufprog": True, "ufmec": "", "uframe": NOWHERE, "oframe": NOWHERE},
    "load0": LOAD0,
    "fine": {**_zone(0.0), "finep": True},
    "z0": _zone(0.3),
    **{f"z{mm}": _zone(float(mm)) for mm in ZONES},
    **{f"v{mm}": _speed(mm) for mm in SPEEDS},
    "vmax": _speed(5000.0),
    **{f"vrot{each}": {"v_tcp": 0.0, "v_ori": 0.0, "v_leax": 0.0, "v_reax": float(each)} for each in
       (1, 2, 5, 10, 20, 50, 100)},
    **{f"vlin{each}": {"v_tcp": 0.0, "v_ori": 0.0, "v_leax": float(each), "v_reax": 0.0} for each in
       (10, 20, 50, 100, 200, 500, 1000)},
    **{f"inpos{each}": True for each in (20, 50, 100)},
    **{f"stoptime{each.replace('.', '_')}": True for each in ("0.5", "1.0", "1.5")}, "fllwtime0_5": True,
    "c_trape": 0.0, "c_main": 0.0, "eof": 65535.0, "eof_bin": -1.0, "eof_num": 9.998e36,
    **{f"btn{each}": float(k) for k, each in enumerate(
        ("none", "ok", "abrtrtryign", "okcancel", "retrycancel", "yesno", "yesnocancel"), start=-1)},
    **{each: float(k) for k, each in enumerate(("lt", "lteq", "eq", "noteq", "gteq", "gt"), start=1)},
    "usint": 1.0, "uint": 2.0, "udint": 4.0, "ulint": 8.0, "sint": -1.0, "int": -2.0, "dint": -4.0, "lint": -8.0,
    "type_state": 1.0, "type_warn": 2.0, "type_err": 3.0,
    **{f"res{each}": float(k) for k, each in enumerate(
        ("unkwn", "ok", "abort", "retry", "ignore", "cancel", "yes", "no"))},
    **{f"icon{each}": float(k) for k, each in enumerate(("none", "info", "warning", "error"))},
    "str_digit": "0123456789", "str_upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "str_lower": "abcdefghijklmnopqrstuvwxyz",
    "str_white": " ", "wait_max": 9.99e5, "opauto": 0.0,
    **{f"op_{each}": float(k) for k, each in enumerate(("undef", "auto", "man_prog", "man_test"))},
    **{f"run_{each}": float(k) for k, each in enumerate(
        ("undef", "cont_cycle", "instr_fwd", "instr_bwd", "sim", "step_move"))},
    **{f"event_{each}": float(k) for k, each in enumerate(
        ("none", "poweron", "start", "stop", "qstop", "restart", "reset", "step"))},
    **{f"handler_{each}": float(k) for k, each in enumerate(("none", "bwd", "err", "undo"))},
    **{f"level_{each}": float(k) for k, each in enumerate(("normal", "trap", "service"))},
    **{f"egm_state_{each}": float(k) for k, each in enumerate(("disconnected", "connected", "running"))},
    **{f"socket_{each}": float(k) for k, each in enumerate(
        ("created", "connected", "bound", "listening", "closed"), start=1)},
    **{f"op{each}": float(k) for k, each in enumerate(("add", "sub", "mult", "div", "mod"), start=1)},
    "errno": 0.0, "clock1": 0.0, "stempty": "", "intno": 0.0,
    **{f"reg{k}": 0.0 for k in range(1, 6)}, "type_all": 0.0, "single": 0.0,
}  # fmt: skip
VARIABLES = frozenset({*(f"reg{k}" for k in range(1, 6)), "clock1"})  # every controller has them, and programs set them
# names that the controller knows and that decide nothing here
KNOWN_PREFIXES = ("err_", *(f"rob_{each}" for each in ("1", "2", "3", "4", "l", "r", "id")),
                  "t_rob", "egm_", "comm_", "trapno", "gap_", "inpos", "bool", "usestd", "iodata", "sockettype",
                  "diskhome", "home:", "tune_", "css_", "fc_", "iounit_", "iobus_", "sigorig_", "trigg_mode",
                  "diskram", "disktemp", "aio_above_", "aio_below_", "aio_between", "aio_outside", "aio_always",
                  "tp_latest", "tp_program", "tp_screenviewer", "tool_load_id", "pay_load_id", "mass_known",
                  "mass_with_ax3")  # fmt: skip
# functions that only the world answers, and what is taken for granted where it tells nothing
WORLD: dict[str, Value] = {
    "ClkRead": 0.0, "CTime": "", "CDate": "", "OpMode": 1.0, "RunMode": 1.0, "UIMessageBox": 1.0, "UINumEntry": 0.0,
    "UINumTune": 0.0, "UIDnumEntry": 0.0, "UIAlphaEntry": "", "UIListView": 1.0, "ReadNum": 0.0, "ReadStr": "",
    "ReadBin": 0.0, "ReadStrBin": "", "GetMotorTorque": 0.0, "GetTime": 0.0, "TestSignRead": 0.0, "FileSize": 0.0,
    "IsFile": False, "SocketGetStatus": 2.0, "RawBytesLen": 0.0, "ReadMotor": 0.0, "CSpeedOverride": 100.0,
    "EGMGetState": 0.0, "RMQGetSlotName": "", "IsStopStateEvent": False, "RobOS": True, "TaskRunMec": True,
    "TaskRunRob": True, "GetNextSym": False, "GOutputDnum": 0.0, "GInputDnum": 0.0, "ValidIO": True,
    "IsStopMoveAct": False, "IsSyncMoveOn": False, "IsMechUnitActive": True, "MaxRobSpeed": 7000.0, "BlockCheck": True,
    "IsBrakeCheckActive": False, "GetServiceInfo": "", "SysMet": 0.0, "EventType": 0.0,
    "UIClientExist": True, "RobName": "ROB_1", "GetTaskName": "T_ROB1", "GetMecUnitName": "ROB_1",
    "SocketPeek": 0.0, "TestAndSet": True, "CamNumberOfResults": 0.0, "PathLevel": 1.0, "IndInpos": True,
    "NonMotionMode": False, "ModExist": False, "HotEdgeFact": 0.0, "TPReadFK": 0.0,
    "UIDnumTune": 0.0, "MaxExtLinearSpeed": 5000.0, "MaxExtReorientSpeed": 1000.0, "MaxRobReorientSpeed": 500.0,
    "GetUASUserName": "", "IsLeadThrough": False, "IsSysID": False, "TaskIsActive": True, "TaskIsExecuting": True,
    "TasksInSync": True, "ModTime": 0.0, "FileTime": 0.0, "TextGet": "", "PathLengthGet": 0.0, "GetSysInfo": "",
    "RemainingRetries": 0.0, "ReadDir": False, "ExecLevel": 0.0, "ExecHandler": 0.0, "MotionPlannerNo": 1.0,
    "CamGetName": "", "CamGetExposure": 0.0, "CamGetLoadedJob": "", "TriggDataValid": True, "FCIsForceMode": False,
    "Rand": 0.0, "GetNextMechUnit": False, "ReadVar": 0.0, "StrDigCalc": "", "FSSize": 1e9, "ProgMemFree": 1e6,
    "GetAxisDistance": 0.0, "GetAxisMoveTime": 0.0, "GetModalPayLoadMode": 1.0, "GetSignalOrigin": 1.0,
    "GetTSPStatus": 0.0, "IndSpeed": True, "IOUnitState": 1.0, "IsCyclicBool": False, "ParIdPosValid": True,
    "ParIdRobValid": 1.0, "PathRecValidBwd": False, "PathRecValidFwd": False, "PFRestart": False,
    "PPMovedInManMode": False, "GetMaxNumberOfCyclicBool": 60.0, "GetNumberOfCyclicBool": 0.0,
    "CorrRead": {"x": 0.0, "y": 0.0, "z": 0.0},
    "STCalcForce": 0.0, "STCalcTorque": 0.0, "STIsCalib": True, "STIsClosed": True,
    "STIsIndGun": False, "STIsOpen": True, "TextTabFreeToUse": True, "TextTabGet": 0.0, "CamGetMode": 1.0,
    "G_IsCalibrated": True, "G_GetPos": 0.0, "Hand_IsCalibrated": True, "Hand_GetActualPos": 0.0,
}  # fmt: skip
