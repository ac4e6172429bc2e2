"""A small scanner of C++ sources: which classes a file declares, with how many methods and data members, and of which
classes a file defines methods. It knows braces, not types; tools/cpp_scan_test.py says what it has to get right.
"""

import dataclasses
import re


def strip(text):
    """Blanks comments, literals, preprocessor lines and attributes; line numbers stay."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\'', blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)
    return re.sub(r"\[\[.*?\]\]", blank, text, flags=re.S)


@dataclasses.dataclass
class ClassSize:
    name: str  # with the classes around it: "Frontier::Options"
    line: int
    methods: int = 0
    members: int = 0


def without_angles(text):
    """The text without template arguments, so that a '(' or ',' in them is nobody's."""
    text = re.sub(r"operator\s*(?:<=>|<<=?|>>=?|<=|>=|<|>|->\*?)", "operator@", text).replace("->", "  ")
    out, depth = [], 0
    for char in text:
        if char == "<":
            depth += 1
        elif char == ">" and depth > 0:
            depth -= 1
        elif depth == 0:
            out.append(char)
    return "".join(out)


def close_of(text, start):
    """The index behind the brace that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at + 1
    return len(text)


def statements(text, start, end):
    """(position, head, body) of what is declared there: the head without its body; the body as a (start, end) or None.

    A body belongs to the declaration up to its ';', if that follows as in `struct A {…} a;` and `int a{1};`.
    """
    at = begin = start
    parens = 0
    head, body = "", None
    while at < end:
        char = text[at]
        parens += (char == "(") - (char == ")")
        if char == "{" and parens == 0:
            close = close_of(text, at)
            head += text[begin:at]
            body = (at + 1, close - 1)
            is_definition = bool(re.search(r"\)\s*(?:(?:const|noexcept|override|final|mutable|&&?)\s*)*(?:->[^;={]*|requires[^;={]*)?\s*$|\belse\s*$|^\s*(?:inline\s+)?namespace\b|^\s*extern\b", head)) \
                or (re.search(r"\)[^()]*:(?!:)", without_angles(head)) is not None and not text[close:close + 200].lstrip().startswith((",", "{"))) \
                or re.search(r"\boperator\b", head) is not None
            if is_definition:
                yield begin_of(text, start, begin, head), head, body
                head, body, begin, at, start = "", None, close, close, close
                continue
            begin = at = close
            head += " {} "
            continue
        if char == "{":
            at = close_of(text, at)
            continue
        if char == ";" and parens == 0:
            head += text[begin:at]
            yield begin_of(text, start, begin, head), head, body
            head, body, begin, start = "", None, at + 1, at + 1
        at += 1


def begin_of(text, start, begin, head):
    """The position of the first character of a declaration that began to be read at `start`."""
    rest = text[start:]
    return start + len(rest) - len(rest.lstrip())


CLASS_HEAD = re.compile(r"^(?:template\s*@\s*)?(?:class|struct|union)\s+(?:alignas\([^)]*\)\s*)?((?:\w+::)*\w+)?\s*(?:final)?\s*(?::(?!:)[^{]*)?\{\}\s*(.*)$", re.S)
LABEL = re.compile(r"^\s*(?:public|private|protected)\s*:(?!:)")


def tidy(head):
    """A declaration's head without access labels, its template clause as '@'."""
    while LABEL.match(head):
        head = LABEL.sub("", head, count=1)
    head = re.sub(r"\s+", " ", head).strip()
    while head.startswith("template"):
        depth, at = 0, head.find("<")
        if at < 0:
            break
        for at in range(at, len(head)):
            depth += (head[at] == "<") - (head[at] == ">")
            if depth == 0:
                break
        head = re.sub(r"^\s*requires[^{;]*?(?=\b(?:class|struct|void|auto|bool|static|explicit)\b)", "", head[at + 1:]).strip()
    return head


def count_members(head):
    """How many data members a declaration makes: `int a = 0, b{1};` two."""
    flat = without_angles(head)
    depth, names = 0, 1
    for char in flat:
        depth += (char in "([{") - (char in ")]}")
        names += char == "," and depth == 0
    return names


def is_method(head):
    flat = without_angles(head)
    if re.search(r"\boperator\b", flat):
        return True
    opening = re.search(r"[(={\[]", flat)
    return opening is not None and opening.group(0) == "(" and not re.match(r".*\(\s*\*", flat[:opening.end() + 2])


def classes(text):
    """The classes that a file declares with their sizes, nested ones too. `text` as strip() left it."""
    found = []
    scan(text, 0, len(text), "", None, found)
    return found


def scan(text, start, end, prefix, current, found):
    for position, raw, body in statements(text, start, end):
        head = tidy(raw)
        if body and re.match(r"(?:inline )?namespace\b|extern\b", head):
            scan(text, *body, prefix, None, found)
            continue
        match = CLASS_HEAD.match(head) if body else None
        if match:
            name = (prefix + "::" if prefix else "") + (match.group(1) or "(unnamed)")
            size = ClassSize(name, text.count("\n", 0, position) + 1)
            found.append(size)
            scan(text, *body, name, size, found)
            if current and match.group(2).strip():
                current.members += count_members(match.group(2))
            continue
        if current is None or not head:
            continue
        if re.match(r"(?:using|typedef|friend|static_assert|enum|CADDIS_\w+)\b", head):
            continue
        if re.match(r"(?:class|struct|union)\s+\w+$", head):
            continue
        if is_method(head):
            if not re.search(r"=\s*(?:default|delete)\s*$", head):
                current.methods += 1
        elif not re.match(r"(?:inline |static |constexpr )*(?:static|constexpr)\b", head):
            current.members += count_members(head)


def defined_in(text):
    """The classes ("Outer::Inner", without namespaces' help) of which a file defines methods outside of their braces."""
    names = set()

    def walk(start, end):
        for _, raw, body in statements(text, start, end):
            head = tidy(raw)
            if not body:
                continue
            if re.match(r"(?:inline )?namespace\b|extern\b", head):
                walk(*body)
                continue
            flat = without_angles(head)
            match = re.match(r"[^(=]*?((?:\w+::)+)(?:~?\w+|operator[^(]*)\s*\(", flat)
            if match:
                names.add(match.group(1)[:-2])
    walk(0, len(text))
    return names
