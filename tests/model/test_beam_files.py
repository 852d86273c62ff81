"""Bad beams and springs in arm files: each is refused with its line, what is wrong and what would be right."""

# ruff: noqa: E501  (messages are kept whole)

from __future__ import annotations

import pytest

from torsor.errors import DescriptionWarning, ModelError
from torsor.model.armfile import parse_arm_file

# beam keys begin in line 10
ARM = """name = "arm"
frames = "standard-dh"
[[link]]
joint = "revolute"
a = 0.6
mass = 4.0
com = [-0.3, 0, 0]
inertia = [0.05, 0.2, 0.2]
[link.beam]
{beam}
[[link]]
joint = "revolute"
mass = 1
"""
TUBE = 'section = { tube = ["80 mm", "4 mm"] }\n'
ALUMINIUM = 'material = "aluminium"\n'
GOOD = TUBE + ALUMINIUM
NUMBERS = "section = {{ area = {area}, Iy = {Iy}, Iz = {Iz}, J = {J} }}\nup = [0, 0, 1]\n" + ALUMINIUM


def numbers(area="9e-4", Iy="4e-8", Iz="3e-8", J="2e-8") -> str:
    return NUMBERS.format(area=area, Iy=Iy, Iz=Iz, J=J)


def extent(given: str) -> str:
    return numbers().replace(" }\n", f", extent = {given} }}\n", 1)


def material(E="7e10", nu="0.3", rho="2700", more="") -> str:
    return f"{TUBE}material = {{ E = {E}, nu = {nu}, rho = {rho}{more} }}\n"


BAD_BEAMS = {
    "SIMASEA's printed moments": (
        numbers(Iy="0.04", Iz="0.03", J="0.2"),
        ":10: the beam of link 'link1': radius of gyration 6.7 m in a link of 0.6 m; did you mean 1e-6 m^4? Iy is 0.04 m^4 with an area of 0.0009 m^2",
    ),
    "sizes in mm without a word": (
        "section = { tube = [80, 4] }\n" + ALUMINIUM,
        ":10: the beam of link 'link1': radius of gyration 27 m in a link of 0.6 m (tube 80000 mm x 4000 mm); sizes are in m: write \"80 mm\" or 0.08",
    ),
    "larger than any section": (
        "section = { bar = [800, 400] }\nup = [0, 0, 1]\n" + ALUMINIUM,
        ':10: link[1].beam.section: the width of the bar is 800 m; sizes are in m: write "80 mm" or 0.08',
    ),
    "no area": (
        numbers(area="0"),
        ":10: link[1].beam.section: area is 0 m^2; it is above zero and of a size that a link can have",
    ),
    "a negative area": (
        numbers(area="-9e-4"),
        ":10: link[1].beam.section: area is -0.0009 m^2; it is above zero and of a size that a link can have",
    ),
    "an absurd area": (
        numbers(area="1e300"),
        ":10: link[1].beam.section: area is 1e+300 m^2; it is above zero and of a size that a link can have",
    ),
    "no torsion constant": (
        numbers(J="0"),
        ":10: link[1].beam.section: J is 0 m^4; it is above zero and of a size that a link can have",
    ),
    "a moment that is not finite": (
        numbers(Iy="inf"),
        ":10: link[1].beam.section[1].Iy is inf; expected a finite number",
    ),
    "a wall thicker than the radius": (
        'section = { tube = ["80 mm", "41 mm"] }\n' + ALUMINIUM,
        ":10: link[1].beam.section: a tube of 80 mm cannot have a wall of 41 mm; the wall is at most half the outer diameter: tube = [outer diameter, wall]",
    ),
    "a box that is all wall": (
        'section = { box = ["80 mm", "40 mm", "20 mm"] }\nup = [0, 0, 1]\n' + ALUMINIUM,
        ":10: link[1].beam.section: a box of 80 mm x 40 mm cannot have a wall of 20 mm; the wall is below half the smaller side; a solid one is a bar",
    ),
    "a rod of no diameter": (
        "section = { rod = [0] }\n" + ALUMINIUM,
        ":10: link[1].beam.section: the diameter of the rod is 0 m; it is above zero",
    ),
    "a tube of one number": (
        'section = { tube = ["80 mm"] }\n' + ALUMINIUM,
        ":10: link[1].beam.section[1].tube has 1 number; expected [outer diameter, wall], in m",
    ),
    "two shapes": (
        'section = { tube = ["80 mm", "4 mm"], rod = [0.1] }\n' + ALUMINIUM,
        ":10: link[1].beam.section: it is a tube and more; give one of tube, box, bar, rod, or area, Iy, Iz and J",
    ),
    "no shape": (
        "section = { }\n" + ALUMINIUM,
        ":10: link[1].beam.section: this is no section; give one of tube, box, bar, rod, or area, Iy, Iz and J",
    ),
    "half a section": (
        "section = { area = 9e-4, Iy = 4e-8 }\n" + ALUMINIUM,
        ":10: link[1].beam.section: Iz, J missing; give one of tube, box, bar, rod, or area, Iy, Iz and J",
    ),
    "an unknown shape": (
        "section = { pipe = [0.08, 0.004] }\n" + ALUMINIUM,
        ":10: unknown key link[1].beam.section[1].pipe; did you mean 'tube'? known: tube, box, bar, rod, area, Iy, Iz, J, shear, extent",
    ),
    "no section": (
        ALUMINIUM,
        ':9: missing link[1].beam.section; expected a table such as { tube = ["80 mm", "4 mm"] }, or a list with one for each piece',
    ),
    "two sections for one piece": (
        "section = [{ rod = [0.02] }, { rod = [0.03] }]\n" + ALUMINIUM,
        ":10: link[1].beam.section has 2 sections for 1 piece; give one, or one for each piece: there is one more than corners in through",
    ),
    "a section that Timoshenko cannot shear": (
        numbers() + 'theory = "timoshenko"\n',
        ":10: link[1].beam.section: Timoshenko's theory needs to know how it shears; give shear = [ky, kz], such as [0.83, 0.83]",
    ),
    "shear areas where coefficients are meant": (
        "section = { area = 9e-4, Iy = 4e-8, Iz = 3e-8, J = 2e-8, shear = [-1, 0.8] }\nup = [0, 0, 1]\n" + ALUMINIUM,
        ":10: link[1].beam.section: the shear coefficient ky is -1; shear = [ky, kz] are shares of the area that carry shear, such as 5/6",
    ),
    "an extent that no section has": (
        extent("[0.02, 0.005]"),
        ":10: link[1].beam.section: extent along z is 0.005 m, less than the radius of gyration 0.00667 m; no section has that: Iy is 4e-08 m^4 with an area of 0.0009 m^2",
    ),
    "an extent that no section has, along y": (
        extent("[0.005, 0.02]"),
        ":10: link[1].beam.section: extent along y is 0.005 m, less than the radius of gyration 0.00577 m; no section has that: Iz is 3e-08 m^4 with an area of 0.0009 m^2",
    ),
    "an extent of nothing": (
        extent("[0.02, 0]"),
        ':10: link[1].beam.section: extent along z is 0 m; extent = [cy, cz] are distances of the outermost fibres along y and z, such as "40 mm"',
    ),
    "an extent below zero": (
        extent("[-0.02, 0.02]"),
        ':10: link[1].beam.section: extent along y is -0.02 m; extent = [cy, cz] are distances of the outermost fibres along y and z, such as "40 mm"',
    ),
    "an extent in mm without a word": (
        extent("[200, 200]"),
        ':10: link[1].beam.section: extent along y is 200 m; extent = [cy, cz] are distances of the outermost fibres along y and z, such as "40 mm"',
    ),
    "an extent of one number": (
        extent("[0.02]"),
        ":10: link[1].beam.section[1].extent has 1 number; expected [cy, cz], how far the section reaches from its centroid along y and z, in m",
    ),
    "the extent of a tube": (
        'section = { tube = ["80 mm", "4 mm"], extent = [0.04, 0.04] }\n' + ALUMINIUM,
        ":10: link[1].beam.section: it is a tube and more; give one of tube, box, bar, rod, or area, Iy, Iz and J",
    ),
    "an extent alone": (
        "section = { extent = [0.04, 0.04] }\n" + ALUMINIUM,
        ":10: link[1].beam.section: area, Iy, Iz, J missing; give one of tube, box, bar, rod, or area, Iy, Iz and J",
    ),
    "no material": (
        TUBE,
        ":9: missing link[1].beam.material; give one of aluminium, steel, cast-iron, titanium, carbon, or { E = .., nu = .., rho = .. }",
    ),
    "an unknown material": (
        TUBE + 'material = "aluminum"\n',
        ":11: link[1].beam.material is 'aluminum'; did you mean 'aluminium'? known: aluminium, steel, cast-iron, titanium, carbon, or { E = .., nu = .., rho = .. }",
    ),
    "an incompressible material": (
        material(nu="0.5"),
        ":11: link[1].beam.material: nu is 0.5; Poisson's ratio is above -1 and below 0.5; metals have about 0.3",
    ),
    "nu of -1": (
        material(nu="-1"),
        ":11: link[1].beam.material: nu is -1; Poisson's ratio is above -1 and below 0.5; metals have about 0.3",
    ),
    "E in GPa": (
        material(E="70"),
        ':11: link[1].beam.material: E is 70 Pa; did you mean "70 GPa"? steel has 210e9 Pa',
    ),
    "a negative E": (
        material(E="-7e10"),
        ":11: link[1].beam.material: E is -7e+10 Pa; it is above zero and finite; steel has 210e9 Pa",
    ),
    "an absurd E": (
        material(E="1e300"),
        ":11: link[1].beam.material: E is 1e+300 Pa; it is above zero and finite; steel has 210e9 Pa",
    ),
    "E that is not a number": (
        material(E="nan"),
        ':11: link[1].beam.material.E is nan; expected a number in Pa, or a text such as "70 GPa"',
    ),
    "rho in g/cm^3": (
        material(rho="2.7"),
        ':11: link[1].beam.material: rho is 2.7 kg/m^3; did you mean "2.7 g/cm^3"? steel has 7850 kg/m^3',
    ),
    "no weight": (
        material(rho="0"),
        ":11: link[1].beam.material: rho is 0 kg/m^3; it is above zero and up to 1e+06; steel has 7850 kg/m^3",
    ),
    "yield in MPa": (
        material(more=", yield = 250"),
        ':11: link[1].beam.material: yield is 250 Pa; did you mean "250 MPa"? steel has 355e6 Pa',
    ),
    "no strength": (
        material(more=", yield = 0"),
        ":11: link[1].beam.material: yield is 0 Pa; it is above zero and finite; leave it out where it is not known",
    ),
    "a negative yield": (
        material(more=", yield = -250e6"),
        ":11: link[1].beam.material: yield is -2.5e+08 Pa; it is above zero and finite; leave it out where it is not known",
    ),
    "an unknown key of a material": (
        material(more=", yeild = 250e6"),
        ":11: unknown key link[1].beam.material.yeild; did you mean 'yield'? known: name, E, nu, rho, yield",
    ),
    "no length": (
        GOOD + "from = [0, 0, 0]\n",
        ":9: the beam of link 'link1': it has no length: it begins and ends at (0, 0, 0) m; let it end elsewhere (to, end), or put it on the link that is long",
    ),
    "a corner that is no corner": (
        GOOD + "through = [[-0.6, 0, 0]]\n",
        ":9: the beam of link 'link1': a piece of it has no length, at (-0.6, 0, 0) m; let it end elsewhere (to, end), or put it on the link that is long",
    ),
    "a corner of two numbers": (
        GOOD + "through = [[-0.6, 0]]\n",
        ":12: link[1].beam.through[1] has 2 numbers; expected a list of points in link axes, 3 lengths each",
    ),
    "up along the beam": (
        GOOD + "up = [-2, 0, 0]\n",
        ":12: the beam of link 'link1': up (-1, 0, 0) is along the beam; give a direction across all its pieces: y of a section is up x beam",
    ),
    "up of no direction": (
        GOOD + "up = [0, 0, 0]\n",
        ":12: link[1].beam.up is zero; give a direction such as [0, 0, 1]",
    ),
    "no up for a section that is not round": (
        'section = { bar = ["20 mm", "30 mm"] }\n' + ALUMINIUM,
        ":9: link[1].beam has no up, and a section that is not round; give a direction in link axes: the section's y is across it and the beam, its height is along it",
    ),
    "up in the axes of no link": (
        GOOD + 'up = [0, 0, 1]\nup_in = "link3"\n',
        ":13: link[1].beam.up_in is 'link3', which is no link; did you mean 'link2'? known: base, link1, link2",
    ),
    "more modes than the elements have": (
        GOOD + "elements = 2\nmodes = 13\n",
        ":13: the beam of link 'link1': 13 modes are asked for; its 2 elements have 12, six each: give 1 to 12, or more elements",
    ),
    "more modes than a single element has": (
        GOOD + "elements = 1\nmodes = 13\nthrough = [[-0.2, 0, 0]]\n",
        ":13: the beam of link 'link1': 13 modes are asked for; its 2 pieces of 1 element have 12, six each: give 1 to 12, or more elements",
    ),
    "no modes": (
        GOOD + "modes = 0\n",
        ":12: the beam of link 'link1': 0 modes are asked for; its 8 elements have 48, six each: give 1 to 48, or more elements",
    ),
    "modes by number and by frequency": (
        GOOD + 'modes = 5\nbelow = "400 Hz"\n',
        ":13: link[1].beam has both modes and below; give one of them",
    ),
    "a frequency below zero": (
        GOOD + "below = -1\n",
        ":12: the beam of link 'link1': modes below -1 Hz are asked for; give a frequency above zero",
    ),
    "half a mode": (GOOD + "modes = 2.5\n", ":12: link[1].beam.modes is 2.5; expected a whole number"),
    "no elements": (
        GOOD + "elements = 0\n",
        ":12: the beam of link 'link1': it has 0 elements a piece; give 1 to 1000",
    ),
    "damping in per cent": (
        GOOD + "damping = 2\n",
        ":12: the beam of link 'link1': the damping ratio is 2; 0.01 is one per cent; it is below 1",
    ),
    "negative damping of Rayleigh": (
        GOOD + "damping = { rayleigh = [0.1, -1e-4] }\n",
        ":12: the beam of link 'link1': Rayleigh's a and b are [0.1, -0.0001]; both are zero or more: C = a M + b K",
    ),
    "two dampings": (
        GOOD + "damping = { ratio = 0.01, rayleigh = [0.1, 1e-4] }\n",
        ":12: link[1].beam.damping has both a ratio and rayleigh; give one of them",
    ),
    "damping in words": (
        GOOD + 'damping = "little"\n',
        ":12: link[1].beam.damping.ratio is 'little'; expected the damping ratio of every mode, or { rayleigh = [a, b] }",
    ),
    "a beam heavier than its link, of which it is a part": (
        'section = { rod = ["200 mm"] }\nmaterial = "steel"\nmass = "share"\n',
        ':12: the beam of link \'link1\': it weighs 148 kg, more than the 4 kg of its link, which it shares; make it lighter, or say mass = "beside" or "instead"',
    ),
    "a beam that leaves a body that cannot be": (
        GOOD + 'mass = "share"\nend = [0.6, 0, 0]\n',
        ':12: the beam of link \'link1\': without it the link would be a body that cannot be: inertia is not positive semidefinite: principal moments (-1.40357, -1.40357, 0.0455194) kg m^2; make it lighter, or say mass = "beside" or "instead"; allow_nonphysical = true accepts it',
    ),
    "an unknown rule": (
        GOOD + 'mass = "besides"\n',
        ":12: link[1].beam.mass is 'besides'; it must be 'beside', 'instead' or 'share'",
    ),
    "an unknown theory": (
        GOOD + 'theory = "timo"\n',
        ":12: link[1].beam.theory is 'timo'; it must be 'euler-bernoulli' or 'timoshenko'",
    ),
    "an end that is no child": (
        GOOD + 'to = "lnk2"\n',
        ":12: link[1].beam.to is 'lnk2', which is not carried by link 'link1'; did you mean 'link2'? known: link2",
    ),
    "the tool that another link carries": (
        GOOD + 'to = "tool"\n',
        ":12: link[1].beam.to is 'tool', which is not carried by link 'link1'; known: link2",
    ),
    "an unknown key of a beam": (
        GOOD + "density = 3\n",
        ":12: unknown key link[1].beam.density; known: to, through, end, section, from, up, up_in, material, theory, rotary, elements, modes, below, damping, mass, branch",
    ),
    "a branch to nowhere": (
        GOOD + "[[link.beam.branch]]\nsection = { rod = [0.02] }\n",
        ":12: link[1].beam.branch[1] does not say where it ends; give to, or end in link axes",
    ),
    "a branch to the end of the beam": (
        GOOD + '[[link.beam.branch]]\nto = "link2"\nsection = { rod = [0.02] }\n',
        ":13: link[1].beam.branch[1].to is 'link2', where the beam itself ends; a branch leads elsewhere",
    ),
    "a branch with a bad section": (
        GOOD + "[[link.beam.branch]]\nend = [0, 1, 0]\nsection = { rod = [0] }\n",
        ":14: link[1].beam.branch[1].section: the diameter of the rod is 0 m; it is above zero",
    ),
}


@pytest.mark.parametrize("name", BAD_BEAMS)
def test_bad_beams(name):
    beam, message = BAD_BEAMS[name]
    with pytest.raises(ModelError) as caught:
        parse_arm_file(ARM.format(beam=beam), "arm.toml")
    assert str(caught.value) == f"arm.toml{message}"


HEAD = 'name = "arm"\nframes = "standard-dh"\n'
TURNS = '[[link]]\njoint = "revolute"\na = 1\nmass = 1\n'
SLIDES = '[[link]]\njoint = "prismatic"\nmass = 1\n'
FIXED = '[[link]]\njoint = "fixed"\na = 1\nmass = 1\n'
DRIVE = "[[drive]]\nratio = { joint1 = 100 }\nrotor = { inertia = 1e-4 }\n"

BAD_SPRINGS = {
    "a sliding joint in N m": (
        TURNS + SLIDES + 'compliance = { stiffness = "2e4 N m/rad" }\n',
        ":10: link[2].compliance.stiffness is '2e4 N m/rad', but joint 'joint2' slides; give it in N/m",
    ),
    "damping of a sliding joint in N m": (
        TURNS + SLIDES + '[link.compliance]\nstiffness = 2e4\ndamping = "3 N m s/rad"\n',
        ":12: link[2].compliance.damping is '3 N m s/rad', but joint 'joint2' slides; give it in N s/m",
    ),
    "a turning joint in N/m": (
        TURNS + '[link.compliance]\nstiffness = "2e4 N/m"\n',
        ":8: link[1].compliance.stiffness is '2e4 N/m', but joint 'joint1' turns; give it in N m/rad",
    ),
    "a unit that is none": (
        TURNS + '[link.compliance]\nstiffness = "2e4 Nm"\n',
        ":8: link[1].compliance.stiffness is '2e4 Nm'; expected a number in N m/rad (N/m where the joint slides), or a text such as \"2e4 N m/rad\"",
    ),
    "no stiffness": (
        TURNS + "[link.compliance]\ndamping = 3\n",
        ':7: missing link[1].compliance.stiffness; expected a number in N m/rad (N/m where the joint slides), or a text such as "2e4 N m/rad"',
    ),
    "stiffness of zero": (
        TURNS + "[link.compliance]\nstiffness = 0\n",
        ":8: the compliance of joint 'joint1' has the stiffness 0; it is above zero; leave it out where the joint is rigid",
    ),
    "absurd stiffness": (
        TURNS + "[link.compliance]\nstiffness = 1e30\n",
        ":8: the compliance of joint 'joint1' has the stiffness 1e+30; it is above zero; leave it out where the joint is rigid",
    ),
    "negative damping": (
        TURNS + "[link.compliance]\nstiffness = 1e3\ndamping = -1\n",
        ":9: the compliance of joint 'joint1' has the damping -1; it is zero or more",
    ),
    "a bearing without stiffness": (
        TURNS + "[link.compliance]\nstiffness = 1e3\ntilt = [1e5, 0]\n",
        ":9: the compliance of joint 'joint1' has the tilt [100000.0, 0.0] N m/rad; both are above zero; leave it out where it is rigid",
    ),
    "a bearing that pushes": (
        TURNS + "[link.compliance]\ntilt = [-1e5, 1e5]\n",
        ":8: the compliance of joint 'joint1' has the tilt [-100000.0, 100000.0] N m/rad; both are above zero; leave it out where it is rigid",
    ),
    "a bearing that is no number": (
        TURNS + "[link.compliance]\ntilt = [nan, 1e5]\n",
        ":8: link[1].compliance.tilt[1] is nan; expected 2 numbers in N m/rad, about x and y across the axis",
    ),
    "a bearing with one stiffness": (
        TURNS + "[link.compliance]\ntilt = [1e5]\n",
        ":8: link[1].compliance.tilt has 1 number; expected 2 numbers in N m/rad, about x and y across the axis",
    ),
    "a bearing of a sliding joint in N/m": (
        TURNS + SLIDES + '[link.compliance]\ntilt = ["1e5 N/m", 1e5]\n',
        ":11: link[2].compliance.tilt[1] is '1e5 N/m'; expected 2 numbers in N m/rad, about x and y across the axis",
    ),
    "damping of a bearing that is rigid": (
        TURNS + "[link.compliance]\nstiffness = 1e3\ntilt_damping = [1, 1]\n",
        ":9: the compliance of joint 'joint1' has a tilt_damping without a tilt; give tilt = [kx, ky] with it",
    ),
    "a bearing that is driven by its damping": (
        TURNS + "[link.compliance]\ntilt = [1e5, 1e5]\ntilt_damping = [1, -1]\n",
        ":9: the compliance of joint 'joint1' has the tilt_damping [1.0, -1.0]; both are zero or more",
    ),
    "damping without stiffness": (
        TURNS + "[link.compliance]\ndamping = 3\ntilt = [1e5, 1e5]\n",
        ":8: the compliance of joint 'joint1' has a damping without a stiffness; give both, here or with the drive",
    ),
    "a fixed joint that tilts": (
        TURNS + FIXED + "[link.compliance]\ntilt = [1e5, 1e5]\n",
        ":11: the compliance of joint 'joint2' has no axis: the joint is fixed; give it to a joint that moves, or leave it out",
    ),
    "a fixed joint that gives way": (
        TURNS + FIXED + "[link.compliance]\nstiffness = 1e3\n",
        ":11: the compliance of joint 'joint2' has no axis: the joint is fixed; give it to a joint that moves, or leave it out",
    ),
    "a beam on a fixed link": (
        TURNS + FIXED + "[link.beam]\n" + GOOD,
        ":11: link 'link2' is fixed to its parent and cannot have a beam of its own; put the beam on the link that moves, and let it end there",
    ),
    "a beam that may end in two places": (
        TURNS + "[link.beam]\n" + GOOD + TURNS + TURNS + 'parent = "link1"\n',
        ":7: link[1].beam does not say where it ends: link 'link1' carries 2 others; give to, one of link2, link3",
    ),
    "a beam that ends nowhere": (
        TURNS + TURNS + TURNS + 'parent = "base"\n[link.beam]\n' + GOOD,
        ":16: link[3].beam does not say where it ends: link 'link3' carries nothing; give end, a point in link axes",
    ),
    "a beam that ends at what is not there": (
        TURNS + TURNS + TURNS + 'parent = "base"\n[link.beam]\nto = "tool"\n' + GOOD,
        ":17: link[3].beam.to is 'tool', which is not carried by link 'link3'; it carries nothing: give end, a point in link axes",
    ),
    "a part of a mass that is not known": (
        TURNS.replace("mass = 1\n", "") + "[link.beam]\n" + GOOD + 'mass = "share"\n',
        ":9: link[1].beam shares the mass of link 'link1', which is not known; give the mass of the link, or say mass = \"beside\"",
    ),
    "a spring given twice": (
        TURNS + "compliance = { stiffness = 1e3 }\n" + DRIVE + "stiffness = 2e3\n",
        ":7: the compliance of joint 'joint1' is also the stiffness of its drive; give one of them: it is one spring",
    ),
    "a drive without stiffness": (
        TURNS + DRIVE + "stiffness = 0\n",
        ":8: the stiffness of drive 'motor1' is 0; it is above zero; leave it out where the gear is rigid",
    ),
    "a drive with damping alone": (
        TURNS + DRIVE + "damping = 3\n",
        ":8: drive 'motor1' has damping but no stiffness; give stiffness, at the joint; friction of the motor is in friction",
    ),
    "a drive that gains from damping": (
        TURNS + DRIVE + "stiffness = 1\ndamping = -3\n",
        ":8: the damping of drive 'motor1' is -3; it is zero or more",
    ),
    "a drive in N/m on a joint that turns": (
        TURNS + DRIVE + 'stiffness = "3 N/mm"\n',
        ":10: drive[1].stiffness is '3 N/mm', but joint 'joint1' turns; give it in N m/rad",
    ),
}


@pytest.mark.parametrize("name", BAD_SPRINGS)
def test_bad_springs_and_places(name):
    text, message = BAD_SPRINGS[name]
    with pytest.raises(ModelError) as caught:
        parse_arm_file(HEAD + text, "arm.toml")
    assert str(caught.value) == f"arm.toml{message}"


def test_stout_beams_are_warned_of():
    stout = ARM.format(beam='section = { tube = ["400 mm", "20 mm"] }\n' + ALUMINIUM)
    words = (
        "arm.toml:9: the beam of link 'link1' is 0.6 m long with a radius of gyration of 0.135 m, too stout for "
        'Euler-Bernoulli; say theory = "timoshenko"'
    )
    with pytest.warns(DescriptionWarning) as caught:
        parse_arm_file(stout, "arm.toml")
    assert [str(each.message) for each in caught] == [words]
    parse_arm_file(ARM.format(beam='section = { tube = ["400 mm", "20 mm"] }\ntheory = "timoshenko"\n' + ALUMINIUM))
