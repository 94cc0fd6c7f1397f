"""A real MQTT broker on the loopback, for tests of what only a real one does."""

import getpass
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from tests.ports import free_port


class Mosquitto:
    """A mosquitto process that can be stopped, frozen and started again on the same port.

    `more` are lines of its configuration in the place of those that let everybody in and keep
    nothing on disk.
    """

    def __init__(
        self, folder: Path, more: str = "allow_anonymous true\npersistence false\n"
    ) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._config = folder / "mosquitto.conf"
        self._process: subprocess.Popen[bytes] | None = None
        self.certificate = ""
        """What vouches for the broker, once it is encrypted."""
        self.port = free_port()
        # Started by root it would become another user, who cannot read the key.
        self._config.write_text(f"user {getpass.getuser()}\nlistener {self.port} 127.0.0.1\n{more}")

    def start(self) -> None:
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
        assert program, "mosquitto is missing: sudo apt install mosquitto"
        self._process = subprocess.Popen(
            [program, "-c", str(self._config)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait_until_it_listens()

    def encrypt(self) -> str:
        """Speak TLS from the next start on; gives the certificate that vouches for it."""
        key, certificate = str(self._folder / "key.pem"), str(self._folder / "certificate.pem")
        command = (
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
            "-subj /CN=test -addext subjectAltName=IP:127.0.0.1"
        )
        subprocess.run(
            [*command.split(), "-keyout", key, "-out", certificate],
            check=True,
            capture_output=True,
        )
        with self._config.open("a") as config:
            config.write(f"certfile {certificate}\nkeyfile {key}\n")
        self.certificate = certificate
        return certificate

    def listen_at(self, path: Path) -> None:
        """Listen on a Unix socket too, from the next start on."""
        with self._config.open("a") as config:
            config.write(f"listener 0 {path}\n")

    def freeze(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """As a system ends it that is shut down: what is to be kept is written."""
        assert self._process
        self._process.terminate()
        self._process.wait(10)
        self._process = None

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _wait_until_it_listens(self) -> None:
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise AssertionError("mosquitto does not listen")
