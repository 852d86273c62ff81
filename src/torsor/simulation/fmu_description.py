"""modelDescription.xml of an FMU, for FMI 2.0 and 3.0."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from torsor.simulation.fmu_model import FmuModel
from torsor.simulation.fmu_variables import UNITS, FmuVariable

SOURCES = ("model.c", "fmu_core.c")
Attributes = dict[str, object]


def description(model: FmuModel, fmi: str, name: str, token: str, *, version: str, text: str, sources: bool) -> str:
    """``token`` is what an importer must show to make an instance, ``text`` what the FMU says of itself."""
    two = fmi == "2.0"
    about: Attributes = {
        "fmiVersion": fmi,
        "modelName": name,
        ("guid" if two else "instantiationToken"): token,
        "description": text,
        "generationTool": f"Torsor {version}",
        "variableNamingConvention": "structured",
    }
    if two:
        about["numberOfEventIndicators"] = model.plant.many
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<fmiModelDescription{_written(about)}>"]
    lines += _kinds(name, two, sources)
    lines += _units(two)
    lines += ["  <LogCategories>", '    <Category name="logStatusError"/>', "  </LogCategories>"]
    lines.append(f'  <DefaultExperiment startTime="0" stepSize="{model.stepper.dt!r}"/>')
    lines.append("  <ModelVariables>")
    for reference, variable in enumerate(model.variables):
        lines += _variable(model, reference, variable, two)
    if not two and model.plant.many:
        lines += _indicators(model)
    lines.append("  </ModelVariables>")
    lines += _structure(model, two)
    return "\n".join([*lines, "</fmiModelDescription>", ""])


def _written(attributes: Attributes) -> str:
    return "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())


def _kinds(name: str, two: bool, sources: bool) -> list[str]:
    files = ("fmi2.c" if two else "fmi3.c", *SOURCES)
    lines = []
    shared: Attributes = {"modelIdentifier": name}
    shared["canGetAndSetFMUstate" if two else "canGetAndSetFMUState"] = "true"
    for kind in ("ModelExchange", "CoSimulation"):
        own = dict(shared)
        if kind == "CoSimulation":
            own["canHandleVariableCommunicationStepSize"] = "true"
        if two and sources:
            lines += [f"  <{kind}{_written(own)}>", "    <SourceFiles>"]
            lines += [f'      <File name="{file}"/>' for file in files]
            lines += ["    </SourceFiles>", f"  </{kind}>"]
        else:
            lines.append(f"  <{kind}{_written(own)}/>")
    return lines


def _units(two: bool) -> list[str]:
    lines = ["  <UnitDefinitions>"]
    for unit, powers in UNITS.items():
        base = "".join(f' {name}="{power}"' for name, power in powers.items())
        lines += [f'    <Unit name="{unit}">', f"      <BaseUnit{base}/>", "    </Unit>"]
    return [*lines, "  </UnitDefinitions>"]


def _variable(model: FmuModel, reference: int, v: FmuVariable, two: bool) -> list[str]:
    variability = "tunable" if v.causality == "parameter" else "continuous"
    initial = {"input": "", "independent": ""}.get(v.causality, "exact" if v.start is not None else "calculated")
    about: Attributes = {"name": v.name, "valueReference": reference, "causality": v.causality}
    about |= {"variability": variability, "description": v.description}
    if initial:
        about["initial"] = initial
    own: Attributes = {"unit": v.unit} if v.unit else {}
    if v.start is not None:
        own["start"] = repr(v.start)
    if v.derivative_of:
        other = model.reference(v.derivative_of)
        own["derivative"] = other + 1 if two else other
    if two:
        head = f"    <ScalarVariable{_written(about)}>"
        return [head, f"      <Real{_written(own)}/>", "    </ScalarVariable>"]
    return [f"    <Float64{_written(about | own)}/>"]


def _indicators(model: FmuModel) -> list[str]:
    """Variables behind the others that stand for event indicators, which FMI 3.0 wants to be named."""
    count = len(model.variables)
    return [
        f'    <Float64 name="sticking.indicator{k + 1}" valueReference="{count + k}" causality="local" '
        'variability="continuous" initial="calculated" description="passes zero where an element sticks or slides"/>'
        for k in range(model.plant.many)
    ]


def _structure(model: FmuModel, two: bool) -> list[str]:
    variables = list(enumerate(model.variables))
    outputs = [k for k, v in variables if v.causality == "output"]
    derivatives = [k for k, v in variables if v.derivative_of]
    calculated = [
        k for k, v in variables if (v.causality == "output" and v.start is None) or v.derivative_of
        or (v.causality == "local" and v.start is None)
    ]  # fmt: skip
    lines = ["  <ModelStructure>"]
    if two:
        for title, listed in (("Outputs", outputs), ("Derivatives", derivatives), ("InitialUnknowns", calculated)):
            if listed:
                lines += [f"    <{title}>", *(f'      <Unknown index="{k + 1}"/>' for k in listed), f"    </{title}>"]
    else:
        named = (("Output", outputs), ("ContinuousStateDerivative", derivatives), ("InitialUnknown", calculated))
        for title, listed in named:
            lines += [f'    <{title} valueReference="{k}"/>' for k in listed]
        count = len(model.variables)
        lines += [f'    <EventIndicator valueReference="{count + k}"/>' for k in range(model.plant.many)]
    return [*lines, "  </ModelStructure>"]
