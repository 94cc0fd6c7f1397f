"""What a process asked of its files, in order, as strace saw it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_CALLS = "openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,renameat,renameat2"

_LINE = re.compile(r"(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)\) += (-?\d+)")
_FILE = re.compile(r"\d+<([^>]*)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True, slots=True)
class Step:
    """One call: what, on which file, and what it carries."""

    call: str
    path: str
    data: bytes = b""
    offset: int = 0
    to: str = ""


def traced(command: list[str], folder: Path, log: Path) -> Iterator[Step]:
    """Run a Python module and give what it did to the files of a folder, and what it said."""
    full = ["strace", "-f", "-y", "-xx", "-s", "200000", "-e", f"trace={_CALLS}", "-o", str(log)]
    subprocess.run([*full, sys.executable, "-m", *command], check=True, stdout=subprocess.PIPE)
    with log.open(encoding="utf-8") as lines:
        for line in _whole(lines):
            step = _read(line)
            if step is not None and (step.path == "1" or step.path.startswith(str(folder))):
                yield step


def _whole(lines: Iterator[str]) -> Iterator[str]:
    """Calls of several threads are cut in two in the log; put together again where they end."""
    begun: dict[str, str] = {}
    for line in lines:
        pid, _, rest = line.partition(" ")
        rest = rest.strip()
        if rest.endswith("<unfinished ...>"):
            begun[pid] = rest.removesuffix("<unfinished ...>")
        elif rest.startswith("<... "):
            yield begun.pop(pid, "") + rest.partition(" resumed>")[2]
        else:
            yield rest


def _read(line: str) -> Step | None:
    found = _LINE.match(line)
    if found is None or int(found[3]) < 0:
        return None
    call, arguments = found[1], found[2]
    texts = [_plain(text) for text in _TEXT.findall(arguments)]
    file = _FILE.match(arguments)
    if call == "write":
        if arguments.startswith(("1<", "1,")):
            return Step("said", "1", texts[0])
        return None
    if call in ("openat", "unlink", "unlinkat"):
        if call == "openat" and "O_CREAT" not in arguments:
            return None
        return Step(call, texts[0].decode())
    if call.startswith("rename"):
        return Step("rename", texts[0].decode(), to=texts[1].decode())
    if file is None:
        return None
    path = _plain(file[1]).decode()
    if call == "pwrite64":
        offset = int(arguments.rpartition(",")[2])
        return Step(call, path, texts[0][: int(found[3])], offset)
    if call == "ftruncate":
        return Step(call, path, offset=int(arguments.rpartition(",")[2]))
    return Step("sync", path)


def _plain(text: str) -> bytes:
    """Bytes that strace wrote as hexadecimal, names of open files too."""
    return bytes.fromhex(text.replace("\\x", ""))
