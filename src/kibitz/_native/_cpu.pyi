def levels() -> list[str]:
    """
    CPU levels this machine can run, worst first: ``baseline``, ``v3``, ``v4``.
    """
