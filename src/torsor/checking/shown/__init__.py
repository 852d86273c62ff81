"""A verdict drawn as a page of `report/`: tables, plots, the path of the tool, the program."""
