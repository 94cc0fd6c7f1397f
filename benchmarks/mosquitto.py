"""A real broker for as long as it is measured."""

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from getpass import getuser
from pathlib import Path


@contextlib.contextmanager
def mosquitto(folder: Path) -> Iterator[int]:
    """A broker on a free loopback port, without Nagle's delay; gives the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    config = folder / "mosquitto.conf"
    config.write_text(
        # Started by root it would become another user, who may not read the folder.
        f"user {getuser()}\nlistener {port} 127.0.0.1\nallow_anonymous true\n"
        "set_tcp_nodelay true\npersistence false\n"
    )
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    assert program is not None, "mosquitto is missing"
    process = subprocess.Popen(
        [program, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_until_it_listens(port)
        yield port
    finally:
        process.kill()
        process.wait()


def _wait_until_it_listens(port: int) -> None:
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    raise AssertionError("mosquitto does not listen")
