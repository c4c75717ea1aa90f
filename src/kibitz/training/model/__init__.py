"""Networks in PyTorch: modules of an architecture, their losses, and their tensors for files.

Everything here imports torch (`kibitz[train]`); nothing else in the package does.
"""
