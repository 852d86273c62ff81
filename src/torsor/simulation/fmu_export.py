"""A simulation written as an FMU: sources, description and, where there is a C compiler, the compiled library."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Literal, get_args

from torsor.emit.expressions import identifier
from torsor.errors import Unsupported, did_you_mean
from torsor.model.arm_facts import arm_facts
from torsor.model.files import ready, write_bytes
from torsor.simulation.fmu_description import SOURCES, description
from torsor.simulation.fmu_model import FmuModel
from torsor.simulation.torques import notice
from torsor.version import version

FmiVersion = Literal["2.0", "3.0"]
STATIC = ("fmu_core.h", "fmu_both.h", "fmu_core.c")
FLAGS = ("-std=c99", "-O2", "-shared", "-fPIC", "-fvisibility=hidden")
WHEN = (1980, 1, 1, 0, 0, 0)  # what is written of the same model is the same


def fmu_bytes(model: FmuModel, name: str, fmi: FmiVersion, notes: Collection[str] = ()) -> bytes:
    """The FMU as it is written to a file."""
    if fmi not in get_args(FmiVersion):
        raise Unsupported(f"there is no FMI {fmi!r}", hint=did_you_mean(str(fmi), get_args(FmiVersion)))
    arm = model.plant.arm
    facts = [f"{label} {text}".strip() for label, text in arm_facts(arm.model, arm.joint_names)]
    text = "; ".join([f"{arm.name}, by torsor", *notes, *facts])
    word = identifier(name)
    token = "{" + _token(model, text, fmi) + "}"
    sources = _sources(model, token, fmi)
    library = _compiled(sources)
    if library is None:
        notice("no C compiler was found (cc): the FMU holds sources alone, for importers that compile")
    files: dict[str, bytes] = {
        "modelDescription.xml": description(
            model, fmi, word, token, version=version(), text=text, sources=True
        ).encode()
    }
    files |= {f"sources/{file}": content.encode() for file, content in sources.items()}
    if fmi == "3.0":
        files["sources/buildDescription.xml"] = _build(word, fmi).encode()
    if library is not None:
        files[f"binaries/{_platform(fmi)}/{word}{_suffix()}"] = library
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            archive.writestr(zipfile.ZipInfo(file, WHEN), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def write_fmu(model: FmuModel, path: str | Path, fmi: FmiVersion, notes: Collection[str] = ()) -> None:
    ready({"the FMU": path})
    write_bytes(path, fmu_bytes(model, Path(path).stem, fmi, notes))


def _token(model: FmuModel, text: str, fmi: str) -> str:
    """By content: what differs has another."""
    whole = "".join([*model.sources("").values(), text, fmi, *(v.name for v in model.variables)])
    digest = blake2b(whole.encode(), digest_size=16).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]))


def _sources(model: FmuModel, token: str, fmi: str) -> dict[str, str]:
    place = Path(__file__).parent / "fmu_sources"
    files = (*STATIC, "fmi2.c" if fmi == "2.0" else "fmi3.c")
    return {file: (place / file).read_text(encoding="utf-8") for file in files} | model.sources(token)


def _compiled(sources: dict[str, str]) -> bytes | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as place:
        for file, content in sources.items():
            Path(place, file).write_text(content, encoding="utf-8")
        units = [file for file in sources if file.endswith(".c")]
        made = Path(place, "library")
        done = subprocess.run(
            [compiler, *FLAGS, *units, "-o", str(made), "-lm"], cwd=place, capture_output=True, text=True
        )
        if done.returncode:
            raise Unsupported(f"the C compiler refused the FMU: {done.stderr[:400]}", hint="this is a bug of ours")
        return made.read_bytes()


def _platform(fmi: str) -> str:
    system, machine = sys.platform, platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if fmi == "2.0":
        return {"linux": "linux64", "darwin": "darwin64", "win32": "win64"}.get(system, system)
    return f"{machine}-{ {'win32': 'windows'}.get(system, system) }".replace(" ", "")


def _suffix() -> str:
    return {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


def _build(name: str, fmi: str) -> str:
    files = "".join(f'      <SourceFile name="{file}"/>\n' for file in ("fmi3.c", *SOURCES))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<fmiBuildDescription fmiVersion="{fmi}">\n'
        f'  <BuildConfiguration modelIdentifier="{name}">\n'
        f'    <SourceFileSet language="C99">\n{files}    </SourceFileSet>\n'
        "  </BuildConfiguration>\n</fmiBuildDescription>\n"
    )
