"""Tests the report in headless Chromium: `make browser-test`. Without a browser it prints a notice and passes."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

TOP = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = ["chromium", "chromium-driver"]


def find_browser():
    """The browser and its driver, or why there is none; where that is possible, they are installed first."""
    missing = "Chromium and chromedriver are not on the path"
    if not found() and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"browser test: installing {' and '.join(PACKAGES)}", flush=True)
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES]):
            done = subprocess.run(
                command, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                missing = f"`{' '.join(command)}` failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    return found(), missing


def found():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (chromium, driver) if chromium and driver else None


def build():
    """Builds the command and says where it is."""
    # As the tests built it: `cargo build` would choose other features of what it depends on, and compile everything again.
    subprocess.run(["cargo", "test", "--workspace", "--no-run", "--quiet", "--lib", "--bins", "--tests"], cwd=TOP, check=True)
    metadata = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    answer = subprocess.run(metadata, cwd=TOP, check=True, capture_output=True, text=True).stdout
    return str(pathlib.Path(json.loads(answer)["target_directory"]) / "debug" / "prequential")


def main():
    browser, missing = find_browser()
    if browser is None:
        print(f"browser test: skipped, {missing} (Debian: apt-get install {' '.join(PACKAGES)})")
        return 0
    os.environ.update(CHROMIUM=browser[0], CHROMEDRIVER=browser[1], PREQUENTIAL=build())
    tests = unittest.defaultTestLoader.discover(str(TOP / "scripts" / "browser"), pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    n_failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - n_failed} passed, {n_failed} failed")
    return 0 if result.testsRun > 0 and n_failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
