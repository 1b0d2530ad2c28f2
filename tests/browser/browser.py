# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven through its pipe with the DevTools protocol: pages of local files and what is in them."""
import json
import os
import shutil
import subprocess

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


class Browser:
    """with Browser(folder) as browser: ... ; folder is for the browser's own files."""

    def __init__(self, folder):
        program = next(filter(None, map(shutil.which, PROGRAMS)))
        to_child, self.to = os.pipe()
        self.back, from_child = os.pipe()
        # the protocol's ends are file descriptors 3 and 4 of the browser
        shell = ["sh", "-c", f'exec "$@" 3<&{to_child} 4>&{from_child}', "sh"]
        self.process = subprocess.Popen(
            [*shell, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_child, from_child), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.text, self.last, self.requests, self.errors = b"", 0, [], []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.page(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)
        self.process.terminate()
        self.process.wait()
        os.close(self.back)

    def message(self):
        while b"\0" not in self.text:
            more = os.read(self.back, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.text += more
        line, self.text = self.text.split(b"\0", 1)
        message = json.loads(line)
        method, facts = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(facts["exceptionDetails"]["text"])
        elif method == "Log.entryAdded":
            self.errors.append(facts["entry"]["text"])
        return message

    def call(self, method, session=None, **facts):
        self.last += 1
        message = {"id": self.last, "method": method, "params": facts, **({"sessionId": session} if session else {})}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def page(self, method, **facts):
        return self.call(method, self.session, **facts)

    def run(self, script):
        """The value of an expression in the page; it may be a promise."""
        answer = self.page("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def look(self, width, height=900, media="screen", scheme="light", script=True):
        """How the next page is shown."""
        self.page("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.page("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.page("Emulation.setScriptExecutionDisabled", value=not script)

    def open(self, path):
        """Loads a file; returns when its load event is over. What it asked for is in requests."""
        for url in ("about:blank", f"file://{path}"):  # another address in the file that is open would not load it again
            self.requests, self.errors = [], []
            self.page("Page.navigate", url=url)
            while self.message().get("method") != "Page.loadEventFired":
                pass

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.page("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=13 if key == "Enter" else 27 if key == "Escape" else 39)
