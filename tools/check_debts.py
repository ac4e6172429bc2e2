#!/usr/bin/env python3
"""Sizes that creep, held by a ratchet: tools/debts.txt has today's breaches, and none may grow. Exit status 1 and a line each.

  methods    a class declares at most 30 methods (not counting what is defaulted or deleted)
  members    a class has at most 15 data members; a record, which has no methods, 20
  files      the methods of a class are defined in its header and at most two .cc files
  includes   a header includes at most 12 headers of the project
  openings   comments that open with What, Of, Who, Whose, Nothing or Those, all together: a comment names its thing first
  readme     the README of a module has at most 80 lines
  columns    lines of prose over 140 columns in README.md and docs/, by file

  check_debts.py            what is new or has grown
  check_debts.py --strict   also debts that have shrunk: the file is to say so
  check_debts.py --lower    writes what has shrunk or gone into the file; nothing in it grows
  check_debts.py --accept   writes the file anew, with what has grown; say why in the commit
"""

import collections
import pathlib
import re
import sys

import cpp_scan

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEBTS = ROOT / "tools" / "debts.txt"
LIMITS = {"methods": 30, "members": 15, "files": 2, "includes": 12, "openings": 0, "readme": 80, "columns": 0}
RECORD_MEMBERS = 20
COLUMNS = 140
OPENING = re.compile(r"//+!?<?\s*(?:What|Of|Who|Whose|Nothing|Those)\b")


def sources(root):
    for folder in ("src/caddis", "apps", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc") and not re.search(r"_(?:test|bench|fuzz)\.cc$", path.name):
                yield path


def room(root, path):
    """The module of a source, or the folder below bench or apps."""
    parts = path.relative_to(root).parts
    return "/".join(parts[:3] if parts[0] == "src" else parts[:2])


def measure_classes(root, sizes):
    classes, definitions = {}, collections.defaultdict(set)
    for path in sources(root):
        text = cpp_scan.strip(path.read_text())
        for each in cpp_scan.classes(text):
            classes.setdefault((room(root, path), each.name), []).append(path)
            subject = f"{path.relative_to(root)}:{each.name}"
            limit = LIMITS["members"] if each.methods else RECORD_MEMBERS
            if each.methods > LIMITS["methods"]:
                sizes["methods", subject] = each.methods
            if each.members > limit:
                sizes["members", subject] = each.members
        for name in cpp_scan.defined_in(text):
            definitions[room(root, path), name].add(path)
    for (module, name), paths in definitions.items():
        # Written with its namespace, or seen from within: the class that ends in this name, if there is only one.
        owners = [key for key in classes if key[0] == module and (key[1] == name or name.endswith("::" + key[1]))]
        if len(owners) != 1:
            continue
        homes = classes[owners[0]]
        outside = {path for path in paths if path not in homes or path.suffix == ".cc"}
        if len(outside) > LIMITS["files"]:
            sizes["files", f"{homes[0].relative_to(root)}:{owners[0][1]}"] = len(outside)


def measure_text(root, sizes):
    openings = 0
    for path in sources(root):
        before = ""
        includes = 0
        for line in path.read_text().splitlines():
            comment = line.lstrip()
            # A comment opens where the line before it is none, or at the end of code.
            if OPENING.match(comment) and not before.startswith("//"):
                openings += 1
            elif not comment.startswith("//") and re.search(r"\S\s+" + OPENING.pattern, line):
                openings += 1
            before = comment
            includes += path.suffix == ".h" and line.startswith('#include "caddis/')
        if includes > LIMITS["includes"]:
            sizes["includes", str(path.relative_to(root))] = includes
    if openings:
        sizes["openings", "all"] = openings


def measure_documents(root, sizes):
    for path in sorted((root / "src" / "caddis").glob("*/README.md")):
        lines = path.read_text().count("\n")
        if lines > LIMITS["readme"]:
            sizes["readme", str(path.relative_to(root))] = lines
    for path in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        wide, is_code = 0, False
        for line in path.read_text().splitlines():
            if line.lstrip().startswith("```"):
                is_code = not is_code
            is_prose = not is_code and not line.lstrip().startswith("|") and not line.startswith("    ") and " " in line[:COLUMNS].strip()
            wide += is_prose and len(line) > COLUMNS
        if wide:
            sizes["columns", str(path.relative_to(root))] = wide


def measure(root):
    sizes = {}
    measure_classes(root, sizes)
    measure_text(root, sizes)
    measure_documents(root, sizes)
    return sizes


def read_debts(text):
    debts = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            rule, subject, size = line.split(" ")
            debts[rule, subject] = int(size)
    return debts


def write_debts(debts):
    head = "# What tools/check_debts.py allows to be larger than its limits, for now. Nothing here may grow: --lower writes what has shrunk.\n"
    return head + "".join(f"{rule} {subject} {size}\n" for (rule, subject), size in sorted(debts.items()))


def compare(sizes, debts):
    """(what is new or has grown, what has shrunk or gone), a line each."""
    limit = {key: RECORD_MEMBERS if key[0] == "members" and size > RECORD_MEMBERS else LIMITS[key[0]] for key, size in sizes.items()}
    grown = [f"{subject}: {rule} {size}" + (f", was {debts[rule, subject]}" if (rule, subject) in debts else f"; the most is {limit[rule, subject]}")
             for (rule, subject), size in sorted(sizes.items()) if size > debts.get((rule, subject), LIMITS[rule])]
    shrunk = [f"{subject}: {rule} {sizes.get((rule, subject), 'no more')}, was {size}"
              for (rule, subject), size in sorted(debts.items()) if sizes.get((rule, subject), 0) < size]
    return grown, shrunk


def main(arguments):
    sizes = measure(ROOT)
    if "--accept" in arguments:
        DEBTS.write_text(write_debts(sizes))
        return 0
    debts = read_debts(DEBTS.read_text()) if DEBTS.exists() else {}
    grown, shrunk = compare(sizes, debts)
    if "--lower" in arguments:
        debts = {key: min(size, sizes[key]) for key, size in debts.items() if key in sizes}
        DEBTS.write_text(write_debts(debts))
        shrunk = []
    for line in grown:
        print(line)
    if "--strict" in arguments:
        for line in shrunk:
            print(f"{line}: run tools/check_debts.py --lower")
    elif shrunk:
        print(f"{len(shrunk)} debts have shrunk: tools/check_debts.py --lower writes it down")
    failed = bool(grown) or ("--strict" in arguments and bool(shrunk))
    if not failed:
        print(f"no size has grown; {len(debts)} debts are left")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
