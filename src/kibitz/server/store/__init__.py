"""What the server keeps: a database by SQLAlchemy, its tables by migrations."""
