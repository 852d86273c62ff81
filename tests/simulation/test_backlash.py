"""Play of gears: the rotor runs through it alone, flanks meet as two bodies do, load keeps to one of them."""

import numpy as np
import pytest

import torsor
from torsor.errors import ModelError, TorsorError
from torsor.model.toml_writer import write_toml

PLAY, STIFF, ROTOR, LINK, RATIO = 0.02, 2e4, 2e-4, 0.5, 50.0
FREE = {"elastic": True, "limits": "ignore"}


def arm_file(tmp_path, play=PLAY, gravity="[0, 0, 0]", damping=0.0, more=""):
    """One link on a gear; a rotor of 200 g cm^2 behind 50:1 has 0.5 kg m^2 at the joint, as the link has."""
    path = tmp_path / "loose.toml"
    path.write_text(f"""
name = "loose"
frames = "placements"
gravity = {gravity}

[[link]]
name = "lever"
joint = "revolute"
joint_name = "hinge"
axis = [0, 1, 0]
mass = 2.0
com = [0.3, 0, 0]
inertia = [0.1, {LINK - 2.0 * 0.09}, 0.3, 0, 0, 0]

[[drive]]
name = "motor"
ratio = {{ hinge = {RATIO} }}
rotor = {{ inertia = {ROTOR}, carrier = "base", axis = [0, 1, 0] }}
stiffness = {STIFF}
damping = {damping}
backlash = {play}
{more}
""")
    return torsor.load(path)


def test_flanks_meet_as_two_bodies_do(tmp_path):
    """The rotor, in the middle at 1 rad/s, runs PLAY / 2 alone. Then a spring between two equal inertias lets them swap
    speeds in half a period; the link runs through all of the play, and gives its speed back: closed forms throughout.
    """
    arm, speed, J = arm_file(tmp_path), 1.0, ROTOR * RATIO**2
    assert pytest.approx(LINK) == J
    run = torsor.simulate(arm, [0.0], q0=[0.0], qd0=[speed], until=0.1, dt=1e-4, eta0=[0.0], etad0=[-speed], **FREE)
    w = np.sqrt(STIFF * 2.0 / J)  # of two equal inertias against each other
    meets, swapped = 0.5 * PLAY / speed, 0.5 * PLAY / speed + np.pi / w
    again = swapped + PLAY / speed
    link = run.q[:, 0] + run.eta[:, 0]
    rate = run.qd[:, 0] + run.etad[:, 0]
    t = run.time
    alone = t < meets
    np.testing.assert_allclose(link[alone], 0.0, atol=1e-12)
    np.testing.assert_allclose(run.q[alone, 0], speed * t[alone], atol=1e-12)
    between = (t > swapped + 1e-4) & (t < again - 1e-4)
    assert between.sum() > 50
    np.testing.assert_allclose(run.qd[between, 0], 0.0, atol=2e-5)
    np.testing.assert_allclose(rate[between], speed, atol=2e-5)
    touching = (t > meets + 1e-4) & (t < swapped - 1e-4)
    pressed = -run.eta[touching, 0] - 0.5 * PLAY
    np.testing.assert_allclose(pressed, speed / w * np.sin(w * (t[touching] - meets)), atol=2e-5 * speed / w)
    after = t > again + np.pi / w + 1e-4
    np.testing.assert_allclose(rate[after][:50], 0.0, atol=5e-5)


@pytest.mark.parametrize("integrator", ["dormand-prince", "symplectic"])
def test_energy_and_momentum_stay(tmp_path, integrator):
    """Nothing is lost at flanks that are not damped."""
    given = {"tolerance": 1e-10} if integrator == "dormand-prince" else {}
    arm = arm_file(tmp_path)
    run = torsor.simulate(arm, [0.0], q0=[0.0], qd0=[1.0], until=0.5, dt=1e-4, eta0=[0.0], etad0=[-1.0],
                          integrator=integrator, **given, **FREE)  # fmt: skip
    J = ROTOR * RATIO**2
    momentum = J * run.qd[:, 0] + LINK * (run.qd[:, 0] + run.etad[:, 0])
    tolerance = 1e-7 if integrator == "dormand-prince" else 2e-3  # the middle of a step beside a kink
    np.testing.assert_allclose(momentum, J, rtol=1e-9)
    np.testing.assert_allclose(run.energy, run.energy[0], rtol=tolerance)
    assert run.strain_energy.max() > 0.2 * run.energy[0]
    assert np.ptp(run.eta) > PLAY


def test_damped_flanks_take_energy_and_never_hold_back(tmp_path):
    arm = arm_file(tmp_path, damping=20.0)
    run = torsor.simulate(arm, [0.0], q0=[0.0], qd0=[1.0], until=1.0, dt=1e-4, eta0=[0.0], etad0=[-1.0], **FREE)
    assert (np.diff(run.energy) <= 1e-9).all()
    assert run.energy[-1] < 0.6 * run.energy[0]
    assert run.energy[-1] >= 0.5 * run.energy[0] * (1 - 1e-9)  # of the common motion nothing is lost
    np.testing.assert_allclose(np.diff(run.qd[:, 0] + run.etad[:, 0]).min(), 0.0, atol=0.05)
    x, xd = np.hstack([run.q, run.eta]), np.hstack([run.qd, run.etad])
    pull = np.array([run._plant.elastic.passed_on(*each)[0] for each in zip(x, xd, strict=True)])
    assert (pull[np.abs(run.eta[:, 0]) < 0.5 * PLAY] == 0.0).all()
    assert (pull * run.eta[:, 0] <= 0.0).all()  # what a joint feels is against how the gear is turned


def test_lost_motion(tmp_path):
    """The load lies on one flank: what carries it stands PLAY / 2 and its spring's turn from where the motor is."""
    arm = arm_file(tmp_path, gravity="[0, 0, -9.81]")
    weight, turned = 2.0 * 9.81 * 0.3, []
    for q0 in (0.0, np.pi):
        run = torsor.simulate(arm, arm.gravity([q0]), q0=[q0], until=0.01, **FREE)
        turned.append(run.eta[0, 0])
        sag = weight / STIFF * np.cos(run.eta[0, 0])
        assert abs(run.eta[0, 0]) == pytest.approx(0.5 * PLAY + sag, rel=1e-6)
    assert turned[0] == pytest.approx(-turned[1], rel=1e-6)
    upright = torsor.simulate(arm_file(tmp_path), [0.0], q0=[0.3], until=0.01, **FREE)
    np.testing.assert_array_equal(upright.eta, 0.0)  # nothing to carry: in the middle


def test_a_servo_holds_the_motor_not_the_link(tmp_path):
    """What sees the motor alone brings it to rest, and the link to within the play of it."""
    off = []
    for play in (0.0, PLAY):
        arm = arm_file(tmp_path, play=play, damping=20.0)
        law = torsor.control.pd_gravity(arm, [400.0], [40.0], [0.0])
        run = torsor.simulate(arm, law, q0=[0.2], until=3.0, dt=1e-3, **FREE)
        assert abs(run.q[-1, 0]) < 1e-3
        off.append(np.abs(run.q[-300:, 0] + run.eta[-300:, 0]).max())
    assert off[0] < 1e-6
    assert 1e-4 < off[1] < 0.5 * PLAY + 1e-3


def test_without_play_it_swings(tmp_path):
    given = {"q0": [0.0], "qd0": [1.0], "until": 0.1, "dt": 1e-4, "eta0": [0.0], "etad0": [-1.0]}
    run = torsor.simulate(arm_file(tmp_path, play=0.0), [0.0], **given, **FREE)
    w = np.sqrt(STIFF * 2.0 / LINK)
    np.testing.assert_allclose(run.eta[:, 0], -np.sin(w * run.time) / w, atol=2e-4 / w)


def test_files(tmp_path):
    arm = arm_file(tmp_path, play='"0.5 deg"')
    assert arm.model.drives[0].backlash == pytest.approx(np.radians(0.5))
    (tmp_path / "again.toml").write_text(write_toml(arm.model))
    assert torsor.load(tmp_path / "again.toml").model.drives[0].backlash == arm.model.drives[0].backlash
    with pytest.raises(TorsorError, match="backlash is '1 mm', but joint 'hinge' turns; give it in rad"):
        arm_file(tmp_path, play='"1 mm"')
    text = (tmp_path / "loose.toml").read_text().replace(f"stiffness = {STIFF}", "").replace("damping = 0.0", "")
    (tmp_path / "loose.toml").write_text(text.replace('"1 mm"', "0.01"))
    with pytest.raises(ModelError, match="drive 'motor' has backlash but no stiffness; give stiffness"):
        torsor.load(tmp_path / "loose.toml")
    with pytest.raises(
        ModelError, match="the backlash of drive 'motor' is -1; it is zero or more, from flank to flank"
    ):
        arm_file(tmp_path, play=-1.0)
