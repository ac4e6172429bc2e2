// Single settings changed in the text of a crawl.yaml, with all that stands there besides.
import assert from "node:assert/strict";
import {buildSync} from "esbuild";

const source = new URL("../src/yaml_edit.ts", import.meta.url).pathname;
const {outputFiles} = buildSync({entryPoints: [source], bundle: true, format: "esm", write: false});
const {edit_yaml} = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

const lists = name => ["crawl.seeds", "scope.exclude"].includes(name);
const before = `# of the house
extends: [broad]
crawl:
  seeds:
    - https://a.example/  # ours
politeness: {delay: 5s}  # they asked for it
limits:
  max-documents: 10
`;
const cases = [
  [{"politeness.delay": "9s"}, /delay: 9s *\}? *# they asked for it/],
  [{"limits.max-documents": "25"}, /max-documents: 25\n/],
  [{"limits.max-documents": null}, /^((?!limits)[^])*$/],
  [{"fetch.max-length": "100MB"}, /\nfetch:\n  max-length: 100MB\n/],
  [{"crawl.private": "true"}, /private: true\n/],
  [{"scope.exclude": "\\?a=1\n/b: c/"}, /scope:\n  exclude:\n    - \\\?a=1\n    - "?'?\/b: c\/"?'?\n/],
  [{"scope.exclude": ""}, /exclude:\s*\[\]/],
  [{"crawl.name": "0x10: a # b"}, /name: "0x10: a # b"\n/],
  [{"crawl.name": "007"}, /name: "?007"?\n/],
];
for (const [edits, after] of cases) {
  const text = edit_yaml(before, edits, lists);
  assert.match(text, after);
  assert.match(text, /^# of the house\nextends: \[ ?broad ?\]\n/);
  assert.match(text, /https:\/\/a\.example\/ *# ours/);
}
assert.equal(edit_yaml("", {"politeness.delay": "1s"}, lists), "politeness:\n  delay: 1s\n");
assert.equal(edit_yaml("# nothing yet\n", {"politeness.delay": "1s"}, lists).trim(), "# nothing yet\n\npoliteness:\n  delay: 1s");
assert.throws(() => edit_yaml("a: [", {"politeness.delay": "1s"}, lists), /is no YAML/);
