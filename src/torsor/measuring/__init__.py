"""How long a function takes and how far its numbers are from another's: what `comparing`, `bench` and `papers` share."""
