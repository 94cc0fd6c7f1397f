"""The connection to a broker, made where nothing has to wait for it.

Neither the look-up of a name nor a call or a handshake that nobody answers can be taken back: each
goes on for seconds. All are made in a thread that a program leaves behind when it ends.
"""

import asyncio
import socket
import threading
from collections.abc import Callable


def _plain(connection: socket.socket) -> socket.socket:
    return connection


async def reached(
    host: str,
    port: int,
    timeout_s: float,
    shake_hands: Callable[[socket.socket], socket.socket] = _plain,
) -> socket.socket:
    """A connection to a TCP port; or to a Unix socket, where `host` is its path.

    `timeout_s` is for each address that the name has; a look-up takes what the system lets it.
    `shake_hands` makes of the connection the one to use, or raises `OSError`.
    Cancelled, it returns at once, and a connection that is made after that is closed.

    Raises:
        OSError: there is none, or `host` is no name.
    """
    loop = asyncio.get_running_loop()
    wanted: asyncio.Future[socket.socket] = loop.create_future()

    def settle(made: socket.socket | OSError) -> None:
        if isinstance(made, OSError):
            if not wanted.done():
                wanted.set_exception(made)
        elif wanted.done():
            made.close()
        else:
            wanted.set_result(made)

    def call() -> None:
        made: socket.socket | OSError
        try:
            made = shake_hands(_called(host, port, timeout_s))
        except UnicodeError as error:  # a label of the name is too long, or empty
            made = OSError(f"{host} is no name of a machine: {error}")
        except OSError as error:
            made = error
        try:
            loop.call_soon_threadsafe(settle, made)
        except RuntimeError:  # the program has ended meanwhile
            if isinstance(made, socket.socket):
                made.close()

    threading.Thread(target=call, name="broker", daemon=True).start()
    return await wanted


def _called(host: str, port: int, timeout_s: float) -> socket.socket:
    if not host.startswith("/"):
        return socket.create_connection((host, port), timeout_s)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.settimeout(timeout_s)
        made.connect(host)
    except OSError:
        made.close()
        raise
    return made
