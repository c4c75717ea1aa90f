"""An object store on the loopback: moto's S3, which shares no code with pyarrow's client."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def s3_bucket(host: str = "127.0.0.1") -> Iterator[str]:
    """The URL of an empty place in a bucket."""
    fs = pytest.importorskip("pyarrow.fs", reason="the client is pyarrow's")
    moto = pytest.importorskip("moto.server", reason="moto is not installed (pip install 'moto[server]')")
    server = moto.ThreadedMotoServer(ip_address=host, port=0, verbose=False)
    server.start()
    try:
        _, port = server.get_host_and_port()
        run = secrets.token_hex(4)  # all of moto's servers in a process are one
        url = f"s3://key:secret@kibitz/{run}?endpoint_override={host}%3A{port}&scheme=http&region=eu-west-1"
        fs.FileSystem.from_uri(f"{url}&allow_bucket_creation=true")[0].create_dir("kibitz")
        yield url
    finally:
        server.stop()
