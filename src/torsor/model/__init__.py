"""What an arm is: links, joints, drives, loops, limits, frames, and the readers and writers of their descriptions."""

from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, Frame, Joint, Limits, Link, Loop, Mimic

__all__ = ["BASE", "Drive", "Frame", "Joint", "Limits", "Link", "Loop", "Mass", "Mimic", "Model"]
