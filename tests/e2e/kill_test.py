#!/usr/bin/env python3
"""kill -9 at random moments of a crawl, each followed by --resume: in the end everything is there, once, and valid.

CADDIS_KILLS: how many (50 by default); CADDIS_KILL_SEED: of the moments.
"""

import os
import random
import sys
import time
import unittest

import harness
from local_site import LocalSite

KILLS = int(os.environ.get("CADDIS_KILLS", "50"))
SEED = int(os.environ.get("CADDIS_KILL_SEED", str(time.time_ns() % 1_000_000)))


class KillTest(unittest.TestCase):
    def test_fifty_kills(self):
        chance = random.Random(SEED)
        print(f"seed {SEED}", flush=True)
        kills = crawls = 0
        with LocalSite(pages=480, rate=10) as site:
            while kills < KILLS:
                kills += self.one_crawl(site, chance, KILLS - kills)
                crawls += 1
        print(f"{kills} kills in {crawls} crawls", flush=True)

    def one_crawl(self, site, chance, most):
        """Crawls the site with at most so many kills; how many there were before it ended."""
        crawl = harness.Crawl(site)
        kills, code = 0, None
        while code is None:
            process = crawl.start(resume=crawl.can_resume())
            if kills < most:
                # Groups are committed every second: most lives reach one commit or two.
                time.sleep(chance.uniform(0.02, 2.2))
                if process.poll() is None:
                    harness.kill(process)
                    kills += 1
                    continue
            code, out, err = harness.finish(process)
            self.assertEqual(code, 0, f"after {kills} kills: {out}\n{err}")
        self.assertEqual(crawl.check(), [], f"after {kills} kills, see {crawl.folder}")
        self.assertEqual(len(crawl.launches), 1)
        crawl.remove()
        return kills


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
