"""One job runner: in this process, in threads, in worker processes, on a Ray cluster; and the log that a run
can be resumed from.

    >>> from kibitz.fleet.jobs import Done, run_jobs
    >>> for event in run_jobs(make_runner(task, processes=2), jobs):                  # doctest: +SKIP
    ...     if isinstance(event, Done):
    ...         log.add(event.result)

Matches, self-play and table building are tasks of it.
"""
