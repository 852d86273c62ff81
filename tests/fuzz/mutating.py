"""Inputs of every kind that Torsor takes, damaged with a feeling for what they are made of.

A text is cut into tokens (numbers, quoted texts, words, signs); numbers become absurd ones, words become other words of
the same text, brackets pile up, lines move, letters that steer terminals turn up. ``case(seed)`` is always the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from torsor.loading import load_model
from torsor.model.urdf_writer import write_urdf

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(
    r"""(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<word>[A-Za-z_#.][\w.\-]*)|(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|\s+|.""",
    re.DOTALL,
)
NUMBERS = [
    "0", "-0.0", "1", "-1", "2", "7", "0.1", "1e-3", "1e3", "-100", "3.14159265358979", "1e-12", "5e-324", "1e-300",
    "1e6", "1e9", "1e12", "1e13", "1e15", "1e300", "-1e308", "1e308", "1e400", "nan", "inf", "-inf", "2147483648",
    "9223372036854775808", "99999999999999999999999", "00012", "1_000", "0x10", "1.", "true",
]  # fmt: skip
VALUES = [*NUMBERS, '""', "[]", "{}", "[1, 2, 3]", '"1 deg"', '"nan deg"', '"inf mm"', '"1e400 deg"', '"1e9 rpm"']
TEXTS = [
    '""', r'"\u0000"', r'"\u001b[31mX"', '"<b>"', r'"\n"', '"' + "x" * 5000 + '"', '"\u202eabc"', '"é"', '"base"',
    '"link1"', '"joint1"', '"tool"', '"world"', '"%s%n"', '"{0}"', '"*/ #include"', r'"\\input{x}"', '"__class__"',
    '"q1"', '"=1+1"', '"1 2 3"', '"0 0 0"', '"nan"', '"-1"',
]  # fmt: skip
SIGNS = [
    "\0", "\x1b[2J", "\x9b", "\ufeff", "\u2028", "\x85", "\x0c", "\t", "\r", "\u0301", "→", *"()[]{};\"'<>&\\#=:,@",
    "*/", "--", "!",
]  # fmt: skip
NESTED = ["(", "[", "{", "-", "not ", "NOT ", "<a>", "[[", "{a=", "sin("]


def mutated(text: str, rng: random.Random, others: list[str]) -> str:
    """After one to five accidents."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        text = rng.choices(list(ACCIDENTS), ACCIDENTS.values())[0](text, rng, others) or "x"
    return text[:1_000_000]


def _tokens(text: str) -> list[tuple[str, str | None]]:
    return [(found[0], found.lastgroup) for found in TOKEN.finditer(text)]


def _replaced(kind: str | None, choices: Callable[[random.Random, list[str]], str]) -> Callable[..., str]:
    """One token of a kind, of any kind without a word, made into something else."""

    def accident(text: str, rng: random.Random, others: list[str]) -> str:
        tokens = _tokens(text)
        places = [i for i, (token, its) in enumerate(tokens) if not token.isspace() and kind in (None, its)]
        if not places:
            return text
        at = rng.choice(places)
        alike = [tokens[i][0] for i in places]
        return "".join(choices(rng, [token, *alike]) if i == at else token for i, (token, _) in enumerate(tokens))

    return accident


def _number(rng: random.Random, alike: list[str]) -> str:
    return rng.choice(VALUES) if rng.random() < 0.7 else f"{rng.choice([rng.gauss(0, 3), rng.gauss(0, 1e6)]):.6g}"


def _lines(change: Callable[[list[str], random.Random], None]) -> Callable[..., str]:
    def accident(text: str, rng: random.Random, others: list[str]) -> str:
        lines = text.split("\n")
        change(lines, rng)
        return "\n".join(lines)

    return accident


def _many(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    lines[at : at + 1] = [lines[at]] * rng.choice((2, 3, 20))


def _swap(lines: list[str], rng: random.Random) -> None:
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def _borrowed(text: str, rng: random.Random, others: list[str]) -> str:
    lines, other = text.split("\n"), rng.choice(others).split("\n")
    first, at = rng.randrange(len(other)), rng.randrange(len(lines) + 1)
    lines[at:at] = other[first : first + rng.randint(1, 12)]
    return "\n".join(lines)


def _inserted(text: str, rng: random.Random, others: list[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(SIGNS) + text[at:]


def _noise(text: str, rng: random.Random, others: list[str]) -> str:
    letters = list(text)
    for _ in range(rng.choice((1, 3, 10))):
        letters[rng.randrange(len(letters))] = chr(rng.choice((rng.randrange(32, 127), rng.randrange(256))))
    return "".join(letters)


ACCIDENTS: dict[Callable[..., str], int] = {
    _replaced("number", _number): 30,
    _replaced("text", lambda rng, _: rng.choice(TEXTS)): 8,
    _replaced("word", lambda rng, alike: rng.choice(alike)): 9,
    _replaced(None, lambda rng, alike: rng.choice(alike)): 8,
    _replaced(None, lambda rng, alike: ""): 9,
    _replaced(None, lambda rng, alike: alike[0] * rng.choice((2, 50, 5000))): 2,
    _replaced(None, lambda rng, alike: rng.choice(NESTED) * rng.choice((50, 300, 3000)) + alike[0]): 3,
    _lines(lambda lines, rng: lines.pop(rng.randrange(len(lines)))): 6,  # type: ignore[arg-type, return-value]
    _lines(_many): 5,
    _lines(_swap): 4,
    _borrowed: 4,
    _inserted: 4,
    _noise: 3,
    lambda text, rng, others: text[: rng.randrange(len(text) + 1)]: 2,
    lambda text, rng, others: text.replace("\n", rng.choice(("\r\n", "\r"))): 1,
    lambda text, rng, others: "\ufeff" + text: 1,
}


@dataclass(frozen=True)
class Case:
    """A command line whose words may name the file ``input``, and what is in it."""

    words: tuple[str, ...]
    suffix: str = ""
    content: bytes = b""


def case(seed: int, *, thorough: bool = False) -> Case:
    """``thorough`` inputs may also be simulated and derived, which takes longer."""
    rng = random.Random(seed)
    kind = rng.choices(["arm", "urdf", "irl", "v2", "scenario", "words"], (28, 20, 16, 14, 12, 10))[0]
    if kind == "words":
        return Case(_words(rng))
    seeds = _seeds(kind)
    raw = bytearray(mutated(rng.choice(seeds), rng, seeds).encode("utf-8", "replace"))
    if rng.random() < 0.02:
        for _ in range(3):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
    suffix = {"arm": "toml", "scenario": "toml"}.get(kind, kind)
    return Case(_command(kind, rng, thorough), f".{suffix}", bytes(raw))


def _command(kind: str, rng: random.Random, thorough: bool) -> tuple[str, ...]:
    if kind in ("arm", "urdf"):
        ways: list[tuple[str, ...]] = [("show", "input", "--json")] * 5 + [("show", "input")] * 2
        ways += [("export", "input", "--to", "urdf"), ("export", "input", "--to", "mjcf")]
        if thorough and rng.random() < 0.1:
            what, to = (
                rng.choice(("gravity", "pose", "mass-matrix")),
                rng.choice(("c", "latex", "python", "json", "text")),
            )
            ways = [("derive", "input", "--what", what, "--effort", "none", "--to", to)]
        return rng.choice(ways)
    if kind == "scenario":
        return ("simulate", "input", "--json") if thorough else ("read", "input")
    robot = "rl15" if kind == "irl" else rng.choice(("puma560", "asea-irb"))
    if rng.random() < (0.3 if thorough else 0.6):
        return "check", "input", "--syntax-only", "--json"
    more = rng.choice(((), ("--json",), ("--csv", "table", "--report", "page"), ("--fastest", "-o", "new")))
    return "check", "input", "--robot", robot, "--dt", "0.05", *more


def _words(rng: random.Random) -> tuple[str, ...]:
    """A command line, its options at random."""
    number = lambda: rng.choice([*NUMBERS, "", "x", "\x1b[1m"])  # noqa: E731
    robot = lambda: rng.choice(("planar2", "puma56", "", "\x1b[31m", "a/b.toml", "x" * 300, "input"))  # noqa: E731
    options: dict[str, list[Callable[[], tuple[str, ...]]]] = {
        "show": [lambda: ("--json",), lambda: ("--package-path", "nowhere"), lambda: ("--allow-nonphysical",)],
        "export": [lambda: ("--to", rng.choice(("urdf", "mjcf", "step", ""))), lambda: ("-o", "new")],
        "derive": [
            lambda: ("--what", rng.choice(("gravity", "pose", "nothing", "", "mass-matrix"))),
            lambda: ("--by", rng.choice(("kane", "newton-euler", "x", ""))),
            lambda: ("--parameters", rng.choice(("numeric", "symbolic", "base", "x"))),
            lambda: ("--frame", rng.choice(("tool", "link1", "x", ""))),
            lambda: ("--to", rng.choice(("text", "latex", "c", "python", "json", "sympy", "x"))),
            lambda: ("--effort", rng.choice(("none", "normal", "x"))),
            lambda: ("--lengths",),
        ],
        "check": [
            lambda: ("--dt", number()),
            lambda: ("--payload", number()),
            lambda: ("--force", number(), number(), number()),
            lambda: ("--times-speed", number()),
            lambda: ("--times-acceleration", number()),
            lambda: ("--timing", rng.choice(("paul", "quintic", "x"))),
            lambda: ("--overlap",),
            lambda: ("--robot", rng.choice(("rl15", "planar2", "x"))),
            lambda: ("--syntax-only",),
        ],
        "simulate": [lambda: ("--plot", "a.bmp"), lambda: ("--csv", "no/a.csv"), lambda: ("--json",)],
        "robots": [lambda: ("--json", "x"), lambda: ("--help",)],
        "compare": [lambda: ("--what", rng.choice(("x", ""))), lambda: ("--papers", "nobody")],
        "\x1b[31m": [tuple],
        "": [tuple],
    }
    command = rng.choice(list(options))
    files = {"check": str(ROOT / "examples/programs/rl15_tour.irl"), "simulate": "nothing.toml"}
    words: list[str] = [command, files.get(command) or robot()]
    for option in rng.sample(options[command], rng.randint(0, min(3, len(options[command])))):
        words += option()
    if rng.random() < 0.1:
        words.insert(rng.randrange(len(words) + 1), rng.choice(("--", "-", "--x", "--json=1", "\0", "-o", "é")))
    return tuple(words)


@cache
def _seeds(kind: str) -> list[str]:
    """Small inputs that are right, to begin with."""
    if kind == "arm":
        library = sorted((ROOT / "src/torsor/model/library").glob("*.toml"))
        return [path.read_text() for path in library] + _blocks("toml", "[[link]]") * 3
    if kind == "urdf":
        arms = [write_urdf(load_model(name)) for name in ("planar2", "scara", "planar3")]
        return arms * 2 + [text for text in _blocks("xml", "<robot") if "<joint" in text] * 3
    if kind == "scenario":
        return [SCENARIO.format(law=law, reference=reference) for law in LAWS for reference in REFERENCES]
    programs = [path.read_text() for path in sorted((ROOT / "examples/programs").glob(f"*.{kind}"))]
    return programs + [{"irl": IRL, "v2": VAL}[kind]] * 4


def _blocks(language: str, holding: str) -> list[str]:
    pages = "".join(path.read_text() for path in sorted((ROOT / "docs").glob("*.md")))
    found = re.findall(rf"^```{language}\n(.*?)^```$", pages, re.MULTILINE | re.DOTALL)
    return [text for text in found if holding in text]


SCENARIO = 'name = "x"\narm = "planar2"\nduration = 0.02\nstart = {{ q = [0.1, 0] }}\n{law}\n{reference}\n'
LAWS = [
    '[law]\nkind = "pd-gravity"\nKp = 50\nKd = [10, 5]',
    '[law]\nkind = "computed-torque"\nKp = 100\nKd = 20',
    '[law]\nkind = "slotine-li"\nLambda = 5\nK = 10\nGamma = 1',
    '[law]\nkind = "pid"\nKp = 100\nKi = 10\nKd = 20\n[controller]\nperiod = "2 ms"\ndelay = "2 ms"\n'
    'encoder = { resolution = "0.005 deg", noise = "0.002 deg", seed = 1 }',
    '[law]\nkind = "pd-gravity"\nKp = 50\nKd = 5\n[[wrench]]\nkind = "pulse"\nforce = [0, 1, 0]\nstart = 0.005\n'
    'duration = "10 ms"\n[[payload]]\ntime = 0.01\nmass = 2',
]
REFERENCES = [
    '[reference]\nkind = "sine"\ncentre = 0.1\namplitude = [0.2, 0.1]\nfrequency = 1\nphase = 0',
    '[reference]\nkind = "quintic"\npoints = [[0, 0], [0.5, "30 deg"], [1, 1]]\ndurations = [0.1, 0.1]',
    '[reference]\nkind = "trapezoid"\npoints = [[0, 0], [0.5, 0.3]]\nspeed = 1\nacceleration = 2',
    '[reference]\nkind = "point"\nq = [0.3, "20 deg"]',
]
IRL = """program t;
type
  record r; real: x; int: n; endrecord;
endtype
var
  r: a;
  array[1..9] of real: v;
  int: i; bool: b; string: s = "abc";
  robtarg: p = robtarg(((1100, 300, 800), (15, -60, -175)), 4);
  joint: home = joint(mainjoint(0, 0, 0));
endvar
function f(real: x): real;
  if x > 10 then return x; endif;
  return f(x * 2);
endfunction;
seq
  for i := 1 to 9 step 2 do v[i] := f(i) div 2; endfor;
  while i < 3 do i := i + 1; endwhile;
  case i of when 1, 2: wait 1; otherwise wait 0.1; endcase;
  a.x := v[1] / (1 + v[3]);
  b := not (a.x > 1) and (i <> 2) or (5 mod 3 = 1);
  move ptp p speed_ptp=0.8 acc_ptp=1;
  move lin p + position(0, 0, -100) speed=600 acc=2500 c_cp=20;
  payload(2, 0, 0, 10);
  move ptp home;
  halt;
endseq
endprogram
"""
VAL = """.PROGRAM main(a, b)
  LOCAL x
  x = 1
  POINT #r 0 90 -90 0 -60 0
  SPEED 40
  MOVE #r
  FOR i = 1 TO 9 STEP 2
    x = x + SIN(i) * SQRT(ABS(x)) / (1 + i)
    IF x > 5 GOTO 10
    CASE x OF
      VALUE 1, 2:
        DELAY 0.1
      ANY
        DURATION 0.5
    END
  END
10 WHILE x < 3 DO
    x = x + 1
    CALL sub(x, 2)
  END
  TYPE "x is ", x
  SIGNAL 3, -4
  MOVE #PPOINT(0, 80, -90, 0, -60, 0)
  STOP
.END
.PROGRAM sub(n, m)
  n = n + m
.END
"""
