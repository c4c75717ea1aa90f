"""Junqi: what a seat sees, and a move chosen from it alone."""

import kibitz

table = kibitz.junqi.Position()
view = table.view("S")
print(view)
report = kibitz.analyze(view, simulations=50)
print("S plays", report.best)
