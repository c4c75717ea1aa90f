"""Training in several processes, on one host or on many (`[run] processes`, `hosts`, `rendezvous`).

torch does the work: its elastic launcher starts the processes and starts them again, from the last
checkpoint, when one of them is lost; DistributedDataParallel adds up gradients over gloo. Each process reads
its part of every batch (samples/reader.py), so the weights are those of one process with the same batch, but
for the order in which numbers are added.

Ray Train would start the same processes with the same torch underneath, and needs a cluster and more packages
for it; the launcher comes with torch.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import struct
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption, BadRequest
from kibitz.training.train.checkpoint import latest, load_checkpoint
from kibitz.training.train.config import TrainConfig

#: How often lost processes are replaced before the run is given up.
_RESTARTS = 5
#: How long a process waits for another before it gives up.
_SILENCE = timedelta(minutes=2)
#: Linux's request for the address of an interface (SIOCGIFADDR).
_ADDRESS_OF = 0x8915
#: Seconds that processes have to connect, once all of them are there.
_CONNECTING = 30

#: Called in the first process with each line of the log; a function of a module, since it travels.
Say = Callable[[dict[str, Any]], None]


def train_together(
    config: TrainConfig, *, new_data: bool = False, steps: int | None = None, say: Say | None = None
) -> Path:
    """Train with the processes that the configuration names; returns the last checkpoint. On several hosts
    the same call is made on each of them, with the run's folder shared."""
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    run = config.run
    if config.data.batch % (run.processes * run.hosts):
        raise BadOption(
            f"a batch of {config.data.batch} cannot be shared by {run.processes * run.hosts} processes"
        )
    if run.hosts > 1 and not run.rendezvous:
        raise BadOption("several hosts need a rendezvous: HOST:PORT of one of them")
    address, meeting = _addresses(run.rendezvous) if run.hosts > 1 else ("127.0.0.1", "127.0.0.1")
    if interface := _interface_of(address):
        os.environ.setdefault("GLOO_SOCKET_IFNAME", interface)
    # Else all rounds have one store with the same keys: processes that begin again find the addresses of
    # those before them, and a host that comes back waits for ever.
    os.environ.setdefault("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1")
    launch = LaunchConfig(
        min_nodes=run.hosts,
        max_nodes=run.hosts,
        nproc_per_node=run.processes,
        # The same on all hosts of a run, and on one host of no other run.
        run_id=f"kibitz-{run.seed}" if run.hosts > 1 else secrets.token_hex(8),
        rdzv_backend="c10d",
        rdzv_endpoint=run.rendezvous or "127.0.0.1:0",
        rdzv_configs={"is_host": address == meeting},
        local_addr=address,
        max_restarts=_RESTARTS,
        monitor_interval=0.2,
        start_method="spawn",
    )
    last = None
    if steps is not None:
        before = latest(run.folder)
        last = steps + (load_checkpoint(before)[1].step if before else 0)
    try:
        elastic_launch(launch, _work)(config.to_dict(), new_data, last, say)
    except ChildFailedError as error:
        _, failure = error.get_first_failure()
        lines = [line for line in str(failure.message).splitlines() if line.strip()]
        reason = lines[-1] if lines else f"code {failure.exitcode}"
        raise BadRequest(f"training ended after {_RESTARTS} restarts: {reason}") from None
    checkpoint = latest(run.folder)
    assert checkpoint is not None, "the first process writes one at the end"
    return checkpoint


def _addresses(rendezvous: str) -> tuple[str, str]:
    """The address by which this host reaches the rendezvous, and that of the rendezvous. Others reach this
    host by it, too; a host's name may mean nothing to them."""
    host, _, port = rendezvous.rpartition(":")
    try:
        (family, kind, _, _, where), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
        with socket.socket(family, kind) as probe:  # nothing is sent
            probe.connect(where)
            return str(probe.getsockname()[0]), str(where[0])
    except (OSError, ValueError) as error:
        raise BadOption(f"the rendezvous {rendezvous!r} cannot be reached: {error}") from None


def _interface_of(address: str) -> str:
    """The network interface with this address (Linux), which gloo would look for by the host's name."""
    if sys.platform != "linux":
        return ""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an address
                answer = fcntl.ioctl(probe, _ADDRESS_OF, struct.pack("256s", name.encode()))
                if socket.inet_ntoa(answer[20:24]) == address:
                    return name
    return ""


def _work(config: dict[str, Any], new_data: bool, last: int | None, say: Say | None) -> None:
    """One of the processes."""
    import torch
    from torch import distributed

    from kibitz.training.train.trainer import Trainer

    settings = TrainConfig.from_dict(config)
    if not settings.run.threads:
        cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        torch.set_num_threads(max(1, cores // settings.run.processes))
    # Processes that begin again sometimes wait for each other for ever, and gloo waits for five times its
    # timeout inside one call. An alarm ends the process there, and the launcher starts all of them once more.
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_CONNECTING)
    distributed.init_process_group("gloo", timeout=_SILENCE)
    if hasattr(signal, "alarm"):
        signal.alarm(0)
    try:
        restarts = torch.tensor(int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")))
        distributed.all_reduce(restarts, distributed.ReduceOp.MAX)  # a host that came back counts from 0
        again = bool(restarts > 0)
        trainer = Trainer(settings, resume=True, new_data=new_data and not again)
        if not again:
            trainer.save()  # what a restart goes on from: the samples are chosen
        trainer.run(say, None if last is None else max(0, last - trainer.progress.step))
    finally:
        distributed.destroy_process_group()
