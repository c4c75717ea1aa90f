"""Rooms: games between people, with the engine in empty seats (docs/web.md).

A room is what happened in it: `record.py` has the actions and what follows from them, `log.py` keeps them in
the database. `hub.py` has the rooms that are in use in this process: an action is written before anybody is
notified, so that a crash loses nothing, and another process that serves the same room learns of it through
the database (`traffic.py`). `views.py` says what each seat is sent, `client.py` listens to one connection,
`opponent.py` plays for the engine.
"""
