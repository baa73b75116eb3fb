"""A small WebDriver client: drives headless Chromium through chromedriver, with the standard library alone."""

import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
# The standard's names for keys that are no letters.
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Delete": "\ue017", "Control": "\ue009", "Null": "\ue000"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class WebDriverError(Exception):
    """What the browser answered instead of doing what it was told."""


class Browser:
    """A browser with an empty profile; use it in a `with`."""

    def __init__(self, chromium, chromedriver, size=(1280, 900)):
        self.profile = tempfile.mkdtemp(prefix="prequential-browser-")
        self.driver, self.address = None, None
        try:
            self._start(chromium, chromedriver, size)
        except BaseException:
            self.close()
            raise

    def _start(self, chromium, chromedriver, size):
        port = free_port()
        self.driver = subprocess.Popen(
            [chromedriver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.address = f"http://127.0.0.1:{port}"
        wait_until_ready(self.address, self.driver)
        arguments = [*FLAGS, f"--user-data-dir={self.profile}", f"--window-size={size[0]},{size[1]}"]
        logging = {"browser": "ALL", "performance": "ALL"}
        options = {"binary": chromium, "args": arguments}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": logging}}
        session = self._call("POST", "/session", {"capabilities": wanted})
        self.address += f"/session/{session['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the browser and removes its profile."""
        if self.driver:
            try:
                self._call("DELETE", "")
            except (OSError, WebDriverError):
                pass
            self.driver.terminate()
            self.driver.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _call(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method)
        # No proxy: the driver is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(f"{value['error']}: {value['message']}") from None

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs JavaScript in the page and returns what it returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        """A command of the Chrome DevTools protocol."""
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind):
        """New entries of the log `browser` or `performance`."""
        return self._call("POST", "/se/log", {"type": kind})

    def find(self, selector):
        return self._call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self._call("POST", f"/element/{self.find(selector)}/click")

    def text(self, selector):
        return self._call("GET", f"/element/{self.find(selector)}/text")

    def press(self, *keys, held=None):
        """Presses keys where the focus is, one after the other, while another one is held down."""
        steps = [{"type": "keyDown", "value": KEYS[held]}] if held else []
        for key in keys:
            value = KEYS.get(key, key)
            steps += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        steps += [{"type": "keyUp", "value": KEYS[held]}] if held else []
        self._perform({"type": "key", "id": "keyboard", "actions": steps})

    def move_and_press(self, *places):
        """Presses the pointer at the first place on the screen, moves it over the others and lets go at the last."""
        def move(place):
            return {"type": "pointerMove", "duration": 30, "x": round(place[0]), "y": round(place[1])}

        steps = [move(places[0]), {"type": "pointerDown", "button": 0}]
        steps += [move(place) for place in places[1:]] + [{"type": "pointerUp", "button": 0}]
        self._perform({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps})

    def _perform(self, source):
        self._call("POST", "/actions", {"actions": [source]})
        self._call("DELETE", "/actions")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_until_ready(address, process):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        if process.poll() is not None:
            raise WebDriverError("chromedriver ended before it was ready")
        try:
            with opener.open(address + "/status", timeout=5) as answer:
                if json.load(answer)["value"]["ready"]:
                    return
        except OSError:
            pass
        time.sleep(0.1)
    raise WebDriverError("chromedriver did not become ready")
