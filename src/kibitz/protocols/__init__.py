"""Protocols translate text into requests and reports back into text, and do nothing else."""
