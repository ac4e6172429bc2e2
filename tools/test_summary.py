#!/usr/bin/env python3
"""Counts every single test of a run and lists the skipped ones with their reason.

Reads ctest's JUnit file and, for each GoogleTest binary, the JSON that it wrote, so that cases count, not binaries.
The last line is "N passed, N failed, N skipped"; the exit status is 1 where anything failed or a binary ended early.
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml


def skip_reasons(output):
    """Test name -> reason, from what a GoogleTest binary printed: its JSON has no room for it."""
    return {name: reason.strip() for reason, name in
            re.findall(r": Skipped\n(.*)\n(?:(?!\[).*\n)*\[  SKIPPED \] ([^\s,]+)", output)}


def count_binary(path, output):
    """(passed, failed, skipped) of a GoogleTest JSON report; skipped as (name, reason)."""
    reasons = skip_reasons(output)
    passed, failed, skipped = 0, [], []
    for suite in json.loads(path.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            name = f'{case.get("classname", suite["name"])}.{case["name"]}'
            if case["status"] == "NOTRUN":
                continue
            if "failures" in case:
                failed.append(name)
            elif case["result"] == "SKIPPED":
                message = case.get("skipped", [{}])[0].get("message", "").strip()
                short = f'{suite["name"]}.{case["name"]}'
                skipped.append((name, message.splitlines()[-1] if message else reasons.get(short, "no reason given")))
            else:
                passed += 1
    return passed, failed, skipped


def main():
    results = pathlib.Path(sys.argv[1])
    passed, failed, skipped = 0, [], []
    for case in xml.parse(results / "ctest.xml").getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        report = results / f"{name}.json"
        if report.exists():
            p, f, s = count_binary(report, case.findtext("system-out") or "")
            passed += p
            failed += [f"{name}: {each}" for each in f]
            skipped += [(f"{name}: {each}", why) for each, why in s]
            if status == "fail" and not f:
                failed.append(f"{name}: ended early or leaked (see its output above)")
        elif status == "run":
            passed += 1
        elif status in ("notrun", "disabled"):
            output = (case.findtext("system-out") or "").strip().splitlines()
            skipped.append((name, output[-1] if output else "no reason given"))
        else:
            failed.append(name)
    for name, why in skipped:
        print(f"skipped: {name}: {why}")
    for name in failed:
        print(f"FAILED: {name}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
