#!/usr/bin/env python3
"""Puts the fragments of changes/ together (changes/README.md has their form).

  changelog.py                          prints the section of what is not released yet
  changelog.py --check                  says what is wrong with a fragment; exit status 1
  changelog.py --release VERSION DATE   puts the section at the head of CHANGELOG.md, and removes the fragments
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {"new": "New", "changed": "Changed", "fixed": "Fixed", "removed": "Removed"}
COLUMNS = 140
MOST = 600  # characters: three sentences, generously


def fragments(root):
    return sorted(path for path in (root / "changes").glob("*.md") if path.name != "README.md")


def problems(root):
    found = []
    for path in fragments(root):
        text = path.read_text().strip()
        if path.name.split("-")[0] not in KINDS or not re.fullmatch(r"[a-z]+(-[a-z0-9]+)+\.md", path.name):
            found.append(f"changes/{path.name}: is to be named <{'|'.join(KINDS)}>-<words>.md")
        if not text or not text.endswith((".", ")", "`")):
            found.append(f"changes/{path.name}: is to hold whole sentences")
        if len(text) > MOST:
            found.append(f"changes/{path.name}: {len(text)} characters; {MOST} are the most")
        if any(len(line) > COLUMNS for line in text.splitlines()):
            found.append(f"changes/{path.name}: a line of over {COLUMNS} columns")
        if text.startswith(("#", "*", "-")):
            found.append(f"changes/{path.name}: is a paragraph, without heading and bullet")
    return found


def section(root, heading):
    out = [f"## {heading}", ""]
    for kind, title in KINDS.items():
        texts = [path.read_text().strip() for path in fragments(root) if path.name.startswith(kind + "-")]
        if texts:
            out += [f"### {title}", ""] + ["* " + text.replace("\n", "\n  ") for text in texts] + [""]
    return "\n".join(out)


def released(changelog, text):
    """The changelog with the section before the first one that it has. What stood under "Unreleased" is part of it."""
    head, mark, rest = changelog.partition("\n## ")
    if rest.startswith("Unreleased\n"):
        unreleased, mark, rest = rest.partition("\n## ")
        text = text.rstrip() + "\n" + unreleased.removeprefix("Unreleased\n").rstrip()
    return f"{head.rstrip()}\n\n{text.rstrip()}\n" + ("\n## " + rest if mark else "")


def main(arguments):
    found = problems(ROOT)
    if arguments[:1] == ["--check"] or found:
        print("\n".join(found) if found else f"{len(fragments(ROOT))} fragments are in order")
        return 1 if found else 0
    if arguments[:1] == ["--release"] and len(arguments) == 3:
        log = ROOT / "CHANGELOG.md"
        log.write_text(released(log.read_text(), section(ROOT, f"{arguments[1]} ({arguments[2]})")))
        for path in fragments(ROOT):
            path.unlink()
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    print(section(ROOT, "Unreleased"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
