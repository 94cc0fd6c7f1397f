"""A disk with a real Debian, the package installed as docs/install.md says, and a way in.

Made for each run, from the roots that scripts/bare keeps. Needs root.
"""

import os
import shutil
import subprocess
from pathlib import Path

DISK_MB = 1600

_FILES = {
    "etc/hostname": "mesa1\n",
    "etc/hosts": "127.0.0.1 localhost mesa1\n",
    "etc/fstab": "/dev/vda / ext4 defaults,errors=remount-ro 0 1\n",
    "etc/systemd/network/lan.network": "[Match]\nName=en*\n[Network]\nDHCP=yes\n",
    "etc/tacada/1.toml": (
        'schema = 1\nhall = "test"\ntable = "1"\njournal = "/var/lib/tacada/1/journal.db"\n'
        '[match]\nrulebook = "ug"\nfirst = "A"\nformat = "target=999/999"\n'
        '[broker]\nhost = "/run/tacada-mqtt/mqtt.sock"\n'
        '[backup]\nfolder = "/media/tacada"\n'
    ),
    # The test's own way in: a shell at the second serial line.
    "etc/systemd/system/probe.service": (
        "[Service]\nExecStart=/bin/sh\nStandardInput=tty\nStandardOutput=tty\n"
        "StandardError=tty\nTTYPath=/dev/ttyS1\nRestart=always\n"
        "[Install]\nWantedBy=multi-user.target\n"
    ),
}

_DRIVERS = {
    "etc/initramfs-tools/conf.d/small": "MODULES=list\n",
    "usr/share/initramfs-tools/modules.d/small": "virtio_pci\nvirtio_blk\next4\n",
}
"""What an emulated disk needs to start from, and no more: much of a start was unpacking others."""

_INSTALL = """
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends \
    linux-image-amd64 systemd-sysv udev mosquitto ./root/tacada.deb >/root/apt.log 2>&1
share=/usr/share/tacada
install -D -m 644 $share/tacada.tmpfiles.conf /usr/lib/tmpfiles.d/tacada.conf
install -m 644 $share/mosquitto-tables.conf /etc/mosquitto/conf.d/
install -D -m 644 $share/mosquitto-hardened.conf \
    /etc/systemd/system/mosquitto.service.d/tacada.conf
install -D -m 644 $share/local-broker.conf \
    '/etc/systemd/system/tacada@.service.d/local-broker.conf'
systemctl enable -q systemd-networkd mosquitto tacada@1
apt-get clean
"""


def made(root: Path, package: Path, folder: Path) -> Path:
    """The disk image in `folder`, with `vmlinuz` and `initrd.img` beside it."""
    work = folder / "root"
    shutil.rmtree(work, ignore_errors=True)
    subprocess.run(["cp", "-a", root, work], check=True)
    shutil.copy(package, work / "root" / "tacada.deb")
    shutil.copy("/etc/resolv.conf", work / "etc/resolv.conf")
    command = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c"]
    _write(work, _DRIVERS)
    inside = f'mount -t proc proc "{work}/proc"; chroot "{work}" /bin/sh -c "$0"'
    subprocess.run([*command, inside, _INSTALL], check=True)
    _write(work, _FILES)
    subprocess.run(["chroot", work, "systemctl", "enable", "-q", "probe"], check=True)
    for kind in ("vmlinuz", "initrd.img"):
        shutil.copy(os.path.realpath(work / kind), folder / kind)
    disk = folder / "disk.raw"
    disk.unlink(missing_ok=True)
    subprocess.run(
        ["mkfs.ext4", "-q", "-d", work, disk, f"{DISK_MB}M"], check=True, stdout=subprocess.DEVNULL
    )
    shutil.rmtree(work)
    return disk


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
