"""A Python environment of its own for a benchmark or for tests, under target/."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TARGET = TOP / "target"


def enter(name, requirements):
    """Goes on in an environment that has the `requirements` ("package==version"), made if this one has not."""
    if all(map(is_installed, requirements)):
        return
    venv = TARGET / name
    python = venv / "bin" / "python"
    if Path(sys.prefix) == venv:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], check=True)
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    os.execv(python, [python, *sys.argv])


def made(name, requirements):
    """The Python of an environment that has the `requirements`, made if there is none."""
    venv = TARGET / name
    python = venv / "bin" / "python"
    listed = venv / "requirements.txt"
    wanted = "\n".join(requirements)
    if not listed.exists() or listed.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], check=True)
        listed.write_text(wanted)
    return python


def is_installed(requirement):
    package, wanted = requirement.split("==")
    try:
        return version(package).split("+")[0] == wanted  # a build may add its kind: +cpu
    except PackageNotFoundError:
        return False


def build(*examples):
    """Builds the command and these examples; returns their paths."""
    cargo = ["cargo", "build", "--release", "--quiet"]
    subprocess.run([*cargo, "--package", "prequential-cli"], cwd=TOP, check=True)
    for example in examples:
        subprocess.run([*cargo, "--package", "prequential", "--example", example], cwd=TOP, check=True)
    release = TARGET / "release"
    return release / "prequential", *(release / "examples" / example for example in examples)
