"""How long a function takes, how far its numbers are from those of another, and what the processor does in a cycle."""
