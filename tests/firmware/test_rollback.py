"""The way back from an update, as the package has it: one command, one rename."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "systemd" / "debian" / "tacada-rollback"


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    """/usr/lib/tacada after an update."""
    for version in ("0.1.0", "0.2.0"):
        python = tmp_path / f"environment-{version}" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.touch(mode=0o755)
    (tmp_path / "current").symlink_to("environment-0.2.0")
    return tmp_path


def rolled_back(lib: Path) -> subprocess.CompletedProcess[str]:
    script = SCRIPT.read_text("utf-8")
    assert "cd /usr/lib/tacada\n" in script
    here = script.replace("/usr/lib/tacada", str(lib)).replace("/run/systemd/system", f"{lib}/none")
    return subprocess.run(["sh", "-c", here], capture_output=True, text=True, check=False)


def test_back_to_the_version_before_and_forward_again(lib: Path) -> None:
    """Ask 123."""
    for now, before in (("0.1.0", "0.2.0"), ("0.2.0", "0.1.0")):
        done = rolled_back(lib)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"tacada is now {now}; it was {before}\n"
        assert (lib / "current").readlink() == Path(f"environment-{now}")
        assert not (lib / "current.new").is_symlink()


def test_a_version_that_is_half_there_is_not_gone_back_to(lib: Path) -> None:
    (lib / "environment-0.1.0/bin/python").unlink()
    done = rolled_back(lib)
    assert done.returncode == 1
    assert "apt install ./tacada_VERSION.deb" in done.stderr
    assert (lib / "current").readlink() == Path("environment-0.2.0")
