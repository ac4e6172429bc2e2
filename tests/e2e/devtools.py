"""A thin DevTools client: headless Chromium over --remote-debugging-pipe, in nothing but the standard library."""

import contextlib
import fcntl
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

import harness

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
         "--disable-features=OptimizationHints,MediaRouter,Translate,HttpsUpgrades", "--window-size=1000,800", "--remote-debugging-pipe"]


def _moved(descriptor):
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10)
    finally:
        os.close(descriptor)


class DevToolsError(Exception):
    pass


class Browser:
    """One Chromium with a profile of its own. Closed when the `with` ends.

    `listeners` are called with every event (session, method, parameters), on the reading thread.
    """

    def __init__(self, *flags, net_log=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-chromium-"))
        if net_log:
            flags = (*flags, f"--log-net-log={net_log}", "--net-log-capture-mode=Everything")
        to_child, self._to = os.pipe()
        self._from, from_child = os.pipe()
        # Out of the way of the descriptors that they become.
        to_child, from_child = _moved(to_child), _moved(from_child)
        command = [CHROMIUM, *FLAGS, *flags, f"--user-data-dir={self.folder}/profile", "about:blank"]
        self.errors = open(self.folder / "stderr", "wb")
        # Chromium reads commands from descriptor 3 and writes to 4.
        script = f'exec 3<&{to_child} 4>&{from_child} {to_child}<&- {from_child}>&-; exec "$@"'
        self.process = subprocess.Popen(["/bin/bash", "-c", script, "chromium", *command], pass_fds=(to_child, from_child),
                                        stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors,
                                        env=harness.clean_environment(self.folder))
        os.close(to_child)
        os.close(from_child)
        self._answers, self._lock, self._next = {}, threading.Lock(), 0
        self.listeners = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends it as a person would, so that the net log is whole."""
        with contextlib.suppress(DevToolsError, OSError):
            self.call("Browser.close", wait=60)
        try:
            self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(10)
        os.close(self._to)
        os.close(self._from)
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self):
        buffer = b""
        while True:
            try:
                piece = os.read(self._from, 1 << 16)
            except OSError:
                piece = b""
            if not piece:
                for waiting in list(self._answers.values()):
                    waiting.put({"error": {"message": "the browser is gone"}})
                return
            buffer += piece
            *messages, buffer = buffer.split(b"\0")
            for message in messages:
                self._take(json.loads(message))

    def _take(self, message):
        if "id" in message:
            waiting = self._answers.pop(message["id"], None)
            if waiting:
                waiting.put(message)
            return
        for listener in list(self.listeners):
            listener(message.get("sessionId"), message["method"], message.get("params", {}))

    def send(self, method, session=None, answer=None, **parameters):
        with self._lock:
            self._next += 1
            number = self._next
            message = {"id": number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            if answer:
                self._answers[number] = answer
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self._to, data):]
        return number

    def call(self, method, session=None, wait=30, **parameters):
        answer = queue.SimpleQueue()
        number = self.send(method, session, answer, **parameters)
        try:
            message = answer.get(timeout=wait)
        except queue.Empty:
            self._answers.pop(number, None)
            raise DevToolsError(f"{method}: no answer within {wait} s") from None
        if "error" in message:
            raise DevToolsError(f"{method}: {message['error']['message']}")
        return message["result"]
