"""Analyze the last position of an SGF text, on a board of any size."""

import kibitz

report = kibitz.analyze("(;GM[1]SZ[9]KM[7];B[ee];W[ec];B[gd])", visits=20)
print(report.position)
print(report.best, f"{report.root.value:.1%}")
