"""Paths of the tool and of the joints, with exact derivatives."""
