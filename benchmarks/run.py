#!/usr/bin/env python3
"""CPU time of the commands on a registry of 1,000 bugs, as multiples of floors measured in the same run.

    python benchmarks/run.py [--runs 5] [--size 1000]

Prints a Markdown table and exits 1 when a target is missed. benchmarks/README.md says how to read it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KIT = Path(os.environ.get("REVERSA_SHARED") or ROOT.parent / "shared") / "bench"
"""The generator and the floor program; they belong to the project's shared material, not to this repository."""

PYTHON = sys.executable
REVERSA = str(Path(PYTHON).parent / "reversa")


@dataclass
class Job:
    """A command to measure, what it is compared with, and the most it may cost."""

    name: str
    command: Sequence[str]
    folder: Path
    floor: str = ""
    target: float | None = None
    prepare: Callable[[], None] | None = None
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def environment() -> dict[str, str]:
    """The caller's environment without what would make Python or reversa behave unlike a user's."""
    dropped = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONSTARTUP", "PYTHONPATH", "REVERSA_REGISTRY"}
    return {**{key: value for key, value in os.environ.items() if key not in dropped}, "REVERSA_TODAY": "2026-09-01"}


def cpu(job: Job) -> float:
    """Run a job once and give its user and system time, waited-for children included."""
    if job.prepare:
        job.prepare()
    process = subprocess.Popen(
        job.command, cwd=job.folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:  # a command that gives up early would look fast
        sys.exit(f"{job.name}: exit code {process.returncode}\n{said.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime


def undraw(folder: Path) -> None:
    for views in folder.glob("_reversa_bugs/*/generated"):
        shutil.rmtree(views)


def jobs(registry: Path, scratch: Path) -> list[Job]:
    """The floors first, then what has a target, then what is only shown."""
    some = sorted(path.parent.name[:17] for path in registry.glob("_reversa_bugs/*/bugs/*/bug.md"))
    unlocked = sorted(
        path.parent.name[:17]
        for path in registry.glob("_reversa_bugs/*/bugs/*/bug.md")
        if not (path.parent / "DONE.md").exists()
    )
    context = next(registry.glob("_reversa_bugs/*/bugs")).parent.name
    update = [REVERSA, "update", unlocked[0], "--priority", "P0", "--severity", "critical", "--dry-run"]
    return [
        Job("F_py: empty Python", [PYTHON, "-c", "pass"], registry),
        Job("F_read: read every bug.md", [PYTHON, str(KIT / "floor.py"), "read", str(registry)], registry),
        Job("reversa --version", [REVERSA, "--version"], registry, "F_py", 3),
        Job("a TAB behind `show BUG-2`", [f"{REVERSA}-bugs", "__complete", "--", "show", "BUG-2"], registry, "F_py", 9),
        Job("reversa list", [REVERSA, "list"], registry, "F_read", 9),
        Job("reversa check", [REVERSA, "check"], registry, "F_read", 16),
        Job("reversa --help", [REVERSA, "--help"], registry, "F_py"),
        Job("reversa show", [REVERSA, "show", some[0]], registry, "F_read"),
        Job("reversa update --dry-run", update, registry, "F_read"),
        Job("reversa new", [REVERSA, "new", "Total is wrong", "-c", context], scratch, "F_read"),
        Job("reversa graph", [REVERSA, "graph"], scratch, "F_read", prepare=lambda: undraw(scratch)),
    ]


def measure(jobs: Sequence[Job], runs: int) -> None:
    """Take turns, so that a slow spell meets floors and commands alike; the first turn is not counted."""
    for turn in range(runs + 1):
        for job in jobs:
            seconds = cpu(job)
            if turn:
                job.seconds.append(seconds)


def report(jobs: Sequence[Job]) -> tuple[list[str], bool]:
    """Give the table's lines and whether every target is met."""
    floors = {job.name.split(":")[0]: job.median for job in jobs if not job.floor}
    lines = ["| job | CPU ms, median | ratio | target | |", "|---|---:|---:|---:|---|"]
    good = True
    for job in jobs:
        ratio = job.median / floors[job.floor] if job.floor else 1
        met = job.target is None or ratio <= job.target
        good = good and met
        shown = f"{ratio:.1f} × {job.floor}" if job.floor else ""
        target = f"≤ {job.target:g}" if job.target else ""
        verdict = ("met" if met else "MISSED") if job.target else ""
        lines.append(f"| {job.name} | {job.median * 1000:.0f} | {shown} | {target} | {verdict} |")
    return lines, good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=5, help="how many runs the median is taken of")
    parser.add_argument("--size", type=int, default=1000, help="how many bugs the registry holds")
    options = parser.parse_args()
    if not (KIT / "gen_registry.py").is_file():
        print("The generator is not beside this checkout; name the folder that holds bench/ in REVERSA_SHARED.")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        registry, scratch = Path(folder, "registry"), Path(folder, "scratch")
        generate = [PYTHON, str(KIT / "gen_registry.py"), str(options.size), str(registry), "--git"]
        subprocess.run(generate, check=True, capture_output=True)
        shutil.copytree(registry, scratch, symlinks=True)
        measured = jobs(registry, scratch)
        measure(measured, options.runs)
    lines, good = report(measured)
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"{options.size} bugs, Python {version}, median of {options.runs} runs, user and system time\n")
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
