"""Ports for servers of tests that stop and come back on the same one."""

import random
import socket

_NEVER_LENT = range(20_000, 32_000)
"""Below those that the kernel lends to whoever connects: no connection takes a port meanwhile."""


def free_port() -> int:
    """A port of the loopback at which nobody listens now."""
    while True:
        port = random.choice(_NEVER_LENT)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
