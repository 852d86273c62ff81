"""How long a function takes, and how far its numbers are from those of another."""
