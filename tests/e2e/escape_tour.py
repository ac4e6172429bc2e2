"""Opens one captured page after the other in a few tabs of one browser, and notes what came of each."""

import collections
import dataclasses
import re
import threading
import time

import devtools

QUIET = 0.7  # seconds without a sign of life, after which a page has tried all that it tries at once
BUSY = 10  # seconds after which it is left though it is never quiet
PATIENCE = 60  # seconds after which it is left though it has tried nothing
AGAIN = 12  # seconds after which it is opened again: the page before it in the tab may have led the tab elsewhere
PRESSED = {"ctrl": 2, "shift": 8}


@dataclasses.dataclass
class Seen:
    """Of one page."""

    tried: bool = False
    asked: bool = False  # for its document
    got: list = dataclasses.field(default_factory=list)  # what it says it reached
    done: bool = False
    in_window: bool = False  # a document of it ran in a window, not in a frame
    top: str = ""  # the address of the window at the end


class Tab:
    def __init__(self, browser):
        self.target = browser.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.way, self.address, self.opened = None, "", 0
        self.last = self.began = self.tried = 0
        self.pressed = False


class Tour:
    def __init__(self, browser, tabs=10):
        self.browser = browser
        self.seen = collections.defaultdict(Seen)
        self.windows = collections.defaultdict(list)  # opened by pages: their addresses
        self._lock = threading.Lock()
        self._of_session = {}
        self._commands = []
        browser.listeners.append(self._on_event)
        self.tabs = [self._open_tab() for _ in range(tabs)]
        browser.call("Target.setDiscoverTargets", discover=True)

    def _open_tab(self):
        tab = Tab(self.browser)
        self._of_session[tab.session] = tab
        self._watch(tab.session, "page")
        return tab

    def _watch(self, session, kind):
        if kind in ("page", "iframe"):
            self.browser.send("Page.enable", session)
            self.browser.send("Network.enable", session)
        self.browser.send("Runtime.enable", session)
        self.browser.send("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.browser.send("Runtime.runIfWaitingForDebugger", session)

    def _on_event(self, session, method, parameters):
        tab = self._of_session.get(session)
        if method == "Target.attachedToTarget" and tab:
            self._of_session[parameters["sessionId"]] = tab
            self._watch(parameters["sessionId"], parameters["targetInfo"]["type"])
        elif method in ("Target.targetCreated", "Target.targetInfoChanged"):
            self._note_window(parameters["targetInfo"])
        elif method == "Runtime.consoleAPICalled":
            self._note_words(" ".join(str(one.get("value", "")) for one in parameters["args"]))
        elif method == "Inspector.targetCrashed" and tab and tab.way:
            self.seen[tab.way.name].done = True  # the browser ends a page that calls in spite of its policy
        elif method == "Page.javascriptDialogOpening":
            self.browser.send("Page.handleJavaScriptDialog", session, accept=False)
        elif method == "Network.requestWillBeSent" and parameters.get("type") == "Document":
            found = re.search(r"//([a-z0-9-]+)\.site\.test/$", parameters["request"]["url"])
            if found:
                self.seen[found[1]].asked = True
        if tab and not method.startswith("Network.dataReceived"):
            tab.last = time.monotonic()

    def _note_words(self, words):
        what, _, rest = words.partition(" ")
        name = rest.split(" ")[0].rstrip(":")
        if what in ("tried", "threw", "done", "got", "in-window"):
            seen = self.seen[name]
            seen.tried = True
            if what == "got":
                seen.got.append(rest)
            elif what in ("threw", "done"):
                seen.done = True
            elif what == "in-window":
                seen.in_window = True

    def _note_window(self, info):
        if info["type"] == "page" and not any(tab.target == info["targetId"] for tab in self.tabs) and info["url"].startswith("http"):
            addresses = self.windows[info["targetId"]]
            if info["url"] not in addresses:
                addresses.append(info["url"])

    def _open(self, tab):
        tab.opened = time.monotonic()
        self.browser.send("Page.navigate", tab.session, url=tab.address)

    def go(self, ways, address_of):
        """All of them, each in the tab that is free next."""
        waiting = collections.deque(ways)
        while waiting or any(tab.way for tab in self.tabs):
            for tab in self.tabs:
                if tab.way and self._is_done(tab):
                    self._leave(tab)
                if not tab.way and waiting:
                    tab.way = waiting.popleft()
                    tab.began = tab.last = tab.tried = time.monotonic()
                    tab.pressed = False
                    tab.address = address_of(tab.way)
                    self._open(tab)
            time.sleep(0.02)

    def _is_done(self, tab):
        now, seen = time.monotonic(), self.seen[tab.way.name]
        if not (seen.tried or not tab.way.tells and seen.asked):
            tab.tried = now
            if now - tab.opened > AGAIN:
                self._open(tab)
            return now - tab.began > PATIENCE
        is_over = now - tab.last >= QUIET and (seen.done or not tab.way.ends)
        if not is_over and now - tab.tried < BUSY:
            return False
        if tab.way.click and not tab.pressed:
            self._press(tab)
            return False
        return True

    def _press(self, tab):
        button, *keys = tab.way.click.split("+")
        held = sum(PRESSED[key] for key in keys)
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.send("Input.dispatchMouseEvent", tab.session, type=kind, x=150, y=150, button=button, clickCount=1, modifiers=held)
        tab.pressed = True
        tab.last = time.monotonic()

    def _leave(self, tab):
        seen = self.seen[tab.way.name]
        try:
            seen.top = self.browser.call("Page.getFrameTree", tab.session, wait=10)["frameTree"]["frame"]["url"]
        except devtools.DevToolsError:
            pass
        infos = self.browser.call("Target.getTargets")["targetInfos"]
        for info in infos:
            if info["type"] == "page" and info.get("openerId") and not any(one.target == info["targetId"] for one in self.tabs):
                self.browser.send("Target.closeTarget", targetId=info["targetId"])
        if not any(info["targetId"] == tab.target for info in infos):
            self.tabs[self.tabs.index(tab)] = self._open_tab()
        tab.way = None

    def watch_blank(self, session, expression):
        """Runs it in an empty page, until nothing happens any more."""
        tab = self._of_session[session]
        tab.last = began = time.monotonic()
        self.browser.call("Runtime.evaluate", session, expression=expression)
        while time.monotonic() - tab.last < 4 * QUIET and time.monotonic() - began < BUSY:
            time.sleep(0.02)
