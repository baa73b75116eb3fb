"""Builds the documentation site without network: `make docs`. Every cell runs, and one that fails, fails the build."""

import shutil
import subprocess
import sys

from environment import TARGET, TOP
from python_test import installed, wheel

#: Those of the tests where both have them: what pages show is then what tests have seen.
REQUIREMENTS = [
    "dowhy==0.14",
    "furo==2025.12.19",
    "ipykernel==7.4.0",
    "matplotlib==3.11.2",
    "myst-nb==1.4.0",
    "networkx==3.6.1",
    "numpy==2.4.6",
    "pandas==3.1.1",
    "scikit-learn==1.9.1",
    "sphinx==9.0.4",
    "sphinx-copybutton==0.5.2",
]
SITE = TARGET / "docs"


def main():
    python = installed("python-docs", REQUIREMENTS, wheel("release"))
    if "--fresh" in sys.argv:
        shutil.rmtree(SITE, ignore_errors=True)
    build = [python, "-m", "sphinx", "-b", "html", "--fail-on-warning", "--keep-going", "-d", TARGET / "docs-state"]
    subprocess.run([*build, TOP / "docs", SITE], check=True)
    print(f"the site is in {SITE / 'index.html'}")


if __name__ == "__main__":
    main()
