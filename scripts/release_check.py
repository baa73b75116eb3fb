"""Builds and installs what a release would upload, without uploading: `make release-check`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from environment import TARGET, TOP, made
from python_test import BUILD, PACKAGE, wheel

#: In the order in which they need each other; those that need an unpublished one are packed, not built.
CRATES = ["prequential", "prequential-simulate", "prequential-paper", "prequential-cli"]


def run(*command):
    print("$", *command, flush=True)
    subprocess.run(list(map(str, command)), cwd=TOP, check=True)


def installs(archive):
    """Installs an archive into a fresh environment and learns a graph with it."""
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "venv", folder)
        python = Path(folder) / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", archive)
        learn = "import prequential as p; print(p.learn(p.simulate('asia', rows=500).table).graph.number_of_edges(), 'edges')"
        run(python, "-c", learn)


def main():
    run("cargo", "publish", "--dry-run", "--allow-dirty", "--package", CRATES[0])
    packages = [part for crate in CRATES for part in ("--package", crate)]
    run("cargo", "package", "--no-verify", "--allow-dirty", *packages)
    installs(wheel("release"))
    python = made("python-build", BUILD)
    folder = TARGET / "sdist"
    run(python.parent / "maturin", "sdist", "--out", folder, "--manifest-path", PACKAGE / "Cargo.toml")
    installs(max(folder.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime))


main()
