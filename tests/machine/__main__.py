"""What only a real Debian with its own kernel and systemd can show: sh scripts/machine [--cuts N].

The package is installed on a disk, and an emulated computer starts from it: the unit with its whole
sandbox, the broker at a Unix socket, the watchdog, kills, and cuts of the power in play.
"""

import argparse
import asyncio
import random
import re
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from tests.machine.computer import Computer
from tests.machine.image import made
from tests.machine.match import Match, reached, wrong
from tests.machine.stick import put_in_twice

SERVICE = "tacada@1.service"
CACHE = Path("/var/tmp/tacada-bare")

PATIENCE_S = 900
"""An emulated computer on a busy machine is slow; what counts is that it comes back by itself."""

SLOW_S = 120
"""After so long it is asked why, and waited on."""

_WHY = (
    "cat /proc/loadavg; systemctl list-jobs --no-pager; "
    "systemctl --failed --no-pager; mount | grep -w /; df -h /; "
    f"journalctl -q -b --no-pager -o short-monotonic -u {SERVICE} -u mosquitto | tail -30; "
    "dmesg | tail -15"
)
"""What to ask a table that does not come back."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/machine", description=__doc__)
    parser.add_argument("package", type=Path, help="what scripts/deb built for amd64")
    parser.add_argument("--cuts", type=int, default=5, help="of the power; default: %(default)s")
    parser.add_argument("--root", type=Path, default=CACHE / "bookworm", help="a Debian root")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tacada-machine-", dir="/var/tmp") as name:
        folder = Path(name)
        disk = made(args.root, args.package, folder)
        print(f"disk: {shutil.disk_usage(folder).used and disk.stat().st_blocks // 2048} MB")
        return asyncio.run(_scenes(folder, disk, args.cuts, random.Random(args.seed)))


async def _scenes(folder: Path, disk: Path, cuts: int, chance: random.Random) -> int:
    computer, match = Computer(folder, disk), Match()
    print(f"boot: {await computer.power_on():.0f} s to a shell")
    try:
        await _unit(computer, match)
        await _second_table(computer)
        await _watchdog(computer, match)
        await _killed(computer, match)
        await put_in_twice(computer, match, folder)
        await _cut_often(computer, match, cuts, chance)
        await _stopped(computer, match)
    finally:
        computer.cut_the_power()
    print(f"{match.entered} entries, {match.cuts} cuts, {match.boots} starts of the table")
    print(f"lost: {len(wrong)}" + "".join(f"\n  {one}" for one in wrong))
    return 1 if wrong else 0


async def _unit(computer: Computer, match: Match) -> None:
    """The unit runs, with all that it may not do."""
    await computer.run(
        f"until systemctl is-active -q {SERVICE}; do sleep 0.2; done", within_s=PATIENCE_S
    )
    await match.resumed(computer.port)
    for unit in (SERVICE, "mosquitto.service"):
        said = await computer.run(f"systemd-analyze security --no-pager {unit} | tail -1")
        print(re.sub(r"[^ -~]", "", said).strip())
    print(await computer.run("systemd-analyze --version | head -1; uname -r"))
    status = f"/proc/$(systemctl show -P MainPID {SERVICE})/status"
    print(await computer.run(f"grep -E '^(NoNewPrivs|Seccomp|CapEff|VmHWM):' {status} | xargs"))
    print(await computer.run(f"stat -c %U {status}"))
    print(await computer.run("systemd-analyze | head -1"))
    up = "systemctl show -P ActiveEnterTimestampMonotonic"
    print(await computer.run(f"echo up after, in µs: $({up} {SERVICE} mosquitto)"))


async def _second_table(computer: Computer) -> None:
    """Another one on the same machine: its own configuration, journal and name."""
    text = 'sed \'s,"1","2",; s,tacada/1/,tacada/2/,\' /etc/tacada/1.toml >/etc/tacada/2.toml'
    await computer.run(f"{text}; systemctl start tacada@2")
    async with asyncio.timeout(PATIENCE_S), reached(computer.port) as listening:
        await listening.subscribe("tacada/test/2/state", qos=1)
        await anext(listening.messages)
    print(await computer.run("stat -c '%n %U %a' /var/lib/tacada/*/journal.db | xargs"))
    await computer.run("systemctl stop tacada@2; rm /etc/tacada/2.toml")


async def _watchdog(computer: Computer, match: Match) -> None:
    """A table that hangs is started again, and the match goes on."""
    await match.plays(computer.port, 20)
    pid = await computer.run(f"systemctl show -P MainPID {SERVICE}")
    began = time.monotonic()
    await computer.run(f"kill -STOP {pid}")
    await match.resumed(computer.port, within_s=PATIENCE_S)
    print(f"hung: back after {time.monotonic() - began:.1f} s at record {match.seq}")
    print(await computer.run(f"journalctl -q -o cat -u {SERVICE} | grep -i watchdog | head -2"))


async def _killed(computer: Computer, match: Match) -> None:
    await match.plays(computer.port, 20)
    began = time.monotonic()
    await computer.run(f"systemctl kill -s KILL {SERVICE}")
    await match.resumed(computer.port, within_s=PATIENCE_S)
    print(f"killed: back after {time.monotonic() - began:.1f} s at record {match.seq}")


async def _cut_often(computer: Computer, match: Match, cuts: int, chance: random.Random) -> None:
    """The power goes in the middle of play, at any moment of any write."""
    boots: list[float] = []
    for number in range(1, cuts + 1):
        play = asyncio.create_task(match.plays(computer.port, 10_000))
        await asyncio.sleep(chance.uniform(0.3, 6))
        computer.cut_the_power()
        await computer.gone()
        play.cancel()
        await asyncio.gather(play, return_exceptions=True)
        match.cuts += 1
        seen = match.confirmed
        boots.append(await computer.power_on())
        took = await _back(computer, match)
        print(
            f"cut {number}: confirmed up to {seen}, back at {match.seq}, "
            f"{boots[-1]:.0f} s to a shell, {took:.0f} s more to the table",
            flush=True,
        )
    if boots:
        print(f"starts after a cut: median {statistics.median(boots):.0f} s to a shell")


async def _back(computer: Computer, match: Match) -> float:
    """Wait for the table after a start; the seconds that took. A slow one is asked why."""
    began = time.monotonic()
    waiting = asyncio.create_task(match.resumed(computer.port, within_s=PATIENCE_S))
    done, _ = await asyncio.wait({waiting}, timeout=SLOW_S)
    if not done:
        print(f"not back after {SLOW_S} s:\n{await computer.run(_WHY)}", flush=True)
    try:
        await waiting
    except TimeoutError:
        print(await computer.run(_WHY))
        raise
    return time.monotonic() - began


async def _stopped(computer: Computer, match: Match) -> None:
    """A clean stop says goodbye; what a person finds in the log."""
    await computer.run(f"systemctl stop {SERVICE}")
    await match.offline(computer.port)
    print(await computer.run(f"systemctl show -P Result {SERVICE}"))
    print(await computer.run(f"journalctl -q -o cat -u {SERVICE} | tail -4"))


if __name__ == "__main__":
    raise SystemExit(main())
