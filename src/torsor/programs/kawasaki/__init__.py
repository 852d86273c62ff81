"""AS, the language of Kawasaki's controllers: VAL II's heir."""
