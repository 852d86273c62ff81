"""Bad scenario files, each with the exact words Torsor has for it. The reader and the command line are held to them."""

# ruff: noqa: E501  (messages are kept whole)

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from torsor.loading import robots
from torsor.mechanics.formulations import formulations_of
from torsor.scenarios.laws import law_tables


@dataclass(frozen=True)
class BadScenario:
    """``message`` is the whole error after the name of ``culprit``, the scenario itself unless another file is wrong."""

    name: str
    text: str
    message: str
    others: Mapping[str, str] = field(default_factory=dict)
    culprit: str = "scenario.toml"
    make: Callable[[Path], object] | None = None

    def write(self, folder: Path) -> Path:
        path = folder / "scenario.toml"
        for name, text in self.others.items():
            (folder / name).write_text(text)
        if self.make is not None:
            self.make(path)
        else:
            path.write_text(self.text)
        return path

    def __str__(self) -> str:
        return self.name


HEAD = 'name = "a"\narm = "planar2"\nduration = 1\n'  # lines 1 to 3
START = "start = { q = [0, 0] }\n"
POINT = 'reference = { kind = "point", q = [0, 0] }\n'
LAW = 'law = { kind = "pd-gravity", Kp = 50, Kd = 20 }\n'
GOOD = HEAD + START + LAW + POINT  # 6 lines
KNOWN = "name, source, notes, arm, duration, dt, every, integrator, tolerance, drives, elastic, by, saturation, gravity, limits, start, law, reference, wrench, contact, payload, controller, output"
BY = ", ".join({**formulations_of("forward_dynamics"), **formulations_of("inverse_dynamics")})
LAWS = ", ".join(law_tables())
REFERENCES = "point, quintic, trapezoid, sine, program, csv"
ROBOTS = ", ".join(robots())
TIME = 'expected a time above zero, in s, or a text such as "2 ms"'
LATER = 'expected a time in s, zero or more, or a text such as "2 ms"'
CSV = HEAD + LAW + 'reference = { kind = "csv", file = "way.csv" }\n'


def csv(name: str, table: str, message: str) -> BadScenario:
    return BadScenario(name, CSV, message, {"way.csv": table}, "way.csv")


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


BAD_SCENARIOS = [
    # no TOML at all
    BadScenario("an empty file", "", ': the file is empty; a scenario begins with name = "..." and arm = "..."'),
    BadScenario("cut off in a list", HEAD + "start = { q = [0", ":4: a list is not closed; the file ends too early"),
    BadScenario("cut off in a text", 'name = "a\n', ":1:10: a text is not closed on this line; end it with the quote it began with"),
    BadScenario("cut off in a header", HEAD + "[law", ":4: the name of a table is not closed; write [table] or [[table]]"),
    BadScenario("nested without end", "a = " + "[" * 5000, ":1: brackets are nested hundreds deep; this is no scenario"),
    BadScenario("a key twice", HEAD + "duration = 2\n", ":4:13: this key was already given; each key stands once in a table"),
    BadScenario("a folder", "", ": this is a folder; give the path of a .toml file", make=Path.mkdir),
    BadScenario("UTF-16", "", ":1: byte 0xff is not UTF-8; save the file as UTF-8", make=lambda p: p.write_bytes("name".encode("utf-16"))),
    # keys
    BadScenario("an unknown key", "durtion = 3\n" + GOOD, f":1: unknown key durtion; did you mean 'duration'? known: {KNOWN}"),
    BadScenario("a key of others", GOOD + "robot = 3\n", f":7: unknown key robot; did you mean 'arm'? known: {KNOWN}"),
    BadScenario("an unknown key of a law", changed("Kd = 20", "Kd = 20, Kx = 1"), ":5: unknown key law.Kx; known: kind, known_payload, saturated, observer, rate_limit, Kp, Kd"),
    BadScenario("an unknown key of a reference", changed("q = [0, 0] }\nlaw", "q = [0, 0], r = 1 }\nlaw"), ":4: unknown key start.r; known: q, qd"),
    BadScenario("no law", HEAD + START + POINT, ':1: missing law; expected a table with kind = "..." and its gains'),
    BadScenario("no arm", 'name = "a"\n' + LAW, ":1: missing arm; expected the name of a library arm, or the path of an arm file or URDF, relative to the scenario"),
    BadScenario("no reference", HEAD + START + LAW, ':1: missing reference; expected a table with kind = "...", what the law follows'),
    BadScenario("no start", HEAD + LAW + POINT, ":1: missing start.q; 'planar2' has 2 joints: where are they?"),
    BadScenario("no duration", changed("duration = 1\n", ""), ':1: missing duration; how long to simulate, in s or as a text such as "5 s"'),
    # the arm
    BadScenario("an unknown arm", changed("planar2", "planar4"), f":2: no robot 'planar4'; did you mean 'planar3'? known: {ROBOTS}"),
    BadScenario("no such arm file", changed("planar2", "mine.toml"), ":2: there is no file '{folder}/mine.toml'; known: " + ROBOTS),
    BadScenario("an arm file that is none", changed("planar2", "mine.toml"), ':1: missing frames; expected one of standard-dh, modified-dh, screws, placements', {"mine.toml": 'name = "mine"\n'}, "mine.toml"),
    # times
    BadScenario("dt of zero", GOOD + "dt = 0\n", f":7: dt is 0; {TIME}"),
    BadScenario("a negative dt", GOOD + "dt = -1e-3\n", f":7: dt is -0.001; {TIME}"),
    BadScenario("a dt of NaN", GOOD + "dt = nan\n", f":7: dt is nan; {TIME}"),
    BadScenario("a dt in hours", GOOD + 'dt = "1 h"\n', f":7: dt is '1 h'; {TIME}"),
    BadScenario("a negative duration", changed("duration = 1", "duration = -1"), f":3: duration is -1; {TIME}"),
    BadScenario("an endless duration", changed("duration = 1", "duration = inf"), f":3: duration is inf; {TIME}"),
    BadScenario("shorter than a step", changed("duration = 1", 'duration = "0.1 ms"'), ":3: duration is 0.0001 s; at least 1 steps of dt, 0.001 s"),
    BadScenario("too many states", changed("duration = 1", "duration = 1e6"), ":3: 1e+09 states would be kept; every = 200 keeps fewer"),
    BadScenario("every zero", GOOD + "every = 0\n", ":7: every is 0; expected a whole number of steps, 1 or more"),
    BadScenario("an unknown integrator", GOOD + 'integrator = "rk5"\n', ":7: integrator is 'rk5'; it must be 'euler', 'semi-implicit-euler', 'rk4', 'symplectic', 'dormand-prince' or 'rosenbrock'"),
    BadScenario("a word for limits", GOOD + 'limits = "soft"\n', ':7: limits is \'soft\'; expected "stop", "report", "ignore", or a table with stiffness and damping of buffers'),
    BadScenario("an unknown formulation", GOOD + 'by = "newton"\n', ":7: by names 'newton'; did you mean 'newton-euler'? known: " + BY),
    BadScenario("no formulation", GOOD + "by = []\n", ":7: by is []; expected the name of a formulation, or a list of them to compare"),
    BadScenario("a formulation twice", GOOD + 'by = ["kane", "kane"]\n', ":7: by names a formulation twice; each once"),
    BadScenario("a formulation and a payload", GOOD + 'by = "kane"\n[[payload]]\nmass = 1\n', ":7: by does not go with payload; formulations are of rigid links as described"),
    BadScenario("a rate limit of zero", changed("Kd = 20", "Kd = 20, rate_limit = 0"), ":5: law.rate_limit is 0.0; above zero"),
    BadScenario("elastic in words", GOOD + 'elastic = "yes"\n', ":7: elastic is 'yes'; expected true or false"),
    BadScenario("a rigid arm that bends", GOOD + "elastic = true\n", ":7: 'planar2' has no elastic links or joints; describe them with [link.beam], [link.compliance] and stiffness of drives in its arm file"),
    # laws
    BadScenario("an unknown law", changed("pd-gravity", "pd-gravty"), f":5: there is no law 'pd-gravty'; did you mean 'pd-gravity'? known: {LAWS}"),
    BadScenario("a law without a kind", changed('kind = "pd-gravity", ', ""), f":5: missing law.kind; known: {LAWS}"),
    BadScenario("a gain that is missing", changed(", Kd = 20", ""), ":5: missing law.Kd; expected a number, one for each joint, or a matrix as a list of rows, in N m s/rad"),
    BadScenario("a negative gain", changed("Kp = 50", "Kp = -50"), ":5: law.Kp is not positive definite: its eigenvalues begin at -50; the proof of stability needs it"),
    BadScenario("one negative gain", changed("Kd = 20", "Kd = [20, -1]"), ":5: law.Kd is not positive definite: its eigenvalues begin at -1; the proof of stability needs it"),
    BadScenario("gains of 3 joints", changed("Kp = 50", "Kp = [1, 2, 3]"), ":5: law.Kp has shape (3,); give a number, 2 of them, or (2, 2)"),
    BadScenario("a ragged matrix", changed("Kp = 50", "Kp = [[1, 2], [3]]"), ":5: law.Kp is not made of numbers: [[1.0, 2.0], [3.0]]"),
    BadScenario("a gain in words", changed("Kp = 50", 'Kp = "stiff"'), ":5: law.Kp is 'stiff'; expected a number, one for each joint, or a matrix as a list of rows, in N m/rad"),
    BadScenario("torques of 3 joints", changed('kind = "pd-gravity", Kp = 50, Kd = 20', 'kind = "torque", torque = [1, 2, 3]'), ":5: law.torque has 3 numbers; 'planar2' has 2 joints"),
    BadScenario("motors that are none", changed('kind = "pd-gravity", Kp = 50, Kd = 20', 'kind = "torque", torque = [1, 2], of = "motors"'), ":5: law: 'planar2' has no motors; of = \"joints\""),
    BadScenario("a negative saturation", changed("Kd = 20", "Kd = 20, saturated = -1"), ":5: law.saturated is -1.0; above zero"),
    # start
    BadScenario("a start of 3 joints", changed("q = [0, 0] }\nlaw", "q = [0, 0, 0] }\nlaw"), ":4: start.q has 3 numbers; 'planar2' has 2 joints"),
    BadScenario("a start of NaN", changed("q = [0, 0] }\nlaw", "q = [0, nan] }\nlaw"), ':4: start.q[2] is nan; expected a number for each joint, in rad or m, or texts such as "90 deg"'),
    BadScenario("a start in wrong units", changed("q = [0, 0] }\nlaw", 'q = [0, "9 degs"] }\nlaw'), ":4: start.q[2] is '9 degs'; expected a number for each joint, in rad or m, or texts such as \"90 deg\""),
    BadScenario("a start beyond a limit", 'name = "a"\narm = "scara"\nduration = 1\nstart = { q = [3, 0, 0, 0] }\nlaw = { kind = "torque", torque = "hold" }\n', ":4: the arm starts with shoulder at 3, beyond its limit of 2.61799; limits = \"ignore\" does not look at limits"),
    # references
    BadScenario("an unknown reference", changed('"point"', '"pont"'), f":6: there is no reference 'pont'; did you mean 'point'? known: {REFERENCES}"),
    BadScenario("a point of 3 joints", changed('"point", q = [0, 0]', '"point", q = [0, 0, 0]'), ":6: reference is of 3 numbers; 'planar2' has 2 joints"),
    BadScenario("a place for joints", changed('"point", q = [0, 0]', '"point", position = [0, 0, 1]'), ":6: reference.position is not what is followed; this law moves joints: give q"),
    BadScenario("one point", changed('"point", q = [0, 0]', '"quintic", points = [[0, 0]], durations = 1'), ":6: reference.points have shape (1, 2); give two or more rows, one number a joint in each"),
    BadScenario("no pace", changed('"point", q = [0, 0]', '"quintic", points = [[0, 0], [1, 1]]'), ":6: reference: no durations, speed or acceleration; give durations=, or limits of speed and so on"),
    BadScenario("no speed", changed('"point", q = [0, 0]', '"trapezoid", points = [[0, 0], [1, 1]]'), ":6: reference: speed is not given; 'planar2' has no limits of speed itself"),
    BadScenario("a negative speed", changed('"point", q = [0, 0]', '"trapezoid", points = [[0, 0], [1, 1]], speed = -1, acceleration = 1'), ":6: reference.speed is -1.0; above zero"),
    BadScenario("no such program", changed('"point", q = [0, 0]', '"program", file = "none.irl"'), ": cannot read the program: No such file or directory", culprit="none.irl"),
    csv("a table without a joint", "time,joint1\n0,0\n", ":1: there is no column 'joint2'; the columns are time,joint1,joint2"),
    csv("a table with another column", "time,joint1,joint2,speed\n0,0,0,0\n", ":1: unknown column 'speed'; the columns are time,joint1,joint2"),
    csv("a table with a column twice", "time,joint1,joint1,joint2\n0,0,0,0\n", ":1: column 'joint1' stands twice; once for each joint"),
    csv("a table with NaN", "time,joint1,joint2\n0,0,0\n1,0,nan\n", ":3:5: joint2 is 'nan'; expected a finite number"),
    csv("a table with a word", "time,joint1,joint2\n0,zero,0\n", ":2:3: joint1 is 'zero'; expected a finite number"),
    csv("a table with too few cells", "time,joint1,joint2\n0,0\n", ":2: 2 cells in a table of 3 columns; one for each column, with commas between"),
    csv("a table back in time", "time,joint1,joint2\n0,0,0\n2,0,0\n1,0,0\n", ":4: time 1 follows 2; times must rise"),
    csv("a table of one row", "time,joint1,joint2\n0,0,0\n", ": the table has one row; two or more, with times that rise"),
    csv("a table without rows", "time,joint1,joint2\n", ": the table has no rows; two or more, with times that rise"),
    csv("an empty table", "", ": the file is empty; its first line is time,joint1,joint2"),
    # disturbances
    BadScenario("a payload after the end", GOOD + "[[payload]]\ntime = 2\nmass = 1\n", ":8: payload[1].time is 2 s; the scenario ends at 1 s"),
    BadScenario("payloads back in time", GOOD + "[[payload]]\ntime = 0.5\nmass = 1\n[[payload]]\ntime = 0.2\nmass = 0\n", ":11: payload[2].time is 0.2 s; later than 0.5 s, the one before it"),
    BadScenario("a negative payload", GOOD + "[[payload]]\nmass = -1\n", ":8: payload[1].mass is -1; expected a number, zero or more, in kg"),
    BadScenario("a payload before the start", GOOD + "[[payload]]\nmass = 1\ntime = -1\n", f":9: payload[1].time is -1; {LATER}"),
    BadScenario("a pulse without a duration", GOOD + '[[wrench]]\nkind = "pulse"\nforce = [0, 1, 0]\n', ":7: missing wrench[1].duration; a pulse has one"),
    BadScenario("a wave without a frequency", GOOD + '[[wrench]]\nkind = "sine"\nforce = [0, 1, 0]\n', ":7: missing wrench[1].frequency; a sine has one"),
    BadScenario("a force of 2 numbers", GOOD + '[[wrench]]\nkind = "constant"\nforce = [0, 1]\n', ":9: wrench[1].force has 2 numbers; expected 3 numbers, in N, base axes"),
    BadScenario("a wrench after the end", GOOD + '[[wrench]]\nkind = "constant"\nstart = 3\n', ":9: wrench[1].start is 3 s; the scenario ends at 1 s"),
    BadScenario("a wall without a direction", GOOD + "[[contact]]\nnormal = [0, 0, 0]\noffset = 1\nstiffness = 1\n", ":8: contact[1].normal is (0.0, 0.0, 0.0); a direction (3,) in base axes, away from the wall"),
    # the controller
    BadScenario("a period that is no multiple", GOOD + "[controller]\nperiod = 1.5e-3\n", ":8: controller.period is 0.0015 s; a multiple of dt, 0.001 s"),
    BadScenario("an encoder of 3 joints", GOOD + "[controller]\nperiod = 1e-3\nencoder = { noise = [1, 2, 3] }\n", ":9: controller.encoder.noise has 3 numbers; one, or 2"),
    BadScenario("a negative resolution", GOOD + "[controller]\nperiod = 1e-3\nencoder = { resolution = -1 }\n", ":9: controller.encoder.resolution is negative; zero or more, in rad"),
]  # fmt: skip
