"""The model as data: immutable, checked, printable; mass properties."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings

import torsor
from random_arms import SEEDS, models, random_mass, random_pose
from torsor.errors import ModelError
from torsor.model import BASE, Frame, Joint, Link, Loop, Mass, Mimic, Model
from torsor.model.mass import symmetric
from torsor.model.transforms import inverse, pose, skew


def one_link(**changes) -> Model:
    link = Link("link1", BASE, Joint("joint1", "revolute"), Mass(1.0, np.array([0.5, 0, 0]), np.eye(3)))
    return Model(**({"name": "one", "links": (link,), "tool": Frame(0, np.eye(4))} | changes))


# --- printing


def test_repr_is_one_line():
    assert repr(one_link()) == "<Model one: 1 joints R, 1 links, 1 kg>"
    assert repr(torsor.load("asea-irb").model) == "<Model asea-irb: 8 joints RRRRRRRR, 8 links, 4.3 kg, 1 loop>"
    assert repr(torsor.load("stanford").model) == "<Model stanford: 6 joints RRPRRR, 6 links, 20.77 kg, 6 drives>"


def test_html_table():
    html = torsor.load("planar3").model._repr_html_()
    assert html.startswith("<table><caption>&lt;Model planar3: 3 joints RRR, 3 links, 8 kg&gt;</caption><tr><th>link</")
    assert html.count("<tr>") == 4
    assert "<td>lower</td><td>upper</td><td>joint2</td><td>revolute</td><td>3</td><td>0.4, 0, 0</td>" in html


def test_html_is_escaped():
    name = "<script>alert('x')</script>"
    link = Link(f"{name}&", BASE, Joint(name, "revolute"), None)
    html = one_link(name=name, links=(link,))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&amp;</td>" in html


# --- immutability


def test_arrays_are_read_only():
    model = torsor.load("rl15").model
    link = model.links[2]
    arrays = (
        model.gravity, model.base, model.tool.placement, link.mass.com, link.mass.inertia, link.joint.axis,
        link.joint.before, link.joint.after, model.drives[0].ratio, model.drives[0].axis,
    )  # fmt: skip
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    loop = torsor.load("asea-irb").model.loops[0]
    for frame in (loop.first, loop.second):
        with pytest.raises(ValueError, match="read-only"):
            frame.placement[0, 0] = 2.0


def test_fields_cannot_be_set():
    model = one_link(frames={"camera": Frame(0, np.eye(4))})
    with pytest.raises(FrozenInstanceError):
        model.name = "two"
    with pytest.raises(FrozenInstanceError):
        model.links[0].mass.mass = 2.0
    with pytest.raises(TypeError):
        model.frames["other"] = Frame(0, np.eye(4))


@settings(max_examples=20, deadline=None)
@given(models())
def test_copies(model):
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert repr(other) == repr(model)
        assert other.frames.keys() == model.frames.keys()
        for mine, theirs in zip(model.links, other.links, strict=True):
            assert mine.joint.mimic == theirs.joint.mimic
            np.testing.assert_array_equal(mine.joint.before, theirs.joint.before)
            np.testing.assert_array_equal(mine.mass.inertia, theirs.mass.inertia)
            assert not theirs.mass.inertia.flags.writeable


# --- what a model knows


def test_lookups():
    model = torsor.load("asea-irb").model
    assert model.link_index("link7") == 6
    assert model.link_index("base") == BASE
    assert model.children(0) == (1, 6)
    assert model.children(BASE) == (0,)
    text = "arm 'asea-irb' has no link 'link9'; did you mean 'link8'? known: base, link1, "
    with pytest.raises(ModelError) as caught:
        model.link_index("link9")
    assert str(caught.value).startswith(text)


def test_q_is_of_joints_that_move_by_themselves():
    joints = (
        Joint("ja", "revolute"),
        Joint("jb", "fixed"),
        Joint("jc", "prismatic", mimic=Mimic("ja", 2.0)),
        Joint("jd", "screw", pitch=0.1),
    )
    body = Mass(1.0, np.zeros(3), np.eye(3))
    links = tuple(Link(joint.name[1], i - 1, joint, body) for i, joint in enumerate(joints))
    model = Model("m", links, Frame(3, np.eye(4)))
    assert model.joint_names == ("ja", "jd")
    assert [link.name for link in model.independent] == ["a", "d"]
    assert repr(model) == "<Model m: 2 joints RH, 4 links, 4 kg>"


def test_total_mass_is_of_what_moves():
    fixed = Link("pedestal", BASE, Joint("bolts", "fixed"), Mass(50.0, np.zeros(3), np.eye(3)))
    arm = Link("arm", 0, Joint("joint", "revolute"), Mass(2.0, np.zeros(3), np.eye(3)))
    model = one_link(links=(fixed, arm), payload=Mass(0.5, np.zeros(3), np.zeros((3, 3))))
    assert model.total_mass == 2.5
    assert model.moving(1)
    assert not model.moving(0)


def test_nonphysical_bodies_are_refused_with_their_numbers():
    bad = Mass(1.0, np.zeros(3), np.diag([1.0, 1.0, 3.0]))
    link = replace(one_link().links[0], mass=bad)
    text = (
        "link 'link1': principal moments (1, 1, 3) kg m^2 break the triangle inequality: 3 > 1 + 1; "
        "allow_nonphysical = true accepts published data as it is"
    )
    with pytest.raises(ModelError) as caught:
        one_link(links=(link,))
    assert str(caught.value) == text
    assert one_link(links=(link,), allow_nonphysical=True).nonphysical() == {
        "link1": ["principal moments (1, 1, 3) kg m^2 break the triangle inequality: 3 > 1 + 1"]
    }


# --- mass


def test_impossible_bodies():
    say = lambda mass, *moments: list(Mass(mass, np.zeros(3), np.diag(moments)).impossibilities())  # noqa: E731
    assert say(1.0, 1.0, 1.0, 2.0) == []  # a plate
    assert say(1.0, 0.0, 1.0, 1.0) == []  # a rod
    assert say(1.0, 0.0, 0.0, 0.0) == []  # a point
    assert say(0.0, 0.0, 0.0, 0.0) == []  # nothing
    assert say(1.0, 1.0, 1.0, 2.0 + 1e-7) == []  # rounding
    assert say(-1.0, 1.0, 1.0, 1.0) == ["mass -1 kg is negative"]
    assert say(0.0, 1.0, 1.0, 1.0) == ["inertia (1, 1, 1) kg m^2 without mass"]
    assert say(1.0, -1.0, 1.0, 1.0) == ["inertia is not positive semidefinite: principal moments (-1, 1, 1) kg m^2"]
    tilted = Mass(1.0, np.zeros(3), symmetric(1.0, 1.0, 1.0, ixy=2.0))
    assert list(tilted.impossibilities()) == [
        "inertia is not positive semidefinite: principal moments (-1, 1, 3) kg m^2"
    ]


def test_symmetric_has_the_order_of_arm_files():
    assert symmetric(1, 2, 3, 4, 5, 6).tolist() == [[1, 4, 5], [4, 2, 6], [5, 6, 3]]


def points(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray, Mass]:
    """A body of mass points, and its mass properties from their definition."""
    m, p = rng.uniform(0.1, 1.0, count), rng.normal(size=(count, 3))
    com = m @ p / m.sum()
    inertia = sum(mi * (r @ r * np.eye(3) - np.outer(r, r)) for mi, r in zip(m, p - com, strict=True))
    return m, p, Mass(float(m.sum()), com, inertia)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_mass_follows_its_points(seed):
    rng = np.random.default_rng(seed)
    m1, p1, body1 = points(rng, 4)
    m2, p2, body2 = points(rng, 3)
    T = random_pose(rng, "general")

    def of(m, p):
        com = m @ p / m.sum()
        inertia = sum(mi * (r @ r * np.eye(3) - np.outer(r, r)) for mi, r in zip(m, p - com, strict=True))
        return Mass(float(m.sum()), com, inertia)

    def same(mine, right):
        assert mine.mass == pytest.approx(right.mass, rel=1e-14)
        np.testing.assert_allclose(mine.com, right.com, atol=1e-13)
        np.testing.assert_allclose(mine.inertia, right.inertia, atol=1e-13 * np.abs(right.inertia).max())

    same(body1.moved(T), of(m1, p1 @ T[:3, :3].T + T[:3, 3]))
    same(body1 + body2, of(np.concatenate([m1, m2]), np.concatenate([p1, p2])))
    same(body1.moved(T).moved(inverse(T)), body1)
    about_origin = sum(mi * (r @ r * np.eye(3) - np.outer(r, r)) for mi, r in zip(m1, p1, strict=True))
    np.testing.assert_allclose(body1.inertia_about_origin, about_origin, atol=1e-13 * np.abs(about_origin).max())
    same(Mass.about_origin(body1.mass, body1.com, about_origin), body1)


def test_nothing_adds_nothing():
    body = random_mass(np.random.default_rng(0), "solid")
    assert (body + Mass.none()) is body
    assert (Mass.none() + body) is body
    assert (Mass.none() + Mass.none()).is_none
    assert not body.is_none


def test_massless_inertia_adds_up():
    """Link 1 of the PUMA: an inertia without a mass."""
    rotor = Mass(0.0, np.zeros(3), np.diag([0.0, 0.0, 0.35]))
    assert not rotor.is_none
    total = rotor + rotor.moved(pose(position=[1.0, 0.0, 0.0]))
    assert total.mass == 0.0
    np.testing.assert_array_equal(total.inertia, np.diag([0.0, 0.0, 0.7]))  # moving it costs nothing
    body = Mass(2.0, np.array([0.5, 0.0, 0.0]), np.eye(3)) + rotor
    np.testing.assert_allclose(body.com, [0.5, 0.0, 0.0])
    np.testing.assert_allclose(body.inertia, np.diag([1.0, 1.0, 1.35]))


def test_skew():
    u, v = np.array([1.0, 2.0, 3.0]), np.array([-4.0, 5.0, 6.0])
    np.testing.assert_array_equal(skew(u) @ v, np.cross(u, v))


def test_loops_know_their_ends():
    end = Frame(0, np.eye(4))
    model = one_link(loops=(Loop("l", "hinge", end, Frame(BASE, np.eye(4)), ("joint1",)),))
    assert torsor.Arm(model).joint_names == ("joint1",)
    with pytest.raises(ModelError, match="loop 'l' is driven by joint 'joint2', which does not exist"):
        one_link(loops=(Loop("l", "hinge", end, end, ("joint2",)),))
