"""Pictures of studies, each the answer to a question of docs/studies.md."""

from PIL import Image

from torsor.study import payload_limit, workspace_map

TOUR = "examples/programs/rl15_tour.irl"


def payload(camera):
    return _drawn(payload_limit(TOUR, "rl15"), camera)


def section(camera):
    """Shoulder and elbow of the Lola 15 alone: a section through what its motors can hold."""
    asked = {"section": "xz", "joints": ["joint2", "joint3"], "states": 200_000}
    return _drawn(workspace_map("rl15", "payload", **asked), camera)


def _drawn(answer, camera):
    path = camera.folder / "study.png"
    answer.plot(path)
    return Image.open(path).convert("RGB")
