"""What is crawled, how large it is, and how Caddis is told to crawl it.

A profile names one of simweb (`simweb serve --profile`) with changes to it, the sections of crawl.yaml, and what is asked of the
judge. `SCALE` shrinks or grows pages and hosts alike.
"""

import dataclasses


@dataclasses.dataclass
class Profile:
    name: str
    about: str
    web: str                                        # profile of simweb
    pages: int
    hosts: int
    changes: dict = dataclasses.field(default_factory=dict)   # of the web's settings
    settings: dict = dataclasses.field(default_factory=dict)  # section -> name -> value, on top of BASE
    judge: list = dataclasses.field(default_factory=list)     # more arguments of simweb serve
    https: float = 0                                # share of the hosts
    max_documents: int = 0                          # of the crawl, scaled as well; 0: all there are
    complete: bool = True                           # the judge's coverage has to be 100 %
    preload: int = 0                                # URLs that the seen-set holds before the crawl goes on
    min_hosts: int = 10
    doors: bool = False                             # hosts that want a login have a sheet each

    def scaled(self, scale):
        def of(number, least):
            return max(least, round(number * scale))
        return dataclasses.replace(
            self, pages=of(self.pages, 100), hosts=min(of(self.hosts, self.min_hosts), of(self.pages, 100)),
            max_documents=of(self.max_documents, 50) if self.max_documents else 0,
            preload=of(self.preload, 1000) if self.preload else 0)

    def web_arguments(self):
        return [*self.web_settings(), *self.judge]

    def web_settings(self):
        """Those of them that say which web it is."""
        changes = {"pages": self.pages, "hosts": self.hosts, **self.changes}
        return ["--profile", self.web, *(part for name, value in changes.items() for part in ("--set", f"{name}={value}"))]


# As fast as it goes, everything that is linked, robots.txt obeyed. Compression is `fast`: `adaptive` packs smaller while processors
# idle, so what a page costs would depend on who else is at work.
BASE = {
    "archive": {"compression": "fast"},
    "crawl": {"contact": "bench@localhost"},
    "scope": {"kind": "any", "max-hops": 100000},
    "politeness": {"delay": "0s"},
}
# Pages spread so evenly that no large host is left alone at the end: with Zipf's law a quarter of them stands on one host, whose
# pages come one after the other, and waiting would be measured instead of work.
EVEN = {"zipf": 0.3}
POLITE_GAP = 3000  # ms: the default of politeness.min-delay

PROFILES = {profile.name: profile for profile in [
    Profile("http-100k", "pages of 100 KB over HTTP, no delays", "http-100k", 40_000, 1000, EVEN),
    Profile("https-100k", "the same over HTTPS", "https-100k", 40_000, 1000, EVEN, https=1),
    Profile("small-20k", "pages of 20 KB", "small-20k", 100_000, 1000, EVEN),
    Profile("modern-242k", "pages as large as those of 2025", "modern-242k", 15_000, 500, EVEN),
    Profile("hosts-1M", "a million hosts known: pages full of links to other hosts", "hosts-1m", 2_000_000, 1_000_000,
            {"zipf": 0.1, "mean_links": 150, "internal": 0.1}, judge=["--no-coverage"], max_documents=20_000, complete=False),
    Profile("seen-100M", "a seen-set that holds a hundred million URLs", "small-20k", 20_000, 1000, EVEN, preload=100_000_000),
    Profile("polite", "the delays that are the default, a hundred thousand hosts", "polite", 200_000, 100_000, {"zipf": 0.2},
            settings={"politeness": {"delay": None}}, https=0.5,
            judge=["--min-gap", str(POLITE_GAP), "--host-requests", "1", "--address-requests", "4"]),
    Profile("hostile", "everything that can go wrong does", "hostile", 20_000, 1000, {**EVEN, "bomb_size": 100_000_000, "crawl_delay": 500},
            settings={
                # Traps never end by themselves: what ends them is what an operator would set.
                "politeness": {"url-retry-delay": "1s", "host-retry-delay": "1s", "max-retry-delay": "5s", "set-aside": "5s",
                               "host-budget": 500, "domain-hosts": 40},
                "fetch": {"connect-timeout": "3s", "silence-timeout": "3s", "total-timeout": "1m", "max-length": "20MB"},
            }, https=0.4),
    Profile("members", "HTTP/2, and hosts that want cookies, passwords or sessions, which end", "sessions", 10_000, 100,
            {**EVEN, "session_pages": 60, "hang": 0, "endless": 0, "drip": 0, "gzip_bomb": 0, "trap_host": 0, "crawl_delay": 500},
            settings={
                "politeness": {"url-retry-delay": "1s", "host-retry-delay": "1s", "max-retry-delay": "5s", "set-aside": "5s"},
                "fetch": {"http-version": "2", "connect-timeout": "3s", "silence-timeout": "3s"},
            }, https=0.5, doors=True),
]}

# What orders of the frontier are compared on: few hosts, some of them large, so that the order within a host is what counts.
ORDER = Profile("order", "pages of 20 KB on few hosts, in one order", "small-20k", 20_000, 100, {"zipf": 0.8})


def settings_yaml(sections):
    """crawl.yaml from section -> name -> value. A value of None leaves the setting out."""
    lines = []
    for section, values in sections.items():
        given = {name: value for name, value in values.items() if value is not None}
        if given:
            lines.append(f"{section}:")
        for name, value in given.items():
            text = "[" + ", ".join(f'"{item}"' for item in value) + "]" if isinstance(value, list) else value
            lines.append(f"  {name}: {text}")
    return "\n".join(lines) + "\n"


def door_sheets(doors, password=None, check=True):
    """Sheets of crawl.yaml for the hosts that `simweb doors` names: who the crawl is to each of them."""
    lines = ["sheets:"] if any("user" in door for door in doors) else []
    for number, door in enumerate(doors):
        if "user" not in door:
            continue
        login = {"site": door["host"], "user": door["user"], "password": password or door["password"]}
        if door["door"] == "form":
            login |= {"form": door["form"], **({"check": door["words"]} if check else {})}
        lines += [f"  door{number}:", f"    sites: [{door['host']}]", "    settings:", "      logins:"]
        lines += [f'        {name}: "{value}"' for name, value in login.items()]
    return "\n".join(lines) + "\n" if lines else ""


def merged(*layers):
    """Sections, where later layers count."""
    sections = {}
    for layer in layers:
        for section, values in layer.items():
            sections[section] = {**sections.get(section, {}), **values}
    return sections
