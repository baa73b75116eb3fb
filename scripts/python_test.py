"""Builds the Python package once and tests the installed wheel, with pandas and pyarrow and without them."""

import os
import shutil
import subprocess
import sys

from environment import TARGET, TOP, made

PACKAGE = TOP / "crates" / "prequential-py"
BUILD = ["maturin==1.16.0"]
BARE = ["networkx==3.6.1", "pytest==9.2.0"]
WHOLE = [
    *BARE,
    "causal-learn==0.1.4.8",
    "distributed==2026.8.0",
    "dowhy==0.14",
    "duckdb==2.0.0",
    "ipykernel==7.4.0",
    "loky==3.7.0",
    "mpi4py==4.1.2",
    "mpich==5.0.2",
    "mypy==2.4.1",
    "nbclient==0.11.0",
    "numpy==2.4.6",
    "pandas==3.1.1",
    "pgmpy==1.1.2",
    "polars==2.1.0",
    "pyarrow==26.0.1",
    "ray==2.60.0",
    "scikit-learn==1.9.1",
]


def wheel(profile, *features):
    """Builds the wheel; returns its path."""
    python = made("python-build", BUILD)
    folder = TARGET / "wheels" / profile
    shutil.rmtree(folder, ignore_errors=True)
    command = [python.parent / "maturin", "build", "--quiet", "--profile", profile, "--out", folder, *features]
    manifest = ["--manifest-path", PACKAGE / "Cargo.toml", "--interpreter", python]
    subprocess.run([*command, *manifest], cwd=TOP, check=True)
    (built,) = folder.glob("*.whl")
    return built


def installed(name, requirements, built):
    """An environment with the wheel."""
    python = made(name, requirements)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--force-reinstall", built], check=True)
    return python


def test(python, *arguments):
    # The tests stand beside the sources; the package itself is the installed one.
    command = [python, "-m", *arguments]
    environment = {**os.environ, "PREQUENTIAL_COMMAND": str(TARGET / "debug" / "prequential")}
    subprocess.run(list(map(str, command)), cwd=PACKAGE / "tests", env=environment, check=True)


def main():
    if sys.argv[1:] == ["wheel"]:
        print(wheel("release"))
        return
    # The profile of the other tests, so that what they have built is not built again.
    built = wheel("dev", "--features", "test-build")
    whole = installed("python-test", WHOLE, built)
    test(whole, "pytest", "-q")
    test(whole, "pytest", "-q", "--doctest-modules", "--pyargs", "prequential")
    test(whole, "mypy.stubtest", "prequential._native")
    test(whole, "mypy", "--config-file", PACKAGE / "mypy.ini", "--package", "prequential")
    test(installed("python-bare", BARE, built), "pytest", "-q")


if __name__ == "__main__":
    main()
