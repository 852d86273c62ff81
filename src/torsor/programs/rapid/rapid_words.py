"""Instructions of RAPID: those that move and what stands around them, and those that are read and not run."""

from __future__ import annotations

from torsor.programs.language import Form

MOVING = {
    "wobj": "wobjdata", "tload": "loaddata", "v": "num", "t": "num", "z": "num", "inpos": "any", "id": "unread",
    "conc": "any", "noeoffs": "any", "corr": "any", "wait": "any", "time": "any", "track": "any", "seamname": "any",
}  # fmt: skip
POINT, LAST = "robtarget", ("speeddata", "zonedata", "tooldata")
_MOVE = Form("move", (POINT, *LAST), options=MOVING, example="MoveL p10, v100, z10, tool1\\WObj:=wobj1;")
_CIRCLE = Form("move_circle", (POINT, POINT, *LAST), options=MOVING, example="MoveC p10, p20, v100, z10, tool1;")
_JOINTS = Form("move_joints", ("jointtarget", *LAST), options=MOVING, example="MoveAbsJ j10, v100, fine, tool1;")


def _and(
    form: Form, method: str, *more: str, required: int | None = None, options: dict[str, str] | None = None
) -> Form:
    example = "" if more else form.example  # it would lack what is more
    return Form(method, (*form.operands, *more), required, options={**MOVING, **(options or {})}, example=example)


def _with_group(form: Form) -> Form:
    """A group has its value behind a comma or as an option: ``go1\\Value:=5``."""
    values = {"value": "num", "dvalue": "num"}
    return Form(form.method, form.operands, len(form.operands) - 1, options={**form.options, **values})


BEADS = MOVING | {"on": "any", "off": "any", "d": "any"}
WEAVE = {"weave": "any", "track": "any", "start": "any", "end": "any"}
PRESS = MOVING | dict.fromkeys(
    ("fx", "fy", "fz", "forceframeref", "forcechange", "possupvdist", "usespdffw", "dampingtune", "zerocontactvalue",
     "deactonly"), "any")  # fmt: skip
SEARCHES = dict.fromkeys(
    ("stop", "pstop", "sstop", "sup", "flanks", "posflank", "negflank", "highlevel", "lowlevel"), "any")  # fmt: skip
TRIGG = {f"t{k}": "any" for k in range(2, 9)} | {"trigg": "any"}
MOVES = {
    **dict.fromkeys(("movel", "movej", "smovel", "smovej"), _MOVE),
    "movec": _CIRCLE,
    "moveabsj": _JOINTS,
    **dict.fromkeys(("moveldo", "movejdo", "movelao", "movejao"), _and(_MOVE, "move", "signal", "num")),
    **dict.fromkeys(("movecdo", "movecao"), _and(_CIRCLE, "move_circle", "signal", "num")),
    **dict.fromkeys(("movelgo", "movejgo"), _with_group(_and(_MOVE, "move", "signal", "num"))),
    "movecgo": _with_group(_and(_CIRCLE, "move_circle", "signal", "num")),
    **dict.fromkeys(("movelsync", "movejsync"), _and(_MOVE, "move", "any")),
    "movecsync": _and(_CIRCLE, "move_circle", "any"),
    **dict.fromkeys(tuple(f"arcl{k}{part}" for k in ("", "1", "2") for part in ("", "start", "end")),
                    Form("process", (POINT, "speeddata", "any", "any", "zonedata", "tooldata"),
                         options={**MOVING, **WEAVE})),
    **dict.fromkeys(tuple(f"arcc{k}{part}" for k in ("", "1", "2") for part in ("", "start", "end")),
                    Form("process_circle", (POINT, POINT, "speeddata", "any", "any", "zonedata", "tooldata"),
                         options={**MOVING, **WEAVE})),
    **dict.fromkeys(("arcmovel", "arcmovej"), _and(_MOVE, "move")),
    "arcmovec": _and(_CIRCLE, "move_circle"),
    "arcmoveabsj": _JOINTS,
    **dict.fromkeys(("triggl", "triggj"),
                    Form("process", (POINT, "speeddata", "any", "zonedata", "tooldata"), options={**MOVING, **TRIGG})),
    "triggc": Form("process_circle", (POINT, POINT, "speeddata", "any", "zonedata", "tooldata"),
                   options={**MOVING, **TRIGG}),
    "triggabsj": Form("process_joints", ("jointtarget", "speeddata", "any", "zonedata", "tooldata"),
                      options={**MOVING, **TRIGG}),
    **dict.fromkeys(("trigglios", "triggjios"),
                    Form("move", (POINT, *LAST), options={**MOVING, **{f"triggdata{k}": "any" for k in range(1, 4)}})),
    "contactl": Form("spot", (POINT, "speeddata", "any", "any"), 3,
                     options={**MOVING, "desposition": "any", "zone": "zonedata"}),
    **dict.fromkeys(("displ", "capl", "paintl"),
                    Form("process", (POINT, "speeddata", "any", "any"), 4, repeat=True, options=BEADS)),
    **dict.fromkeys(("dispc", "capc", "paintc"),
                    Form("process_circle", (POINT, POINT, "speeddata", "any", "any"), 5, repeat=True, options=BEADS)),
    **dict.fromkeys(("fcpressl", "fcpress1lstart"),
                    Form("process", (POINT, "speeddata", "num", "zonedata", "tooldata"), options=PRESS)),
    "fcpressc": Form("process_circle", (POINT, POINT, "speeddata", "num", "zonedata", "tooldata"), options=PRESS),
    **dict.fromkeys(("fcpressend", "cssdeactmovel"), Form("spot", (POINT, "speeddata", "tooldata"), options=PRESS)),
    **dict.fromkeys(("spotl", "spotj", "spotml", "spotmj", "nutl", "nutj", "calibl", "calibj", "measurewearl"),
                    Form("spot", (POINT, "speeddata", "any", "any"), 4, repeat=True,
                         options={**MOVING, **dict.fromkeys(("g1", "g2", "g3", "g4", "retract", "opentoh"), "any")})),
    "searchl": Form("search", ("signal", "place", POINT, "speeddata", "tooldata"), 5,
                    options={**MOVING, **SEARCHES}),
    "searchc": Form("search_circle", ("signal", "place", POINT, POINT, "speeddata", "tooldata"), 6,
                    options={**MOVING, **SEARCHES}),
}  # fmt: skip
# Homepos-Running: the same words, which also note where the arm is
MOVES |= {f"s{word}": MOVES[word] for word in (
    "movejdo", "moveldo", "movejgo", "movelgo", "movejsync", "movelsync", "searchl", "triggj", "triggl")}  # fmt: skip

_WAITS = {"maxtime": "num", "timeflag": "place", "pollrate": "num", "inpos": "any", "visualize": "any",
          "header": "any", "value": "any", "valueatio": "any", "valueattimeout": "any", "message": "any",
          "dvalueattimeout": "any", "msgarray": "any", "wrap": "any", "icon": "any", "image": "any",
          "visualizetime": "any", "uiactivesignal": "any", "errornumber": "place", "zerospeed": "any",
          "lt": "any", "gt": "any", "eq": "any", "neq": "any", "noteq": "any"}  # fmt: skip
_WAITS_FOR = {"timeout": "num", "reldist": "num", "predtime": "num"}  # other tasks and conveyors
_ASKS = {"maxtime": "num", "dibreak": "unread", "breakflag": "place", "dopassive": "unread", "dobreak": "unread",
         "pers": "any", "valueatbreak": "any", "dipassive": "unread", "persboolbreak": "unread",
         "persboolpassive": "unread", "uiactivesignal": "unread"}  # fmt: skip
_NAMED = dict.fromkeys(("taskref", "taskname", "block"), "unread")  # where data is that a text names
AROUND = {
    "moveextj": Form("beside", ("jointtarget", "speeddata", "zonedata"), options={**MOVING, "useeoffs": "any"},
                     example="MoveExtJ j10, vrot10, fine;"),
    "waittime": Form("dwell", ("num",), options=_WAITS, example="WaitTime 0.5;"),
    **dict.fromkeys(("waitdi", "waitdo", "waitgi", "waitgo", "waitai", "waitao"),
                    Form("wait_signal", ("signal", "any"), options=_WAITS, example="WaitDI di1, 1;")),
    "waituntil": Form("wait_until", ("unread",), options=_WAITS, example="WaitUntil di1 = 1;"),
    **dict.fromkeys(("waitwobj", "dropwobj"),
                    Form("tracks", ("unread",), 0, repeat=True, options=_WAITS | {"reldist": "num"})),
    "waitload": Form("event", ("unread",), 1, repeat=True,
                     options=dict.fromkeys(("unloadpath", "unloadfile", "checkref"), "unread")),
    **dict.fromkeys(("waitrob", "waitsynctask", "waitsensor", "waittestandset"),
                    Form("event", ("unread",), 0, repeat=True, options=_WAITS | _WAITS_FOR)),
    **dict.fromkeys(("setdo", "setgo", "setao"),
                    Form("set_output", ("signal", "any"), options={"sdelay": "num", "sync": "any"},
                         example="SetDO do1, 1;")),
    **dict.fromkeys(("set", "reset"), Form("set_output", ("signal",), example="Set do1;")),
    **dict.fromkeys(("pulsedo", "invertdo"), Form("pulse", ("signal",), options={"plength": "num", "high": "any"})),
    **dict.fromkeys(("incr", "decr", "clear"), Form("count", ("place",), example="Incr n;")),
    "add": Form("count", ("place", "num"), example="Add n, 5;"),
    **dict.fromkeys(("bitset", "bitclear"), Form("bits", ("place", "num"))),
    "callbyvar": Form("passed_over", ("any", "num"), example='CallByVar "proc", 1;'),
    "accset": Form("accelerate", ("num", "num"), options={"finepointramp": "num"}, example="AccSet 50, 80;"),
    "velset": Form("limit_speed", ("num", "num"), example="VelSet 50, 800;"),
    "gripload": Form("grip", ("loaddata",), example="GripLoad load1;"),
    "pdispset": Form("displace", ("pose",)),
    "pdispadd": Form("displace_more", ("pose",)),
    "pdispon": Form("displace_on", (POINT, "tooldata"),
                    options={"exep": POINT, "rot": "any", "wobj": "wobjdata", "progp": "any"}),
    "pdispoff": Form("displace_off"),
    "confl": Form("configure_l", options={"on": "any", "off": "any"}, example="ConfL\\Off;"),
    "confj": Form("configure_j", options={"on": "any", "off": "any"}, example="ConfJ\\Off;"),
    **dict.fromkeys(("tpreadnum", "tpreaddnum"), Form("answer", ("place", "any"), 2, repeat=True, options=_ASKS)),
    "tpreadfk": Form("answer", ("place", *["any"] * 6), options=_ASKS,
                     example='TPReadFK reg1, "Go on?", stEmpty, stEmpty, stEmpty, "Yes", "No";'),
    **dict.fromkeys(("socketreceive", "readrawbytes", "readanybin", "rmqgetmessage", "textget"),
                    Form("received", ("unread",), 0, repeat=True, options={
                        "str": "place", "rawdata": "unread", "data": "place", "time": "any", "readnoofbytes": "any",
                        "noreccbytes": "any", "norecbytes": "unread"})),
    "unpackrawbytes": Form("unpacked", ("any", "any", "place"),
                           options=dict.fromkeys(("network", "hex1", "intx", "float4", "ascii"), "unread")),
    "getdataval": Form("get_data", ("any", "place"), options=_NAMED),
    "getsysdata": Form("get_system_data", ("place",), options={"objectname": "unread"}),
    "setdataval": Form("set_data", ("any", "any"), options=_NAMED),
    **dict.fromkeys(("stop", "break", "systemstopaction", "exitcycle"), Form("stops")),
}  # fmt: skip

# what is read, and does nothing to the motion that is planned
TOLD = """
acteventbuffer activateprofile activateunit actunit aliascamera aliasio aliasioreset arcmoveextj arcrefresh arcrepl
bechecktcp berefpointer besetuptoolj beupdatetcp biascalib bookerrno brakecheck camflush camgetparameter camgetresult
camloadjob camreqimage camsetexposure camsetparameter camsetprogrammode camsetrunmode camstartloadjob camwaitloadjob
cancelload capaptrsetup caplatrsetup caprefresh capsetstopmode checkprogref cirpathmode cleariobuff clearpath
clearrawbytes clearretry clkreset clkstart clkstop close closedir closehighlift cnvclearpos cnvgeninstr cnvsync collmon
consolewrite copyfile copyrawbytes cornerpathwarning corrclear corrcon corrdiscon corrwrite cssact cssdeact
cssforceoffsetact cssforceoffsetdeact cssoffsettune cyclicbool cyclicbrakecheck deacteventbuffer deactivateunit
deactprofile deactunit ditheract ditherdeact dropsensor egmactjoint egmactmove egmactpose egmgetid egmmovec
egmmovel egmreset egmrunjoint egmrunpose egmsetupai egmsetupao egmsetupgi egmsetupltapp egmsetupuc egmstop
egmstreamstart egmstreamstop egmwaitcond eoffsoff eoffson eoffsset erasemodule errlog errraise errreset errwrite
exitstop fcact fccalib fccondforce fccondorient fccondpos fccondreorispeed fccondtcpspeed fccondtorque fccondwaitwhile
fcdeact fcrefcircle fcrefforce fcrefline fcrefmoveframe fcrefrot fcrefspiral fcrefstart fcrefstop fcreftorque
fcspdchgact fcspdchgdeact fcsupvforce fcsupvorient fcsupvpos fcsupvreorispeed fcsupvtcpspeed fcsupvtorque fitcircle
fitsphere forceact fricidevaluate fricidinit fricidsetfriclevels g_blowoff1 g_blowon1 g_calibrate g_gripin g_gripout
g_init g_jogin g_jogout g_moveto g_movetoo g_setforce g_setmaxspd g_stop g_vacuumoff1 g_vacuumon1 getgroupsignalinfo
getjointdata getnextsym gettime gettorquemargin gettrapdata hand_initialize hand_docalibrate hand_gripinward
hand_gripoutward hand_joginward hand_jogoutward hand_moveto hand_setholdforce hand_setmaxspeed hand_stopmove
hand_waitmovingcompleted hollowwristreset icap idelete idisable ienable ierror ignoremovestart indamove indcmove
indcnvaddobject indcnvdisable indcnvenable indcnvinit indcnvreset inddmove indgunmove indgunmovereset indreset indrmove
initsuperv iobusstart iobusstate iodisable ioenable ipathpos ipers ipssetparam irmqmessage isignalai isignalao
isignaldi isignaldo isignalgi isignalgo isleep itimer ivarvalue iwatch load loadid loadprofile logmsg makedir manload
manloadid manloadidproc matrixsolve matrixsolveqr matrixsvd mechunitload motionprocessmodeset motionsup movepnp movextj
mploadpath mpreadinpath mpsavepath mtoolrotcalib mtooltcpcalib open opendir openhighlift packdnheader packrawbytes
parloadid pathacclim pathlengthreset pathlengthstart pathlengthstop pathrecmovebwd pathrecmovefwd pathrecstart
pathrecstop pathresol proccall prxactivandstorerecord prxactivrecord prxdbgstorerecord prxdeactrecord prxresetpos
prxresetrecords prxsetposoffset prxsetrecordsampletime prxsetsyncalarm prxstartrecord prxstoprecord prxstorerecord
prxusefilerecord procerrrecovery raisetouser readblock readcfgdata readdir readerrdata readvararr recalctcp reconnect
recordprofile recoverymenu recoverymenuwr recoveryposreset recoveryposset removeallcyclicbool removecyclicbool
removedir removefile removesuperv renamefile resetaxisdistance resetaxismovetime resetppmoved resetretrycount
resettorquemargin restopath rewind rmqemptyqueue rmqfindslot rmqgetmsgdata rmqgetmsgheader rmqreadwait rmqsendmessage
rmqsendwait safetycontrollersyncrequest save savecfgdata saveexit scwrite searchextj sendevice sensordevice servoopen
setalldata setalldataval setbrush setbrushfac setdatasearch setleadthrough setsysdata settmsignal setupcyclicbool
setupsuperv setwrprocname siclose siconnect sigetcyclic singarea sisetcyclic skipwarn socketaccept socketbind
socketclose socketconnect socketcreate socketlisten socketreceivefrom socketsend socketsendto softact softdeact
softelbow speedlimaxis speedlimcheckpoint speedrefresh spycustart spystart spystop startload startmove startmoveretry
stcalib stclose stepbwdpath stindgun stindgunreset stoolrotcalib stooltcpcalib stopen stopmove stopmovereset storepath
storeprofile sttune sttunereset supsyncsensoroff supsyncsensoron syncmoveoff syncmoveon syncmoveresume syncmovesuspend
syncmoveundo synctosensor syncwwobj sysfail sysstopaction tcclosecover tcdropofftool tclocktool tcopencover
tcpickuptool tcunlocktool testsigndefine testsignreset texttabinstall timerstart tperase tpprompt tpshow tpwrite
tracerec triggcheckio triggdata triggdatacopy triggdatareset triggequip triggint triggio triggrampao triggramppos
triggspeed triggstopproc tryint tunereset tuneservo uimsgbox uimsgwrite uimsgwriteabort uishow unload useaccprofile
veldset visionstart waitandrecprof waitload warmstart worldacclim write writeanybin writebin writeblock writecfgdata
writerawbytes writestrbin writevar writevararr wzboxdef wzcyldef wzdisable wzdoset wzenable wzfree wzhomejointdef
wzlimjointdef wzlimsup wzsphdef
""".lower().split()
SHOWN = ("tp", "ui", "socket", "err")  # what begins so is told on the time line
LEAST = {  # how many operands they take at least
    **dict.fromkeys(("idelete", "isleep", "iwatch", "clkreset", "clkstart", "clkstop", "tpwrite", "socketcreate",
                     "socketlisten", "socketclose", "socketsend", "close", "load", "actunit", "deactunit",
                     "waittestandset", "errlog"), 1),
    **dict.fromkeys(("itimer", "ipers", "softact", "write", "open", "socketaccept", "aliasio", "egmstop", "egmrunpose",
                     "egmrunjoint", "errwrite", "corrwrite", "startload"), 2),
    **dict.fromkeys(("isignaldi", "isignaldo", "socketbind", "socketconnect", "triggio", "triggint", "packrawbytes",
                     "tuneservo", "wzboxdef", "wzsphdef"), 3),
    **dict.fromkeys(("egmsetupuc", "triggequip", "wzcyldef", "wzdoset"), 4),
    **dict.fromkeys(("egmactpose", "egmmovel"), 5), "egmmovec": 6,
}  # fmt: skip
NO_VALUES = ("clearpath", "startmove", "stopmove", "stopmovereset", "storepath", "restopath", "tperase", "idisable",
             "ienable", "eoffsoff", "corrclear", "clearretry", "syncmovesuspend", "syncmoveresume")  # fmt: skip
PASSED = {
    word: Form("event" if word.startswith(SHOWN) else "passed_over", ("unread",), LEAST.get(word, 0), repeat=True)
    for word in TOLD
}
PASSED |= {word: Form(PASSED[word].method) for word in NO_VALUES if word in PASSED}
_SHOWS = dict.fromkeys(("num", "bool", "pos", "orient", "dnum"), "unread")
PASSED |= {word: Form("led", PASSED[word].operands, LEAST.get(word, 0), repeat=True) for word in
           ("egmrunjoint", "egmrunpose", "egmmovel", "egmmovec")}  # fmt: skip
PASSED["eoffsset"] = Form("passed_over", ("extjoint",))
PASSED["tpwrite"] = Form("event", ("unread",), options=_SHOWS, example='TPWrite "text";')
FORMS = {**PASSED, **AROUND, **MOVES}
# what these would do to the motion, were they run
SAID = {
    **dict.fromkeys(("softact", "softdeact"), "soft servos give way in a manner that is not planned"),
    "arcrepl": "the path that it repeats was stored by an earlier weld",
    **dict.fromkeys(("actunit", "deactunit"), "axes beside the arm are left out"),
    **dict.fromkeys(("isignaldi", "itimer", "connect"), "interrupts are read, not run"),
    **dict.fromkeys(("fcpressl", "fcpressc", "fcpress1lstart"), "the force that it presses with is left out"),
    **dict.fromkeys(("eoffsset", "eoffson"), "axes beside the arm are left out"),
    **dict.fromkeys(("singarea",), "the wrist is planned as it is, singularities and all"),
}
