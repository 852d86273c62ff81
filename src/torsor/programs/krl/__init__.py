"""KRL, the language of KUKA's controllers."""
