"""The arms of the library as Markdown, from what their files say."""

import torsor
from torsor.reach import reach


def library_markdown() -> str:
    arms = [torsor.load(name) for name in torsor.robots()]
    return _overview(arms) + "".join(_picture(arm.name) for arm in arms) + "".join(_section(arm) for arm in arms)


def picture_of(name: str) -> str:
    """The picture of an arm, from this folder."""
    return f"pictures/arm-{name}.png"


def _picture(name: str) -> str:
    """One of a row of pictures; a click leads to what is said of its arm."""
    return f'\n```{{image}} {picture_of(name)}\n:alt: {name}\n:width: 23%\n:target: "#{name}"\n```\n'


def _overview(arms) -> str:
    head = "\n| arm | joints | mass kg | reach m | drives | loops |\n| --- | --- | ---: | ---: | ---: | ---: |\n"
    rows = [
        f"| [{arm.name}](#{arm.name}) | {arm.model.kinds} | {_mass(arm.model)} | {_metres(arm)} "
        f"| {len(arm.model.drives) or '-'} | {len(arm.model.loops) or '-'} |\n"
        for arm in arms
    ]
    return head + "".join(rows)


def _mass(model) -> str:
    return "-" if model.links_without_inertia else f"{model.total_mass:.5g}"


def _metres(arm) -> str:
    distance = reach(arm).distance
    return "any" if distance is None else f"{distance:.3f}"


def _section(arm) -> str:
    model = arm.model
    parts = [f"\n## {arm.name}\n", f"{_plain(model.source)}\n"]
    if model.corrections:
        parts.append(
            "\nCorrections and assumptions:\n\n" + "".join(f"- {_plain(line)}\n" for line in model.corrections)
        )
    if impossible := model.nonphysical():
        parts.append("\nPublished as it is, though no body has it:\n\n")
        parts += [f"- {name}: {_plain('; '.join(problems))}\n" for name, problems in impossible.items()]
    return "\n".join(parts[:2]) + "".join(parts[2:])


def _plain(text: str) -> str:
    """Text that Markdown leaves alone."""
    for sign in "\\`*_<>[]|":
        text = text.replace(sign, "\\" + sign)
    return text
