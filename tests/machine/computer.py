"""An emulated computer whose power can be cut.

Each start writes to a layer of its own over the disk. The emulator keeps in its memory where the
clusters of that layer are until the guest asks for them to be on the medium, so that whoever kills
the emulator loses what was written and not yet flushed, as with a true power cut.
"""

import asyncio
import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

from tests.ports import free_port

BOOT_S = 900
"""The longest wait for a start; without KVM one takes half a minute."""


class Computer:
    """A machine with a disk, a network and a shell at its second serial line."""

    def __init__(self, folder: Path, disk: Path) -> None:
        self._folder, self._disk, self._format = folder, disk, "raw"
        self._layers = 0
        self._process: asyncio.subprocess.Process | None = None
        self._shell: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._asked = 0
        self.port = 0

    async def power_on(self) -> float:
        """Start, and wait for the shell; the seconds that took."""
        began = time.monotonic()
        self._layers += 1
        layer = self._folder / f"layer{self._layers}.qcow2"
        layer.unlink(missing_ok=True)
        below = ("-F", self._format, "-b", str(self._disk.absolute()))
        await _image("create", "-q", "-f", "qcow2", *below, str(layer))
        self._disk, self._format = layer, "qcow2"
        self.port = free_port()
        line = self._folder / "shell.sock"
        line.unlink(missing_ok=True)
        self._process = await asyncio.create_subprocess_exec(
            "qemu-system-x86_64",
            *("-accel", "tcg,thread=multi", "-smp", "2", "-m", "768", "-display", "none"),
            *("-kernel", str(self._folder / "vmlinuz")),
            *("-initrd", str(self._folder / "initrd.img")),
            *("-append", "root=/dev/vda rw console=ttyS0 quiet mitigations=off"),
            *("-drive", f"file={layer},if=virtio,format=qcow2,cache=writeback"),
            *("-netdev", f"user,id=lan,hostfwd=tcp:127.0.0.1:{self.port}-:1883"),
            *("-device", "virtio-net-pci,netdev=lan"),
            *("-serial", f"file:{self._folder}/console{self._layers}.log"),
            *("-serial", f"unix:{line},server=on,wait=off"),
            *("-device", "qemu-xhci"),
            *("-qmp", f"unix:{self._folder}/machine.sock,server=on,wait=off"),
        )
        await self._connect(line, began + BOOT_S)
        return time.monotonic() - began

    async def _connect(self, line: Path, until: float) -> None:
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                self._shell = await asyncio.open_unix_connection(str(line))
                break
            await asyncio.sleep(0.1)
        while time.monotonic() < until:
            with contextlib.suppress(TimeoutError):
                await self.run("true", within_s=3)
                return
        raise TimeoutError(f"no shell after {BOOT_S} s; see {self._folder}")

    async def run(self, command: str, *, within_s: float = 300) -> str:
        """What a command says, in a shell of root.

        Raises:
            RuntimeError: it failed.
        """
        assert self._shell is not None
        reader, writer = self._shell
        self._asked += 1
        mark = f"probe{self._asked}"
        # In two parts, lest the echo of the command be taken for its end.
        end = f"printf '%s%s %s\\n' {mark[:3]} {mark[3:]} $?"
        writer.write(f"{{ {command}; }} 2>&1; {end}\n".encode())
        await writer.drain()
        said: list[str] = []
        async with asyncio.timeout(within_s):
            while True:
                text = (await reader.readline()).decode("utf-8", "replace").strip("\r\n")
                _, _, tail = text.partition(f"{mark} ")
                if tail.isdecimal():
                    break
                if mark[3:] not in text or "printf" not in text:
                    said.append(text)
        output = "\n".join(said)
        if int(tail):
            raise RuntimeError(f"{command}: {output}")
        return output

    async def put_in(self, stick: Path) -> None:
        """A USB stick: a file that is its medium."""
        await self._told("blockdev-add", driver="raw", **{"node-name": "medium"}, file=_file(stick))
        await self._told("device_add", driver="usb-storage", id="stick", drive="medium")

    async def pull(self) -> None:
        """The stick, at once: nobody is asked, and what was not yet on it is lost."""
        await self._told("device_del", id="stick")
        async with asyncio.timeout(30):
            while True:
                # The guest has not let go of it yet.
                with contextlib.suppress(RuntimeError):
                    await self._told("blockdev-del", **{"node-name": "medium"})
                    return
                await asyncio.sleep(0.05)

    async def _told(self, command: str, **arguments: Any) -> None:
        """Say a thing to the emulator (QMP).

        Raises:
            RuntimeError: it refuses.
        """
        reader, writer = await asyncio.open_unix_connection(f"{self._folder}/machine.sock")
        try:
            for name, told in (("qmp_capabilities", {}), (command, arguments)):
                writer.write(json.dumps({"execute": name, "arguments": told}).encode() + b"\n")
                answer: dict[str, Any] = {}
                while "return" not in answer:
                    answer = json.loads(await reader.readline())
                    if "error" in answer:
                        raise RuntimeError(f"{command}: {answer['error']}")
        finally:
            writer.close()

    def cut_the_power(self) -> None:
        """Now."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def gone(self) -> None:
        """Wait until it is off, and join its layer to the disk where there are many."""
        assert self._process is not None
        await self._process.wait()
        if self._shell is not None:
            self._shell[1].close()
            self._shell = None
        if self._layers % 8 == 0:
            # A long chain of layers would slow the next start.
            whole = self._folder / f"whole{self._layers}.qcow2"
            await _image("convert", "-O", "qcow2", str(self._disk), str(whole))
            self._disk = whole
            for layer in self._folder.glob("*.qcow2"):
                if layer != whole:
                    os.unlink(layer)


def _file(medium: Path) -> dict[str, Any]:
    """A medium that keeps nothing in the emulator's memory."""
    return {
        "driver": "file",
        "filename": str(medium),
        "cache": {"direct": False, "no-flush": False},
    }


async def _image(*command: str) -> None:
    process = await asyncio.create_subprocess_exec("qemu-img", *command)
    if await process.wait():
        raise RuntimeError(f"qemu-img {command}")
