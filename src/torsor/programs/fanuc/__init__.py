"""TP, the language of Fanuc's controllers, as they print it (.ls)."""
