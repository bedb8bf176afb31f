"""`make demo` is the product's main job from end to end: it runs here as it does for a newcomer."""

from __future__ import annotations

import subprocess
from pathlib import Path

from house import ROOT


def demo(env: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["bash", str(ROOT / "docs" / "demo.sh")]
    env = {**env, "TMPDIR": str(folder)}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def listing(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_every_step_behaves(clean_env: dict[str, str], tmp_path: Path) -> None:
    example = listing(ROOT / "registry-example")
    done = demo(clean_env, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    for command in ("check", "new", "update", "link", "close", "graph"):
        assert f"\n$ reversa {command}" in done.stdout
    assert done.stdout.count("(exit code 4, as it should be)") == 2
    pages = [word for word in done.stdout.split() if word.startswith(str(tmp_path)) and word.endswith((".html", ".md"))]
    assert len(pages) == 3
    assert all(Path(page).is_file() for page in pages)
    assert listing(ROOT / "registry-example") == example


def test_a_step_that_misbehaves_fails_the_demo(clean_env: dict[str, str], tmp_path: Path) -> None:
    binaries = tmp_path / "bin"
    binaries.mkdir()
    stand_in = binaries / "reversa"
    stand_in.write_text("#!/bin/sh\nexit 0\n", "utf-8")
    stand_in.chmod(0o755)
    done = demo({**clean_env, "PATH": f"{binaries}:{clean_env['PATH']}"}, tmp_path)
    assert done.returncode == 1
    assert "The demo failed" in done.stderr
