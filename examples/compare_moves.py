"""Which of two moves is better? The search goes on until it is decided, or the budget is used up."""

import kibitz

report = kibitz.analyze(kibitz.chess.Position(), compare=["e2e4", "a2a4"], seconds=0.5)
print(report.summary())
print(report.steering)
