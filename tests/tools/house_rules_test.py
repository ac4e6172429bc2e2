#!/usr/bin/env python3
"""What the tools of the house rules have to get right: the scanner of classes, the ratchet, fragments of the changelog."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests" / "e2e")]
import changelog  # noqa: E402
import check_debts  # noqa: E402
import cpp_scan  # noqa: E402
import harness  # noqa: E402


def sizes(text):
    return {each.name: (each.methods, each.members) for each in cpp_scan.classes(cpp_scan.strip(text))}


def defined(text):
    return cpp_scan.defined_in(cpp_scan.strip(text))


class Sizes(unittest.TestCase):
    def one(self, body, methods, members):
        self.assertEqual(sizes("namespace a::b {\nclass X final : public Y {\n" + body + "\n};\n}\n").get("X"), (methods, members), body)

    def test_methods(self):
        self.one("public: void f(); int g() const { return 1; }\nprivate: static Result<void> h(std::string a = {}, int b = 3);", 3, 0)
        self.one("X(int a, int b) : a_(a), b_{b} { use(); }\nexplicit X(int a) : a_{a} {} int a_, b_;", 2, 2)
        self.one("~X() override; bool operator==(const X&) const; X& operator<<(int a) { return *this; } auto operator<=>(const X&) const;", 4, 0)
        self.one("template <class T> void f(T&& t) { t(); }\ntemplate <typename A, typename B = std::less<>> B g();", 2, 0)
        self.one("auto f() -> std::map<int, int>;\nstd::function<void(int)> g() const noexcept;", 2, 0)

    def test_what_the_compiler_writes_is_no_method(self):
        self.one("X() = default; X(const X&) = delete; X& operator=(const X&) = delete; bool operator==(const X&) const = default;", 0, 0)
        self.one("virtual void f() = 0;", 1, 0)

    def test_members(self):
        self.one("int a = 0, b{1}, c; std::map<int, std::string> d; std::function<void(int, int)> e = nullptr;", 0, 5)
        self.one("std::array<int, 3> a{1, 2, 3};\nDuration b = std::chrono::seconds(2);\nint c[4];\nmutable std::mutex d;", 0, 4)
        self.one("const std::string a = f(1, 2); std::function<bool()> b = [] { return true; }; void (*c)(int) = nullptr;", 0, 3)

    def test_constants_types_and_friends_are_no_members(self):
        self.one("static constexpr int kA = 3, kB = 4; using T = int; friend class Z; enum class E { a, b }; class N; static const int c;", 0, 0)

    def test_nested(self):
        text = "class X { struct Y { int a, b; void f(); } y_; struct Z { int c; }; Z z_; void g(); };"
        self.assertEqual(sizes(text), {"X": (1, 2), "X::Y": (1, 2), "X::Z": (0, 1)})

    def test_what_is_no_class(self):
        self.assertEqual(sizes("class A; enum class E : int { a }; struct B* f(); // class C { int x; };\nauto s = \"class D {\";"), {})

    def test_comments_macros_and_attributes(self):
        text = "struct S {  // { (\n#define M(x) \\\n  { x\n  [[nodiscard]] int f(); /* } */ char c = '}';\n};"
        self.assertEqual(sizes(text), {"S": (1, 1)})

    def test_lines(self):
        found = cpp_scan.classes(cpp_scan.strip("// a\n\nstruct S {\n  int a;\n  struct T {\n  };\n};\n"))
        self.assertEqual([(each.name, each.line) for each in found], [("S", 3), ("S::T", 5)])

    def test_default_arguments_with_braces(self):
        self.one("void f(Options options = {}, std::vector<int> more = {1, 2});\nint a;", 1, 1)


class Definitions(unittest.TestCase):
    def test_methods_of_classes(self):
        text = """namespace a {
        namespace { struct Local { void f() {} }; }
        Result<void> X::f(int a) { return a::g(); }
        X::X(int a) : a_(a), b_{a} {}
        X::Y::~Y() { if (a) { b(); } }
        std::map<int, std::string> Z::g() const { return {}; }
        bool W::operator==(const W& other) const { return true; }
        void free_function(V::T argument) { V::call(); }
        int U::constant = 3;
        }"""
        self.assertEqual(defined(text), {"X", "X::Y", "Z", "W"})


def tree(files):
    """A folder with those files, as a source tree has them."""
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        path = pathlib.Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


class Debts(unittest.TestCase):
    def measure(self, files):
        with tree(files) as root:
            return check_debts.measure(pathlib.Path(root))

    def test_classes(self):
        methods = "".join(f"void f{i}();" for i in range(31))
        members = "".join(f"int m{i};" for i in range(16))
        found = self.measure({"src/caddis/a/x.h": "class X { " + methods + members + " };",
                              "src/caddis/a/record.h": "struct R { " + members + " };",
                              "src/caddis/a/x_test.cc": "class T { " + methods + " };"})
        self.assertEqual(found, {("methods", "src/caddis/a/x.h:X"): 31, ("members", "src/caddis/a/x.h:X"): 16})

    def test_files_of_a_class(self):
        sources = {f"src/caddis/a/x{i}.cc": "namespace a {\nvoid X::f() {}\n}" for i in range(2)}
        sources["src/caddis/a/x.h"] = "class X { void f(); };"
        self.assertEqual(self.measure(sources), {})
        # Another module's class of the same name is another class.
        sources["src/caddis/b/x.cc"] = "void X::f() {}"
        self.assertEqual(self.measure(sources), {})
        sources["src/caddis/a/walk.h"] = "inline void X::g() {}"
        self.assertEqual(self.measure(sources), {("files", "src/caddis/a/x.h:X"): 3})

    def test_includes_and_openings(self):
        found = self.measure({"src/caddis/a/x.h": '#include "caddis/b.h"\n' * 13 + "#include <map>\n",
                              "src/caddis/a/y.h": "// What it is.\n// Of two lines.\nint a;  // Nothing\n// The rest, of which nothing counts.\n"})
        self.assertEqual(found, {("includes", "src/caddis/a/x.h"): 13, ("openings", "all"): 2})

    def test_columns(self):
        wide = "word " * 40
        found = self.measure({"README.md": f"{wide}\n| {wide} |\n```\n{wide}\n```\n    {wide}\n<{'x' * 200}>\n{wide}\n"})
        self.assertEqual(found, {("columns", "README.md"): 2})

    def test_the_ratchet(self):
        debts = check_debts.read_debts("# a comment\nmethods a.h:A 40\nincludes b.h 13\n")
        self.assertEqual(check_debts.read_debts(check_debts.write_debts(debts)), debts)
        grown, shrunk = check_debts.compare({("methods", "a.h:A"): 41, ("members", "c.h:C"): 16}, debts)
        self.assertEqual(grown, ["c.h:C: members 16; the most is 15", "a.h:A: methods 41, was 40"])
        self.assertEqual(shrunk, ["b.h: includes no more, was 13"])
        self.assertEqual(check_debts.compare(debts, debts), ([], []))


class Fragments(unittest.TestCase):
    def test_a_section(self):
        with tree({"changes/new-b-thing.md": "A thing\nis new.\n", "changes/fixed-a-fault.md": "It works.\n", "changes/README.md": "x"}) as root:
            self.assertEqual(changelog.problems(pathlib.Path(root)), [])
            self.assertEqual(changelog.section(pathlib.Path(root), "1"), "## 1\n\n### New\n\n* A thing\n  is new.\n\n### Fixed\n\n* It works.\n")

    def test_what_is_wrong(self):
        with tree({"changes/other-thing.md": "x.", "changes/new-wide.md": "x " * 100 + ".", "changes/new-list.md": "* x."}) as root:
            self.assertEqual(len(changelog.problems(pathlib.Path(root))), 3)

    def test_a_release(self):
        self.assertEqual(changelog.released("# Log\n\n## 1\n\n* a\n", "## 2\n\n* b\n"), "# Log\n\n## 2\n\n* b\n\n## 1\n\n* a\n")
        self.assertEqual(changelog.released("# Log\n\n## Unreleased\n\n* a\n", "## 2\n\n* b\n"), "# Log\n\n## 2\n\n* b\n\n* a\n")
        self.assertEqual(changelog.released("# Log\n", "## 2\n"), "# Log\n\n## 2\n")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules["__main__"]))
