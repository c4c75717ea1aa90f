"""Ask about a move: it gets its visits, and the report says how far behind the best it is."""

import kibitz

position = kibitz.othello.Position().play("d3", "c5", "f6", "f5", "e6", "e3")
report = kibitz.analyze(position, simulations=2_000, include=["g6"], min_visits=200)
print(report)
for answer in report.answers:
    print(answer.move, answer.text)
