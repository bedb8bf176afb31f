"""What is shipped works: a wheel and an sdist, installed away from the checkout, find their templates and taxonomy."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from house import ROOT, Git

pytestmark = pytest.mark.xdist_group("package")


def run(*command: object, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the sdist, the wheel out of it, and a second wheel as pip makes one of the sdist."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    wheel, sdist = next(out.glob("*.whl")), next(out.glob("*.tar.gz"))
    again = out / "of-sdist"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", again, sdist, cwd=out)
    return {"wheel": wheel, "sdist": sdist, "wheel of the sdist": next(again.glob("*.whl"))}


@pytest.fixture(scope="session", params=["wheel", "wheel of the sdist"])
def installed(request: pytest.FixtureRequest, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install into an empty environment, without network: the dependencies are lent by the running one."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "--no-input")
    run(*pip, "install", "--no-deps", "--no-index", built[request.param], cwd=folder)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    # a .pth lends the packages but not what their own .pth files say: the editable checkout stays out of reach
    (packages / "zz-lent.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return folder / "bin"


@pytest.fixture
def env(clean_env: dict[str, str], installed: Path) -> dict[str, str]:
    return {**clean_env, "PATH": os.pathsep.join([str(installed), os.environ["PATH"]])}


def test_it_is_not_the_checkout_that_runs(installed: Path, env: dict[str, str], tmp_path: Path) -> None:
    where = run(installed / "python", "-c", "import reversa; print(reversa.__file__)", cwd=tmp_path, env=env)
    assert str(ROOT) not in where


@pytest.mark.parametrize("script", ["reversa", "reversa-bugs"])
def test_version(script: str, installed: Path, env: dict[str, str], tmp_path: Path) -> None:
    import reversa

    assert reversa.__version__ in run(installed / script, "--version", cwd=tmp_path, env=env)


def test_a_registry_from_nothing(installed: Path, env: dict[str, str], tmp_path: Path, git: Git) -> None:
    reversa = installed / "reversa"
    git(tmp_path, "init", "-q")
    below = tmp_path / "src"
    below.mkdir()
    run(reversa, "init", cwd=below, env=env)
    registry = tmp_path / "_reversa_bugs"
    assert sorted(path.name for path in registry.iterdir()) == ["README.md", "taxonomy.yaml"]
    assert (registry / "taxonomy.yaml").read_bytes() == (ROOT / "taxonomy.yaml").read_bytes()
    run(reversa, "new", "Total is wrong", "-c", "checkout", cwd=below, env=env)
    run(reversa, "graph", cwd=below, env=env)
    views = {path.name for path in (registry / "checkout" / "generated").iterdir()}
    assert {"catalog.jsonl", "index.md", "matrix.md", "graph.md", "graph.html", "spec-matrix.md"} <= views
    run(reversa, "graph", "--check", cwd=below, env=env)
    run(reversa, "check", "--strict", cwd=below, env=env)


def test_contents(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as wheel:
        names = set(wheel.namelist())
    templates = {f"reversa/_data/templates/{path.name}" for path in (ROOT / "templates").glob("*.j2")}
    assert templates and templates <= names
    assert {"reversa/_data/taxonomy.yaml", "reversa/py.typed"} <= names
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"reversa"}
    with zipfile.ZipFile(built["wheel of the sdist"]) as again:
        assert set(again.namelist()) == names


def test_sdist_has_what_its_readers_need(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as sdist:
        tops = {Path(name).parts[1] for name in sdist.getnames() if len(Path(name).parts) > 1}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "reversa", "taxonomy.yaml", "templates"} <= tops
    assert not tops & {"tests", ".venv", "constraints.txt"}


def test_metadata(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as wheel:
        info = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        points = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
        metadata = Parser().parsestr(wheel.read(info).decode())
        scripts = wheel.read(points).decode()
    assert metadata["Requires-Python"] == ">=3.11"
    assert any(need.startswith("typer") and "<0.29" in need for need in metadata.get_all("Requires-Dist"))
    assert "reversa = " in scripts and "reversa-bugs = " in scripts
