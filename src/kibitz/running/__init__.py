"""Requests being carried out: jobs, their reports for asyncio, the end of the interpreter."""
