#!/usr/bin/env python3
"""The fault campaign: what a crawl goes through, and what it costs it. Nothing is what it may cost.

    make faults                        all of it: 10,000 simulated power cuts, 200 kills of the real process, ...
    tests/faults/report.py --share 0.01 --build build/asan        a hundredth, of another build
    tests/faults/report.py LyingDisk                              series whose name has this part

Prints a table and writes report.json and each series' log into build/faults/. Exit status 1 where anything was lost,
captured twice, damaged, or left out of the log, or a series could not be run.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Series: (title, program, its tests, what says how much, how much all of it is)
SIMULATED, REAL = "faults_test", "kill_test"
SERIES = [
    ("power cuts, whole crawls simulated", SIMULATED, "PowerCuts.*", "CADDIS_CRASH_MOMENTS", 10_000),
    ("lying disk: ends of WARC files", SIMULATED, "LyingDisk.LosesTheEndOfWarcFiles", "CADDIS_LIE_MOMENTS", 2_000),
    ("lying disk: ends of any stream", SIMULATED, "LyingDisk.LosesTheEndOfAnyStream", "CADDIS_LIE_MOMENTS", 2_000),
    ("lying disk: beyond the latest groups", SIMULATED, "LyingDisk.LosesMoreThanTheLatestGroups", "CADDIS_LIE_MOMENTS", 1_000),
    ("lying disk: runs of known URLs", SIMULATED, "LyingDisk.LosesRunsOfKnownUrls", "CADDIS_LIE_MOMENTS", 2_000),
    ("lying disk: blocks of known URLs", SIMULATED, "LyingDisk.DamagesBlocksOfKnownUrls", "CADDIS_LIE_MOMENTS", 2_000),
    ("power cuts under RocksDB", SIMULATED, "RocksPowerCuts.*", "CADDIS_ROCKS_MOMENTS", 200),
    ("power cuts, checkpoints", SIMULATED, "CheckpointPowerCuts.*", "CADDIS_CHECKPOINT_MOMENTS", 2_000),
    ("power cuts, checkpoints of RocksDB", SIMULATED, "RocksCheckpointPowerCuts.*", "CADDIS_ROCKS_MOMENTS", 100),
    ("writes and syncs that fail", SIMULATED, "FailingDisk.IsWaitedFor", "CADDIS_FAULT_CAMPAIGNS", 300),
    ("syncs that fail: another file", SIMULATED, "FailingDisk.WhatWentOn*", "CADDIS_FAULT_CAMPAIGNS", 25),
    ("full disk", SIMULATED, "FailingDisk.RoomIsWaitedFor", "CADDIS_FAULT_CAMPAIGNS", 300),
    ("failing archive folder", SIMULATED, "FailingDisk.AFailingArchiveFolder*", "CADDIS_FAULT_CAMPAIGNS", 300),
    ("clock jumps", SIMULATED, "ClockJumps.*", "CADDIS_FAULT_CAMPAIGNS", 300),
    ("kill -9, real process", REAL, "test_kills", "CADDIS_KILLS", 100),
    ("kill -9 in roll-overs and merges", REAL, "test_kills_in_roll_overs_and_merges", "CADDIS_KILLS", 100),
    ("kill -9 while checkpoints are taken", REAL, "test_kills_while_checkpoints_are_taken", "CADDIS_KILLS", 100),
    ("kill -9 while settings change", "steering_test", "test_changes_under_kills", "CADDIS_KILLS", 200),
    ("SIGSTOP and SIGCONT, real process", REAL, "test_stop_and_continue", "CADDIS_KILLS", 0),
    ("full disk, real process: pause", REAL, "test_pauses_until_there_is_room", "CADDIS_KILLS", 0),
    ("full disk, real process: last byte", REAL, "test_loses_nothing_when_full_to_the_last_byte", "CADDIS_KILLS", 0),
]
FIGURES = ["crawls", "moments", "lost", "twice", "invalid", "log"]


def run(series, build, share, out):
    """One series as a row of the report."""
    title, program, tests, variable, whole = series
    amount = max(1, round(whole * share))
    stem = "".join(letter if letter.isalnum() else "_" for letter in title)
    result, log = out / f"{stem}.json", out / f"{stem}.log"
    result.unlink(missing_ok=True)
    environment = {**os.environ, variable: str(amount), "CADDIS_BINARY": str(build / "caddis")}
    if program == SIMULATED:
        command = [build / "tests" / program, f"--gtest_filter={tests}", f"--gtest_output=json:{result}"]
    else:
        command = [sys.executable, "-B", ROOT / "tests" / "e2e" / f"{program}.py", "--json", result, tests]
    began = time.monotonic()
    with open(log, "wb") as output:
        code = subprocess.run(command, env=environment, stdout=output, stderr=subprocess.STDOUT).returncode
    row = {"series": title, "ok": code == 0, "seconds": round(time.monotonic() - began, 1), "output": str(log)}
    cases = [case for suite in read(result).get("testsuites", []) for case in suite["testsuite"]
             if case.get("status") != "NOTRUN"]
    row["ok"] &= bool(cases)
    row["skipped"] = bool(cases) and all(case.get("result") == "SKIPPED" for case in cases)
    for figure in FIGURES:
        known = [int(case[figure]) for case in cases if figure in case]
        row[figure] = sum(known) if known else None
    return row


def read(path):
    try:
        return json.loads(path.read_text())
    except (OSError, json.JSONDecodeError):
        return {}


def verdict(row):
    if row["skipped"]:
        return "skipped"
    return "ok" if row["ok"] else f"FAILED, see {row['output']}"


def line(row):
    cells = ["-" if row[figure] is None else f"{row[figure]:,}" for figure in FIGURES]
    # The real process is compared with its site as a whole: a difference fails the series.
    return f"{row['series']:38}" + "".join(f"{cell:>9}" for cell in cells) + f"{row['seconds']:>9.0f}  {verdict(row)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("only", nargs="*", help="parts of names of series or tests")
    arguments = parser.parse_args()
    build, out = (ROOT / arguments.build).resolve(), ROOT / "build" / "faults"
    out.mkdir(parents=True, exist_ok=True)
    print(f"{'series':38}" + "".join(f"{name:>9}" for name in FIGURES) + f"{'seconds':>9}")
    rows = []
    for series in SERIES:
        if arguments.only and not any(part in series[0] or part in series[2] for part in arguments.only):
            continue
        rows.append(run(series, build, arguments.share, out))
        print(line(rows[-1]), flush=True)
    good = bool(rows) and all(row["ok"] for row in rows)
    (out / "report.json").write_text(json.dumps({"share": arguments.share, "ok": good, "series": rows}, indent=1) + "\n")
    print(f"{'nothing was lost' if good else 'FAILED'}; {out / 'report.json'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
