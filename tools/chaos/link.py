"""A network link made by a program, so that loss, delay and cuts need no netem in the kernel.

Each link has a TUN device at both ends; every IP packet that enters one leaves the other, unless it is lost.
"""

from __future__ import annotations

import fcntl
import heapq
import multiprocessing
import os
import random
import select
import struct
import subprocess
import time
from multiprocessing.sharedctypes import Synchronized

_TUNSETIFF = 0x400454CA
_TUN, _NO_PACKET_INFORMATION = 0x0001, 0x1000
#: Of one TUN device.
_MTU = 1500


def _device(name: str) -> int:
    """A TUN device; it lives as long as the file is open, in whatever namespace it is moved to."""
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _TUN | _NO_PACKET_INFORMATION))
    return file


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, stdout=subprocess.DEVNULL)


class Link:
    """A link from here (`10.9.N.1`) to the network namespace of a process (`10.9.N.2`)."""

    def __init__(self, number: int, other: int) -> None:
        self.here, self.there = f"10.9.{number}.1", f"10.9.{number}.2"
        near, far = f"near{number}", f"far{number}"
        ends = _device(near), _device(far)
        _ip("link", "set", far, "netns", str(other))
        _ip("address", "add", f"{self.here}/30", "dev", near)
        _ip("link", "set", near, "up")
        inside = ["nsenter", f"--net=/proc/{other}/ns/net", "ip"]
        for words in (["address", "add", f"{self.there}/30", "dev", far], ["link", "set", far, "up"]):
            subprocess.run([*inside, *words], check=True)
        self._loss: Synchronized[float] = multiprocessing.Value("d", 0.0)
        self._delay: Synchronized[float] = multiprocessing.Value("d", 0.0)
        self._process = multiprocessing.Process(target=self._carry, args=ends, daemon=True)
        self._process.start()
        for end in ends:
            os.close(end)

    def set(self, loss: float = 0.0, delay: float = 0.0) -> None:
        """The share of packets that is lost (1: the link is cut), and seconds that the others take."""
        self._loss.value, self._delay.value = loss, delay

    def _carry(self, first: int, second: int) -> None:
        os.setpriority(os.PRIO_PROCESS, 0, 0)  # a wire does not wait for a core
        other = {first: second, second: first}
        under_way: list[tuple[float, int, int, bytes]] = []
        chance, count = random.Random(1), 0
        while True:
            wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
            ready, _, _ = select.select([first, second], [], [], wait)
            for end in ready:
                packet = os.read(end, _MTU + 100)
                if chance.random() >= self._loss.value:
                    count += 1
                    due = time.monotonic() + self._delay.value
                    heapq.heappush(under_way, (due, count, other[end], packet))
            while under_way and under_way[0][0] <= time.monotonic():
                _, _, end, packet = heapq.heappop(under_way)
                os.write(end, packet)
