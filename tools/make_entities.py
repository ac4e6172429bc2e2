#!/usr/bin/env python3
"""Writes src/caddis/html/entity_table.cc from the named character references of the HTML Standard.

    tools/make_entities.py > src/caddis/html/entity_table.cc

The list is Python's html.entities.html5, which is the standard's (2231 names, it will not grow).
"""
from html.entities import html5

WIDTH = 116


def wrapped(items, indent="    "):
    line, lines = indent, []
    for item in items:
        if len(line) + len(item) > WIDTH:
            lines.append(line.rstrip())
            line = indent
        line += item + " "
    return "\n".join(lines + [line.rstrip()])


def main():
    names = sorted(name[:-1] for name in html5 if name.endswith(";"))
    blob = "".join(names)
    ends, at = [], 0
    first, second = [], []
    for index, name in enumerate(names):
        at += len(name)
        ends.append(f"{at},")
        value = html5[name + ";"]
        legacy = 0x80000000 if name in html5 else 0
        if len(value) == 2:
            second.append(f"{{{index}, {ord(value[1]):#x}}},")
            legacy |= 0x40000000
        first.append(f"{ord(value[0]) | legacy:#x},")
    pieces = "\n".join(f'    "{blob[i:i + WIDTH - 6]}"' for i in range(0, len(blob), WIDTH - 6))
    print(f"""// The named character references of the HTML Standard (13.5). Written by tools/make_entities.py: change that, not this.
#include "caddis/html/entity_table.h"

// clang-format off
namespace caddis::html {{

const char kEntityNames[] =
{pieces};

const uint16_t kEntityEnds[kEntityCount] = {{
{wrapped(ends)}
}};

const uint32_t kEntityValues[kEntityCount] = {{
{wrapped(first)}
}};

const EntitySecond kEntitySeconds[kEntitySecondCount] = {{
{wrapped(second)}
}};

}}  // namespace caddis::html""")


if __name__ == "__main__":
    main()
